import { Button, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAlertTriangle, IconCheck, IconCloud, IconLoader } from '@tabler/icons-react';
import { ConfirmButton } from '../../components/confirm';
import { Time } from '../../components/time';
import { notifyDone } from '../../api/notify';
import { strings } from '../../strings';
import type { SaveState } from './draft-saver';
import { focusField } from './field-props';
import { SubmitDialog } from './submit-dialog';
import classes from './template-editor.module.css';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;

/** Shows whether the draft is saved, and its buttons; always in sight. */
export function ActionBar({ editor, draftKey }: { editor: Editor; draftKey: string }) {
  const [isSubmitting, submitting] = useDisclosure(false);
  const { errors } = editor;
  const submit = () => {
    editor.touchAll();
    if (errors.length === 0) return submitting.open();
    // The fields show their faults with the next rendering.
    requestAnimationFrame(() => focusField(errors[0]?.field ?? ''));
  };
  const isTried = errors.some(({ field }) => editor.errorAt(field) !== undefined);
  return (
    <Group className={classes.actions} justify="space-between" gap="xs">
      <div>
        <SaveStateText state={editor.state} resumedFrom={editor.resumedFrom} />
        {isTried && (
          <Text size="xs" c="var(--mantine-color-error)">
            {texts.toFix(errors.length)}
          </Text>
        )}
      </div>
      <Group gap="xs" wrap="nowrap">
        {editor.state.kind !== 'new' && <DiscardButton editor={editor} />}
        <Button onClick={submit} px={{ base: 'sm', sm: 'lg' }}>
          {editor.isEdit ? texts.submitChanges : texts.submit}
        </Button>
      </Group>
      <SubmitDialog editor={editor} draftKey={draftKey} opened={isSubmitting} onClose={submitting.close} />
    </Group>
  );
}

function DiscardButton({ editor }: { editor: Editor }) {
  return (
    <ConfirmButton
      title={texts.discardTitle}
      message={editor.isEdit ? texts.discardEditMessage : texts.discardMessage}
      confirm={texts.discard}
      px={{ base: 'sm', sm: 'lg' }}
      danger
      onConfirm={async () => {
        await editor.discard();
        notifyDone(texts.discarded);
      }}
    >
      {texts.discard}
    </ConfirmButton>
  );
}

function SaveStateText({ state, resumedFrom }: { state: SaveState; resumedFrom: string | null }) {
  const { saving } = texts;
  if (state.kind === 'failed') {
    return (
      <Text size="sm" role="alert" c="var(--mantine-color-error)">
        <IconAlertTriangle size={14} aria-hidden /> {saving.failed(state.reason)} {saving.keptHere}
      </Text>
    );
  }
  const kind = state.kind === 'conflict' ? 'saving' : state.kind;
  const Icon = { new: IconCloud, saving: IconLoader, saved: IconCheck }[kind];
  return (
    <Text size="sm" c="dimmed" role="status">
      <Icon size={14} aria-hidden /> {saving[kind]}
      {state.kind === 'saved' && resumedFrom !== null && (
        <>
          {' · '}
          {texts.resumed} <Time at={resumedFrom} />
        </>
      )}
    </Text>
  );
}
