import { Alert, Button, Modal, Stack, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { draftFaultText } from '../../../../src/templates/domain/draft-faults';
import { findPlaceholders } from '../../../../src/templates/domain/placeholders';
import { durationText, lifeOf } from '../../../../src/templates/domain/time-to-live';
import { api } from '../../api/client';
import { toFault } from '../../api/fault';
import { notifyDone } from '../../api/notify';
import { queryKey, useWrite } from '../../api/queries';
import { DialogActions } from '../../components/dialog-actions';
import { strings } from '../../strings';
import { focusField } from './field-props';
import { languages } from './languages';
import type { SubmittedTemplate, TemplateDraft } from './types';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;
const { summary } = texts;

interface SubmitDialogProps {
  editor: Editor;
  draftKey: string;
  opened: boolean;
  onClose: () => void;
}

/** Shows again what will be submitted, and submits it. */
export function SubmitDialog({ editor, draftKey, opened, onClose }: SubmitDialogProps) {
  const action = useSubmit(editor, draftKey, onClose);
  const { isEdit, draft, warnings } = editor;
  return (
    <Modal
      opened={opened}
      onClose={() => !action.isPending && onClose()}
      title={isEdit ? summary.titleEdit : summary.title}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <Stack gap="md">
        <Text size="sm">{isEdit ? summary.messageEdit : summary.message}</Text>
        <Summary draft={draft} />
        {warnings.length > 0 && (
          <Alert color="yellow" title={summary.warnings} icon={<IconAlertTriangle size={18} aria-hidden />}>
            {warnings.map((warning) => (
              <Text key={`${warning.field} ${warning.code}`} size="sm">
                {draftFaultText(warning)}
              </Text>
            ))}
          </Alert>
        )}
        <DialogActions onCancel={onClose} dismiss={summary.back} isHeld={action.isPending}>
          <Button loading={action.isPending} onClick={() => action.mutate()} data-autofocus>
            {isEdit ? texts.submitChanges : texts.submit}
          </Button>
        </DialogActions>
      </Stack>
    </Modal>
  );
}

function useSubmit(editor: Editor, draftKey: string, onClose: () => void) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { saver, content, isEdit, start } = editor;
  return useWrite(
    async () => {
      editor.refuse(null);
      await saver.stop(); // a save under way would bring the draft back
      const path = isEdit ? `templates/${start.template?.template_id}` : 'templates';
      const { draft, business_account_id } = content;
      const body = { draft, draft_key: draftKey };
      try {
        return await (isEdit
          ? api.patch<SubmittedTemplate>(path, body)
          : api.post<SubmittedTemplate>(path, { ...body, business_account_id }));
      } catch (error) {
        const fault = toFault(error);
        saver.resume();
        editor.refuse(fault);
        onClose();
        setTimeout(() => focusField(fault.details[0]?.field ?? '')); // the dialog gives the focus back first
        throw error;
      }
    },
    {
      refresh: ['templates'],
      notify: false,
      onSuccess: ({ template_id, name }) => {
        saver.forget();
        void queryClient.removeQueries({ queryKey: queryKey('template-drafts') });
        notifyDone(template_id === null ? texts.submittedUnread : texts.submitted(name));
        void navigate(template_id === null ? '/templates' : `/templates/${template_id}`);
      },
    },
  );
}

function Summary({ draft }: { draft: TemplateDraft }) {
  const { name, language, category, header, body, buttons } = draft;
  const isCode = category === 'AUTHENTICATION';
  const variables = new Set(findPlaceholders(body).map(({ key }) => key)).size;
  const rows: [string, string][] = [
    [texts.name, name],
    [texts.language, languages(language).find(({ value }) => value === language)?.label ?? language],
    [texts.category, texts.categories[category].label],
    ...(isCode
      ? []
      : ([
          [summary.header, texts.headerKinds[header.kind]],
          [summary.variables, String(variables || summary.none)],
          [summary.buttons, buttons.map(({ type }) => texts.buttonTypes[type]).join(', ') || summary.none],
        ] satisfies [string, string][])),
    [texts.timeToLive.title, durationText(lifeOf(draft))],
  ];
  return (
    <Table variant="vertical" withTableBorder layout="auto">
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th scope="row">{label}</Table.Th>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
