import { Anchor, Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { durationText, lifeOf } from '../../../../src/templates/domain/time-to-live';
import { Fact } from '../../components/fact';
import { CopyText } from '../../components/copy-button';
import { StatusBadge } from '../../components/status-badge';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import type { BusinessAccount, TemplateDetail } from './types';

const texts = strings.templates;

/** The facts about a template beside its content. */
export function Facts({
  template,
  account,
}: {
  template: TemplateDetail;
  account: BusinessAccount | undefined;
}) {
  return (
    <Stack gap="sm" component="dl" m={0}>
      <Fact name={texts.providerId}>
        <CopyText value={template.provider_template_id} label={texts.providerId} />
      </Fact>
      {template.provider_status !== template.status && (
        <Fact name={texts.providerStatus}>{template.provider_status}</Fact>
      )}
      <Fact name={texts.format}>{texts.formats[template.parameter_format] ?? template.parameter_format}</Fact>
      <Fact name={texts.timeToLive}>{durationText(lifeOf(template))}</Fact>
      {account && (
        <>
          <Fact name={texts.businessAccount}>
            <CopyText value={account.waba_id} label={texts.businessAccount} />
          </Fact>
          <Fact name={texts.numbers}>
            {account.numbers.map(({ name, phone }) => `${name} (+${phone})`).join(', ') || texts.noNumbers}
          </Fact>
        </>
      )}
      <Fact name={texts.created}>
        <Time at={template.created_at} exact />
      </Fact>
      {template.translations.length > 0 && (
        <Fact name={texts.otherLanguages}>
          <Group gap="sm">
            {template.translations.map(({ template_id, language, status }) => (
              <Group key={template_id} gap={6}>
                <Anchor component={Link} to={`/templates/${template_id}`} size="sm">
                  {language}
                </Anchor>
                <StatusBadge status={status} size="sm" />
              </Group>
            ))}
          </Group>
        </Fact>
      )}
    </Stack>
  );
}
