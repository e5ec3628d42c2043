import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { type CampaignMapping, fillRow } from '../../../../src/campaigns/domain/mapping';
import type { TemplateContent } from '../../../../src/templates/domain/template-content';
import type { TemplateComponent } from '../../../../src/templates/domain/template-draft';
import { PhonePreview } from '../../preview/phone-preview';
import { messageValues } from '../../../../src/templates/domain/message-values';
import { strings } from '../../strings';
import type { CampaignRow } from './types';

const texts = strings.campaigns.mapping;

interface RowPreviewProps {
  rows: CampaignRow[];
  content: TemplateContent;
  mapping: CampaignMapping;
  components: TemplateComponent[];
  language: string;
  sender: string;
}

/** The message of one of the first rows, as its recipient sees it. */
export function RowPreview({ rows, content, mapping, components, language, sender }: RowPreviewProps) {
  const [position, setPosition] = useState(0);
  const row = rows[position];
  if (!row) return null;
  const filled = fillRow(content, mapping, row.cells);
  return (
    <>
      <Group justify="space-between" mb="xs" maw={360} wrap="nowrap">
        <Text fw={600}>{texts.preview}</Text>
        <Group gap={4} wrap="nowrap">
          <ActionIcon
            variant="default"
            aria-label={texts.previousRow}
            disabled={position === 0}
            onClick={() => setPosition(position - 1)}
          >
            <IconChevronLeft size={16} className="mirrored" aria-hidden />
          </ActionIcon>
          <Text size="sm" className="tabular" aria-live="polite">
            {texts.row(row.row_number)}
          </Text>
          <ActionIcon
            variant="default"
            aria-label={texts.nextRow}
            disabled={position === rows.length - 1}
            onClick={() => setPosition(position + 1)}
          >
            <IconChevronRight size={16} className="mirrored" aria-hidden />
          </ActionIcon>
        </Group>
      </Group>
      <Text size="sm" c="dimmed" mb="xs" dir="auto">
        {texts.to(filled.phone || strings.common.none)}
      </Text>
      <PhonePreview
        components={components}
        values={messageValues(filled.components)}
        language={language}
        sender={sender}
      />
    </>
  );
}
