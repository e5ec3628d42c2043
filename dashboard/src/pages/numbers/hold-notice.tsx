import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { queryKey } from '../../api/queries';
import { useCan } from '../../api/session';
import { ConfirmButton } from '../../components/confirm';
import { Time } from '../../components/time';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import type { Hold } from './types';

const texts = strings.numbers.holds;

/** Says what is on hold, why, since when and until when. */
export function HoldNotice({ hold }: { hold: Hold }) {
  const { error, cause, template, held } = hold;
  const isMissing = cause === 'template_missing';
  const isRestored = cause === 'restored';
  const mayLift = useCan('editor');
  const queryClient = useQueryClient();
  const lift = async () => {
    await api.post(`numbers/holds/${hold.hold_id}/lift`);
    notifyDone(texts.lifted);
    await queryClient.invalidateQueries({ queryKey: queryKey('numbers') });
  };
  return (
    <Alert color="yellow" icon={<IconPlayerPause aria-hidden />} title={holdTitle(hold)} role="status">
      <Stack gap={6}>
        <Text size="sm">{texts.causes[cause] ?? texts.otherCause}</Text>
        {!isRestored && (
          <Text size="sm">
            {isMissing ? texts.missing(error.title) : texts.provider(error.title, error.code)}
          </Text>
        )}
        <Text size="sm" component="div">
          {held > 0 && `${texts.held(formatNumber(held))} `}
          {texts.since} <Time at={hold.created_at} />.{' '}
          {hold.next_probe_at ? (
            <>
              {texts.nextProbe}: <Time at={hold.next_probe_at} />. {texts.nothingLost}
            </>
          ) : (
            waitsUntil(cause)
          )}
        </Text>
        <Group gap="sm" mt={4}>
          {mayLift && (
            <ConfirmButton
              size="compact-sm"
              leftSection={<IconPlayerPlay size={14} aria-hidden />}
              title={texts.liftTitle}
              message={liftText(hold)}
              confirm={texts.lift}
              onConfirm={lift}
            >
              {texts.lift}
            </ConfirmButton>
          )}
          {template && (
            <Anchor
              component={Link}
              to={`/templates/${template.template_id}`}
              size="sm"
              c="inherit"
              underline="always"
            >
              {template.name}
            </Anchor>
          )}
        </Group>
      </Stack>
    </Alert>
  );
}

/** What ends a hold that is not probed. */
function waitsUntil(cause: string): string {
  if (cause === 'template_missing') return texts.untilThere;
  return cause === 'restored' ? texts.untilDecided : texts.noProbe;
}

function liftText({ cause, next_probe_at: nextProbe }: Hold): string {
  if (cause === 'restored') return texts.liftTextRestored;
  return nextProbe ? texts.liftText : texts.liftTextNoProbe;
}

/** The hold in one line. */
export function holdTitle({ scope, number, template }: Hold): string {
  if (scope === 'number' && number) return texts.number(number.name);
  if (scope === 'template' && template) return texts.template(template.name, template.language);
  return scope === 'restore' ? texts.restore : texts.businessAccount;
}
