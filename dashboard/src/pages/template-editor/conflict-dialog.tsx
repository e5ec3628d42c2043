import { Button, Group, Modal, Text } from '@mantine/core';
import { useWrite } from '../../api/queries';
import { Time } from '../../components/time';
import { strings } from '../../strings';
import type { Editor } from './use-editor';

const { conflict: texts } = strings.templateEditor;

/** Shown when another tab has saved the same draft: the user has to choose a version before anything is saved. */
export function ConflictDialog({ editor }: { editor: Editor }) {
  const { state } = editor;
  const theirs = useWrite(() => editor.takeTheirs());
  return (
    <Modal
      opened={state.kind === 'conflict'}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      centered
      title={texts.title}
    >
      <Text size="sm">{texts.message}</Text>
      {state.kind === 'conflict' && state.savedAt && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.savedAt} <Time at={state.savedAt} />
        </Text>
      )}
      <Group justify="flex-end" mt="lg">
        <Button variant="default" loading={theirs.isPending} onClick={() => theirs.mutate()}>
          {texts.theirs}
        </Button>
        <Button onClick={editor.keepMine} data-autofocus>
          {texts.mine}
        </Button>
      </Group>
    </Modal>
  );
}
