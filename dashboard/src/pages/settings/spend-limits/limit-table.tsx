import { Button, Group, Progress, Stack, Table, Text } from '@mantine/core';
import { IconCircleCheck, IconClock, IconHandStop } from '@tabler/icons-react';
import { api } from '../../../api/client';
import { notifyDone } from '../../../api/notify';
import { useWrite } from '../../../api/queries';
import { ConfirmButton } from '../../../components/confirm';
import { Money } from '../../../components/money';
import { Time } from '../../../components/time';
import { ToneBadge } from '../../../components/tone-badge';
import { formatPercent } from '../../../format';
import { strings } from '../../../strings';
import classes from '../settings.module.css';
import type { SpendLimit } from './types';

const texts = strings.settings.spendLimits;

interface LimitTableProps {
  rows: SpendLimit[];
  onChange: (limit: SpendLimit) => void;
}

/** The limits, with what is spent of each. */
export function LimitTable({ rows, onChange }: LimitTableProps) {
  return (
    <Table className={classes.cards} verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.target}</Table.Th>
          <Table.Th>{texts.period}</Table.Th>
          <Table.Th>{texts.amount}</Table.Th>
          <Table.Th>{texts.spent}</Table.Th>
          <Table.Th>{texts.state}</Table.Th>
          <Table.Th>{texts.anew}</Table.Th>
          <Table.Td />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.spend_limit_id}>
            <Table.Td>
              <Text size="sm" fw={600} dir="auto" style={{ overflowWrap: 'anywhere' }}>
                {nameOf(row)}
              </Text>
            </Table.Td>
            <Table.Td data-label={texts.period}>{texts.periods[row.period]}</Table.Td>
            <Table.Td data-label={texts.amount}>
              <Money amount={row.amount} currency={row.currency} />
            </Table.Td>
            <Table.Td data-label={texts.spent}>
              <Spent row={row} />
            </Table.Td>
            <Table.Td data-label={texts.state}>
              <State row={row} />
            </Table.Td>
            <Table.Td data-label={texts.anew}>
              <Time at={row.begins_anew_at} exact />
            </Table.Td>
            <Table.Td className={classes.actions}>
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <Button size="xs" variant="default" onClick={() => onChange(row)}>
                  {texts.change}
                </Button>
                <Remove row={row} />
              </Group>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

/** What a limit is for, in words. */
export function nameOf({ limit, name }: SpendLimit): string {
  return limit === 'tenant' ? texts.everything : texts.targets[limit](name ?? texts.unnamed);
}

function Spent({ row }: { row: SpendLimit }) {
  const part = Number(row.amount) > 0 ? Math.max(0, Number(row.spent) / Number(row.amount)) : 0;
  const color = part >= 1 ? 'red' : part >= 0.8 ? 'yellow' : 'blue';
  return (
    <Stack gap={4}>
      <Text size="sm" component="span">
        <Money amount={row.spent} currency={row.currency} /> ({formatPercent(part)})
      </Text>
      <Progress value={Math.min(100, part * 100)} color={color} size="sm" aria-label={texts.spent} />
    </Stack>
  );
}

function State({ row }: { row: SpendLimit }) {
  if (!row.in_force) return <ToneBadge tone="neutral" icon={IconClock} label={texts.counting} size="sm" />;
  if (row.reached || Number(row.spent) >= Number(row.amount))
    return <ToneBadge tone="bad" icon={IconHandStop} label={texts.reached} size="sm" />;
  return <ToneBadge tone="good" icon={IconCircleCheck} label={texts.inForce} size="sm" />;
}

function Remove({ row }: { row: SpendLimit }) {
  const remove = useWrite(() => api.delete(`spend-limits/${row.spend_limit_id}`), {
    refresh: ['spend-limits'],
    notify: false,
    onSuccess: () => notifyDone(texts.removed),
  });
  return (
    <ConfirmButton
      size="xs"
      title={texts.removeTitle}
      message={texts.removeText}
      confirm={texts.remove}
      danger
      onConfirm={() => remove.mutateAsync()}
    >
      {texts.remove}
    </ConfirmButton>
  );
}
