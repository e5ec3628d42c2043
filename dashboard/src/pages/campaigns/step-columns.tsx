import { Button, Grid, Group, Stack, Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useEffectEvent, useState } from 'react';
import { type CampaignMapping, mappingFaults, slotsOf } from '../../../../src/campaigns/domain/mapping';
import type { TemplateContent } from '../../../../src/templates/domain/template-content';
import { useGet } from '../../api/queries';
import { QueryState } from '../../components/query-state';
import { strings } from '../../strings';
import { guessMapping } from './guess-mapping';
import { RowPreview } from './row-preview';
import { SlotField } from './slot-field';
import { contentOf } from './template-content';
import type { CampaignDetail, CampaignRow } from './types';
import type { useDraft } from './use-draft';

const texts = strings.campaigns.mapping;

/** Milliseconds after the last change before it is saved. */
const SAVE_DELAY = 600;

/** Rows that can be previewed. */
const PREVIEWED = 10;

interface StepColumnsProps {
  campaign: CampaignDetail;
  save: ReturnType<typeof useDraft>;
  onDone: () => void;
}

/** Which column or text fills which part of the message. */
export function StepColumns({ campaign, save, onDone }: StepColumnsProps) {
  const rows = useGet<CampaignRow[]>(`campaigns/${campaign.campaign_id}/rows`, { limit: PREVIEWED });
  const content = contentOf(campaign.template);
  if (!content) return null;
  return (
    <QueryState query={rows}>
      {(data) => <Mapping campaign={campaign} content={content} rows={data} save={save} onDone={onDone} />}
    </QueryState>
  );
}

interface MappingProps extends StepColumnsProps {
  content: TemplateContent;
  rows: CampaignRow[];
}

function Mapping({ campaign, content, rows, save, onDone }: MappingProps) {
  const columns = campaign.file?.columns ?? [];
  const isNew = Object.keys(campaign.mapping).length === 0;
  const [mapping, setMapping] = useState<CampaignMapping>(
    isNew ? guessMapping(content, columns, rows[0]?.cells ?? []) : campaign.mapping,
  );
  const [isTried, setTried] = useState(false);
  // The guess is saved once, so that the draft is the same as what is shown.
  const saveGuess = useEffectEvent(() => {
    if (isNew) void save({ mapping });
  });
  useEffect(() => saveGuess(), []);
  const faults = new Map(mappingFaults(content, mapping, columns).map(({ key, message }) => [key, message]));
  const slots = slotsOf(content);
  const saveSoon = useDebouncedCallback(
    (changed: CampaignMapping) => void save({ mapping: changed }),
    SAVE_DELAY,
  );
  const submit = async () => {
    setTried(true);
    saveSoon.cancel();
    if (faults.size === 0 && (await save({ mapping }))) onDone();
  };
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Stack>
          {slots.length === 1 && <Text c="dimmed">{texts.nothingToFill}</Text>}
          {slots.map((slot) => (
            <SlotField
              key={slot.key}
              slot={slot}
              content={content}
              columns={columns}
              example={rows[0]?.cells ?? []}
              source={mapping[slot.key]}
              error={isTried ? faults.get(slot.key) : undefined}
              onChange={(source) => {
                const { [slot.key]: _old, ...rest } = mapping;
                const changed = source ? { ...rest, [slot.key]: source } : rest;
                setMapping(changed);
                saveSoon(changed);
              }}
            />
          ))}
          <Group justify="flex-end">
            <Button onClick={() => void submit()}>{strings.campaigns.steps.next}</Button>
          </Group>
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <RowPreview
          rows={rows}
          content={content}
          mapping={mapping}
          components={campaign.template.components ?? []}
          language={campaign.template.language}
          sender={campaign.account_name}
        />
      </Grid.Col>
    </Grid>
  );
}
