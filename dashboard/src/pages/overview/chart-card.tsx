import { Button, Card, Group, Table, Text, Title } from '@mantine/core';
import { IconChartBar, IconTable } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatClock, formatDay } from '../../format';
import { strings } from '../../strings';

const texts = strings.overview;

interface ChartCardProps {
  title: string;
  note: ReactNode;
  chart: ReactNode;
  /** The columns of the same figures, for users who do not see a chart; each row begins with its point in time. */
  columns: string[];
  rows: [point: string, ...cells: ReactNode[]][];
}

/** A chart, and the table of its figures. */
export function ChartCard({ title, note, chart, columns, rows }: ChartCardProps) {
  const [isTable, setTable] = useState(false);
  const Icon = isTable ? IconChartBar : IconTable;
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between" align="flex-start" mb="md" gap="xs">
        <div>
          <Title order={2}>{title}</Title>
          <Text size="sm" c="dimmed" component="div">
            {note}
          </Text>
        </div>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon size={14} aria-hidden />}
          onClick={() => setTable(!isTable)}
        >
          {isTable ? texts.noTable : texts.table}
        </Button>
      </Group>
      {isTable ? <Figures title={title} columns={columns} rows={rows} /> : <div aria-hidden>{chart}</div>}
    </Card>
  );
}

function Figures({ title, columns, rows }: Pick<ChartCardProps, 'title' | 'columns' | 'rows'>) {
  return (
    <Table.ScrollContainer minWidth={420} mah={360} tabIndex={0} aria-label={title}>
      <Table stickyHeader>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.time}</Table.Th>
            {columns.map((column) => (
              <Table.Th key={column} ta="end">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([point, ...cells]) => (
            <Table.Tr key={point}>
              <Table.Td>{pointLabel(point)}</Table.Td>
              {cells.map((cell, i) => (
                <Table.Td key={columns[i]} ta="end" className="tabular">
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** An hour as its time of day, a day as its date. */
export function pointLabel(point: string): string {
  return point.includes('T') ? formatClock(point) : formatDay(point);
}
