import { Button, Card, Grid, List, Loader, Stack, Text, Title } from '@mantine/core';
import { IconEye, IconEyeOff, IconWebhook } from '@tabler/icons-react';
import { useState } from 'react';
import { useGet } from '../../api/queries';
import { useCan } from '../../api/session';
import { Fact } from '../../components/fact';
import { CopyText } from '../../components/copy-button';
import { Time } from '../../components/time';
import { ToneBadge } from '../../components/tone-badge';
import { strings } from '../../strings';
import type { BusinessAccount } from './types';

const { webhook: texts, account: accountText } = strings.numbers;

/** The values for the provider's form about webhooks, and whether webhooks arrive. */
export function WebhookBox({ accounts }: { accounts: BusinessAccount[] }) {
  const webhook = useGet<{ url: string }>('numbers/webhook');
  return (
    <Card withBorder component="section" aria-label={texts.title}>
      <Title order={2}>{texts.title}</Title>
      <Text c="dimmed" size="sm" mb="md">
        {texts.intro}
      </Text>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Stack component="dl" gap="sm" m={0}>
            <Fact name={texts.url}>
              {webhook.data ? (
                <CopyText value={webhook.data.url} label={texts.url} />
              ) : (
                strings.common.loading
              )}
            </Fact>
            <Fact name={texts.verifyToken}>
              <VerifyToken />
            </Fact>
            {accounts.length > 0 && (
              <Fact name={texts.arrivals}>
                <Stack gap={6}>
                  {accounts.map((account) => (
                    <Arrival key={account.business_account_id} account={account} />
                  ))}
                </Stack>
              </Fact>
            )}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Title order={3} mb={6}>
            {texts.stepsTitle}
          </Title>
          <List type="ordered" size="sm" spacing={6} style={{ overflowWrap: 'anywhere' }}>
            {texts.steps.map((step) => (
              <List.Item key={step}>{step}</List.Item>
            ))}
          </List>
        </Grid.Col>
      </Grid>
    </Card>
  );
}

function VerifyToken() {
  const isOwner = useCan('owner');
  const [isShown, setShown] = useState(false);
  const token = useGet<{ verify_token: string }>('numbers/webhook/verify-token', undefined, {
    enabled: isShown,
  });
  if (!isOwner) return texts.ownersOnly;
  return (
    <Stack gap={6} align="flex-start">
      {isShown && token.data && <CopyText value={token.data.verify_token} label={texts.verifyToken} />}
      {isShown && token.error && token.error.message}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={isShown ? <IconEyeOff size={14} aria-hidden /> : <IconEye size={14} aria-hidden />}
        loading={isShown && token.isFetching && !token.data}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? texts.hide : texts.reveal}
      </Button>
    </Stack>
  );
}

function Arrival({ account: { waba_id: wabaId, webhook_seen_at: seenAt } }: { account: BusinessAccount }) {
  return (
    <div role="status" aria-label={accountText(wabaId)}>
      <Text size="sm" mb={2} style={{ overflowWrap: 'anywhere' }}>
        {accountText(wabaId)}
      </Text>
      {seenAt ? (
        <ToneBadge
          tone="good"
          icon={IconWebhook}
          label={
            <>
              {texts.arrived} <Time at={seenAt} />
            </>
          }
        />
      ) : (
        <Text
          size="sm"
          c="dimmed"
          component="span"
          style={{ display: 'inline-flex', gap: 8, alignItems: 'center' }}
        >
          <Loader size={14} aria-hidden /> {texts.waiting}
        </Text>
      )}
    </div>
  );
}
