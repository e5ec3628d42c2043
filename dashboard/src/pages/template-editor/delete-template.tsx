import { Alert, Button, Checkbox, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../../api/client';
import { notifyDone } from '../../api/notify';
import { useWrite } from '../../api/queries';
import { Can } from '../../components/can';
import { DialogActions } from '../../components/dialog-actions';
import { strings } from '../../strings';

const { remove: texts } = strings.templateEditor;

interface DeleteTemplateProps {
  template: {
    template_id: number;
    name: string;
    /** All languages of its name, if they are known. */
    languages?: string[];
  };
}

/** A button that deletes a template after its name was typed, and then goes to the list. */
export function DeleteTemplate({ template }: DeleteTemplateProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Can role="editor">
        <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={open}>
          {texts.open}
        </Button>
      </Can>
      <Modal
        opened={isOpen}
        onClose={close}
        title={texts.title}
        centered
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <Confirmation template={template} onClose={close} />
      </Modal>
    </>
  );
}

function Confirmation({ template, onClose }: DeleteTemplateProps & { onClose: () => void }) {
  const { template_id, name, languages = [] } = template;
  const [typed, setTyped] = useState('');
  const [isAll, setAll] = useState(false);
  const navigate = useNavigate();
  const action = useWrite(
    () => api.delete(`templates/${template_id}`, undefined, { query: { all_languages: isAll || null } }),
    {
      refresh: ['templates'],
      notify: false,
      onSuccess: () => {
        notifyDone(texts.done(name));
        void navigate('/templates');
      },
    },
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed.trim() === name) action.mutate();
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{texts.message}</Text>
        <Text size="sm" c="dimmed">
          {texts.reserved}
        </Text>
        {languages.length > 1 && (
          <Checkbox
            label={texts.all(languages.length)}
            checked={isAll}
            onChange={({ currentTarget: { checked } }) => setAll(checked)}
          />
        )}
        <TextInput
          label={texts.typeName(name)}
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
          autoComplete="off"
          spellCheck={false}
          dir="ltr"
          data-autofocus
        />
        {action.error && (
          <Alert color="red" role="alert">
            {action.error.message}
          </Alert>
        )}
        <DialogActions onCancel={onClose}>
          <Button type="submit" color="red.9" loading={action.isPending} disabled={typed.trim() !== name}>
            {texts.confirm}
          </Button>
        </DialogActions>
      </Stack>
    </form>
  );
}
