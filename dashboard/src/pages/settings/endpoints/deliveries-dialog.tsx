import { Modal, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import { useGet } from '../../../api/queries';
import { QueryState } from '../../../components/query-state';
import { Time } from '../../../components/time';
import { ToneBadge } from '../../../components/tone-badge';
import { strings } from '../../../strings';
import classes from '../settings.module.css';
import type { Delivery } from './types';

const texts = strings.settings.endpoints;

interface DeliveriesDialogProps {
  /** Of the endpoint. */
  path: string;
  url: string;
  opened: boolean;
  onClose: () => void;
}

/** The last requests to an endpoint, and what it has answered. */
export function DeliveriesDialog({ path, url, opened, onClose }: DeliveriesDialogProps) {
  const deliveries = useGet<Delivery[]>(`${path}/deliveries`, undefined, { enabled: opened });
  return (
    <Modal opened={opened} onClose={onClose} title={texts.deliveriesOf(url)} size="lg" centered>
      <QueryState query={deliveries}>
        {(rows) =>
          rows.length === 0 ? <Text size="sm">{texts.noDeliveries}</Text> : <Deliveries rows={rows} />
        }
      </QueryState>
    </Modal>
  );
}

function Deliveries({ rows }: { rows: Delivery[] }) {
  return (
    <Table className={classes.cards} verticalSpacing="xs">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{texts.time}</Table.Th>
          <Table.Th>{texts.outcome}</Table.Th>
          <Table.Th>{texts.events}</Table.Th>
          <Table.Th>{texts.duration}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.last_cursor + row.attempted_at}>
            <Table.Td data-label={texts.time}>
              <Time at={row.attempted_at} />
            </Table.Td>
            <Table.Td data-label={texts.outcome}>
              {row.delivered ? (
                <ToneBadge tone="good" icon={IconCircleCheck} label={texts.taken} size="sm" />
              ) : (
                <ToneBadge
                  tone="bad"
                  icon={IconAlertTriangle}
                  label={row.http_status ?? texts.noAnswer}
                  reason={row.error}
                  size="sm"
                />
              )}
            </Table.Td>
            <Table.Td data-label={texts.events}>{row.events}</Table.Td>
            <Table.Td data-label={texts.duration}>{texts.milliseconds(row.duration_ms)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
