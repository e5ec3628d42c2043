import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from 'react-router';
import { api } from '../../api/client';
import { useGet, useWrite } from '../../api/queries';
import { useUser } from '../../api/session';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import { clearBackup } from './draft-backup';
import type { UnfinishedDraft } from './types';

const { unfinished: texts } = strings.templateEditor;
const SHOWN = 5;

/** Offers to go on with drafts that were not submitted. */
export function UnfinishedDrafts() {
  const { data: drafts = [] } = useGet<UnfinishedDraft[]>('template-drafts');
  if (drafts.length === 0) return null;
  return (
    <Alert
      variant="default"
      title={texts.title(drafts.length)}
      icon={<IconPencil size={18} aria-hidden />}
      styles={{ body: { minWidth: 0 } }} // a long name must not push the buttons out
    >
      <Stack gap={6}>
        {drafts.slice(0, SHOWN).map((draft) => (
          <Unfinished key={draft.key} draft={draft} />
        ))}
      </Stack>
    </Alert>
  );
}

function Unfinished({ draft }: { draft: UnfinishedDraft }) {
  const { key, template_id, language, saved_at } = draft;
  const { user_id } = useUser();
  const name = draft.name || texts.unnamed;
  const discard = useWrite(() => api.delete(`template-drafts/${key}`), {
    refresh: ['template-drafts'],
    onSuccess: () => clearBackup(user_id, key),
  });
  return (
    <Group gap="xs" justify="space-between" wrap="nowrap">
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {language && `${language} · `}
          {template_id !== null && `${texts.edit} · `}
          <Time at={saved_at} />
        </Text>
      </div>
      <Group gap={4} wrap="nowrap">
        <Button
          component={Link}
          to={template_id === null ? `/templates/new?draft=${key}` : `/templates/${template_id}/edit`}
          size="compact-sm"
          variant="light"
          aria-label={texts.resume(name)}
        >
          {texts.resumeLabel}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          loading={discard.isPending}
          aria-label={texts.discard(name)}
          onClick={() => discard.mutate()}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}
