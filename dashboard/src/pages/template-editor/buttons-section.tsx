import { ActionIcon, Alert, Button, Group, Menu, Paper, Stack, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconExternalLink,
  IconPhone,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type DraftButton, LIMITS } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { ButtonFields } from './button-fields';
import { fieldId } from './field-props';
import { Section } from '../../components/section';
import classes from './template-editor.module.css';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;
const ICONS = {
  quick_reply: IconArrowBackUp,
  url: IconExternalLink,
  phone_number: IconPhone,
  copy_code: IconCopy,
};
const TYPES = Object.keys(ICONS) as DraftButton['type'][];
const EMPTY: { [Type in DraftButton['type']]: Extract<DraftButton, { type: Type }> } = {
  quick_reply: { type: 'quick_reply', text: '' },
  url: { type: 'url', text: '', url: '', sample: '' },
  phone_number: { type: 'phone_number', text: '', phone_number: '' },
  copy_code: { type: 'copy_code', sample: '' },
};

/** The buttons that recipients can tap. */
export function ButtonsSection({ editor }: { editor: Editor }) {
  const { buttons } = editor.draft;
  const change = (by: (buttons: DraftButton[]) => DraftButton[]) =>
    editor.update((draft) => ({ ...draft, buttons: by(draft.buttons) }));
  const error = editor.errorAt('buttons');
  return (
    <Section title={texts.sections.buttons} isOptional>
      {buttons.length === 0 && (
        <Text size="sm" c="dimmed">
          {texts.noButtons}
        </Text>
      )}
      {error && <Alert color="red" role="alert" title={error} />}
      {buttons.map((button, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a button is its place: it has no other identity
        <ButtonCard key={at} editor={editor} button={button} at={at} change={change} />
      ))}
      <AddButton buttons={buttons} onAdd={(type) => change((before) => [...before, EMPTY[type]])} />
    </Section>
  );
}

interface ButtonCardProps {
  editor: Editor;
  button: DraftButton;
  at: number;
  change: (by: (buttons: DraftButton[]) => DraftButton[]) => void;
}

function ButtonCard({ editor, button, at, change }: ButtonCardProps) {
  const name = texts.button(at + 1, texts.buttonTypes[button.type]);
  const error = editor.errorAt(`buttons[${at}]`);
  return (
    <Paper withBorder p="sm" role="group" aria-label={name} id={fieldId(`buttons[${at}]`)} tabIndex={-1}>
      <CardHeader editor={editor} button={button} at={at} change={change} name={name} />
      <Stack gap="sm">
        <ButtonFields
          editor={editor}
          button={button}
          path={`buttons[${at}]`}
          onChange={(changed) => change((before) => before.map((one, i) => (i === at ? changed : one)))}
        />
        {error && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {error}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** The title of a button, with controls that move or remove it. */
function CardHeader({ editor, button, at, change, name }: ButtonCardProps & { name: string }) {
  const Icon = ICONS[button.type];
  const last = editor.draft.buttons.length - 1;
  const move = (by: -1 | 1) => {
    change((before) => swapped(before, at, at + by));
    // The control keeps the focus, so that the button can be moved on. At an end it can only be moved back.
    const isAtEnd = at + by === (by === 1 ? last : 0);
    requestAnimationFrame(() => document.getElementById(moveId(at + by, isAtEnd ? -by : by))?.focus());
  };
  return (
    <Group justify="space-between" wrap="nowrap" mb="xs">
      <Group gap="xs" wrap="nowrap">
        <Icon size={18} aria-hidden />
        <Text size="sm" fw={600}>
          {texts.buttonTypes[button.type]}
        </Text>
      </Group>
      <Group gap={2} wrap="nowrap">
        <MoveButton
          id={moveId(at, -1)}
          label={texts.moveUp(name)}
          isDisabled={at === 0}
          onClick={() => move(-1)}
        >
          <IconArrowUp size={16} aria-hidden />
        </MoveButton>
        <MoveButton
          id={moveId(at, 1)}
          label={texts.moveDown(name)}
          isDisabled={at === last}
          onClick={() => move(1)}
        >
          <IconArrowDown size={16} aria-hidden />
        </MoveButton>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={texts.removeButton(name)}
          onClick={() => change((before) => before.filter((_, i) => i !== at))}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </Group>
  );
}

const moveId = (at: number, by: number) => `move-${at}-${by === 1 ? 'down' : 'up'}`;

interface MoveButtonProps {
  id: string;
  label: string;
  isDisabled: boolean;
  onClick: () => void;
  children: React.ReactNode;
}

function MoveButton({ id, label, isDisabled, onClick, children }: MoveButtonProps) {
  return (
    <ActionIcon
      id={id}
      variant="subtle"
      color="gray"
      className={classes.move}
      aria-label={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  );
}

function AddButton({
  buttons,
  onAdd,
}: {
  buttons: DraftButton[];
  onAdd: (type: DraftButton['type']) => void;
}) {
  const isFull = (type: DraftButton['type']) =>
    buttons.filter((button) => button.type === type).length >= LIMITS.buttonsOfType[type];
  return (
    <Menu position="bottom-start" shadow="md">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          disabled={buttons.length >= LIMITS.buttons}
          style={{ alignSelf: 'flex-start' }}
        >
          {texts.addButton}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TYPES.map((type) => {
          const Icon = ICONS[type];
          return (
            <Menu.Item
              key={type}
              leftSection={<Icon size={16} aria-hidden />}
              disabled={isFull(type)}
              rightSection={
                isFull(type) && (
                  <Text size="xs" c="dimmed">
                    {texts.buttonTypeFull(LIMITS.buttonsOfType[type])}
                  </Text>
                )
              }
              onClick={() => onAdd(type)}
            >
              {texts.buttonTypes[type]}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}

function swapped(buttons: DraftButton[], one: number, other: number): DraftButton[] {
  return buttons.map((button, i) => buttons[i === one ? other : i === other ? one : i] ?? button);
}
