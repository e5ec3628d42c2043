import { Anchor, Card, Group, Table, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { CategoryBadge } from '../../components/category-badge';
import { QualityBadge } from '../../components/quality-badge';
import { ToneBadge } from '../../components/tone-badge';
import { formatNumber } from '../../format';
import { strings } from '../../strings';
import { rateText } from './rate-text';
import { Meaning } from './totals';
import type { TemplateFigures } from './types';

const texts = strings.overview;

/** The figures of each template; templates that the provider may pause come first. */
export function TemplateFiguresTable({ templates }: { templates: TemplateFigures[] }) {
  const sorted = templates.toSorted((a, b) => b.warnings.length - a.warnings.length);
  return (
    <Card withBorder component="section" aria-label={texts.templates}>
      <Title order={2} mb="sm">
        {texts.templates}
      </Title>
      <Table.ScrollContainer minWidth={960}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{texts.template}</Table.Th>
              <Table.Th>{texts.quality}</Table.Th>
              <FigureHeading>{texts.kinds.sent}</FigureHeading>
              <FigureHeading>{texts.kinds.delivered}</FigureHeading>
              <FigureHeading meaning={texts.readMeaning}>{texts.readRate}</FigureHeading>
              <FigureHeading meaning={texts.failureMeaning}>{texts.failureRate}</FigureHeading>
              <FigureHeading meaning={texts.optOutMeaning}>{texts.optOutRate}</FigureHeading>
              <FigureHeading meaning={texts.capMeaning}>{texts.capRate}</FigureHeading>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {sorted.map((template) => (
              <Row key={template.template_id} template={template} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Card>
  );
}

function Row({ template }: { template: TemplateFigures }) {
  const { warnings } = template;
  return (
    <Table.Tr>
      <Table.Td maw={360}>
        <Group gap="xs">
          <Anchor
            component={Link}
            to={`/templates/${template.template_id}`}
            fw={600}
            style={{ overflowWrap: 'anywhere' }}
          >
            {template.name}
          </Anchor>
          <CategoryBadge category={template.category} />
        </Group>
        <Text size="xs" c="dimmed">
          {template.language}
        </Text>
        {warnings.map((warning) => (
          <Text key={warning} size="xs" mt={2}>
            {texts.warnings[warning]}
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <Group gap={6}>
          <QualityBadge quality={template.quality} size="sm" />
          {warnings.length > 0 && (
            <ToneBadge
              tone={warnings.includes('quality_low') ? 'bad' : 'warn'}
              icon={IconAlertTriangle}
              label={texts.warning}
              size="sm"
            />
          )}
        </Group>
      </Table.Td>
      <Figure>{formatNumber(template.sent)}</Figure>
      <Figure>{formatNumber(template.delivered)}</Figure>
      <Figure>{rateText(template.read_rate)}</Figure>
      <Figure>{rateText(template.failure_rate)}</Figure>
      <Figure>{rateText(template.opt_out_rate)}</Figure>
      <Figure>{rateText(template.cap_rate)}</Figure>
    </Table.Tr>
  );
}

function FigureHeading({ meaning, children }: { meaning?: string; children: string }) {
  return (
    <Table.Th>
      <Group gap={4} justify="flex-end" wrap="nowrap">
        {children}
        {meaning && <Meaning text={meaning} />}
      </Group>
    </Table.Th>
  );
}

function Figure({ children }: { children: ReactNode }) {
  return (
    <Table.Td ta="end" className="tabular">
      {children}
    </Table.Td>
  );
}
