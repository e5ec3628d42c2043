import { Anchor, Card, Group, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from 'react-router';
import { CategoryBadge } from '../../components/category-badge';
import { QualityBadge } from '../../components/quality-badge';
import { StatusBadge } from '../../components/status-badge';
import { ToneBadge } from '../../components/tone-badge';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { formatDateTime } from '../../format';
import type { TemplateRow } from './types';

const texts = strings.templates;

export function TemplateTable({ rows }: { rows: TemplateRow[] }) {
  return (
    <Table.ScrollContainer minWidth={760}>
      <Table verticalSpacing="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.name}</Table.Th>
            <Table.Th>{texts.language}</Table.Th>
            <Table.Th>{texts.category}</Table.Th>
            <Table.Th>{texts.status}</Table.Th>
            <Table.Th>{texts.quality}</Table.Th>
            <Table.Th>{texts.changed}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.template_id}>
              <Table.Td maw={420}>
                <NameAndText row={row} />
              </Table.Td>
              <Table.Td>{row.language}</Table.Td>
              <Table.Td>
                <Category row={row} />
              </Table.Td>
              <Table.Td>
                <StatusBadge status={row.status} reason={row.status_reason} />
              </Table.Td>
              <Table.Td>
                <QualityBadge quality={row.quality} />
              </Table.Td>
              <Table.Td>
                <Time at={row.status_changed_at} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** The templates as cards, for narrow screens. */
export function TemplateCards({ rows }: { rows: TemplateRow[] }) {
  return (
    <Stack gap="sm">
      {rows.map((row) => (
        <Card key={row.template_id} withBorder padding="sm">
          <NameAndText row={row} />
          <Group gap={6} mt="xs">
            <StatusBadge status={row.status} reason={row.status_reason} size="sm" />
            <QualityBadge quality={row.quality} size="sm" />
            <Category row={row} />
            <Text size="xs" c="dimmed">
              {row.language} · <Time at={row.status_changed_at} />
            </Text>
          </Group>
        </Card>
      ))}
    </Stack>
  );
}

/** The category, and the next one if the provider has announced it. */
function Category({ row: { category, category_change: change } }: { row: TemplateRow }) {
  if (!change) return <CategoryBadge category={category} />;
  return (
    <Group gap={4}>
      <CategoryBadge category={category} />
      <ToneBadge
        tone="warn"
        icon={IconAlertTriangle}
        label={texts.categorySoon(change.category)}
        reason={formatDateTime(change.at)}
        size="sm"
      />
    </Group>
  );
}

function NameAndText({ row }: { row: TemplateRow }) {
  return (
    <>
      <Anchor
        component={Link}
        to={`/templates/${row.template_id}`}
        fw={600}
        style={{ overflowWrap: 'anywhere' }}
      >
        {row.name}
      </Anchor>
      <Text size="sm" c="dimmed" lineClamp={1} dir="auto">
        {row.body}
      </Text>
    </>
  );
}
