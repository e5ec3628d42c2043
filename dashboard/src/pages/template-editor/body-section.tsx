import { ActionIcon, Button, Text, Textarea, TextInput, Tooltip } from '@mantine/core';
import { IconBold, IconCode, IconItalic, IconPlus, IconStrikethrough } from '@tabler/icons-react';
import { type ChangeEvent, type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { addPlaceholder } from '../../../../src/templates/domain/draft-placeholders';
import { findPlaceholders } from '../../../../src/templates/domain/placeholders';
import { LIMITS } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { nextName, typeBody, variableToDelete } from './body-typing';
import { fieldProps } from './field-props';
import { insertText, toggleMark } from './insert-text';
import { directionOf } from './languages';
import { Section } from '../../components/section';
import classes from './template-editor.module.css';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;
const MARKS = [
  { mark: '*', label: texts.bold, icon: IconBold, key: 'b' },
  { mark: '_', label: texts.italic, icon: IconItalic, key: 'i' },
  { mark: '~', label: texts.strike, icon: IconStrikethrough, key: undefined },
  { mark: '```', label: texts.monospace, icon: IconCode, key: undefined },
];

/** The text with its variables, and a sample for each. */
export function BodySection({ editor }: { editor: Editor }) {
  return (
    <Section title={texts.sections.body}>
      <BodyField editor={editor} />
      <Samples editor={editor} />
    </Section>
  );
}

function BodyField({ editor }: { editor: Editor }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const { body, language } = editor.draft;
  const moveCaret = useCaret(area);
  const change = ({ currentTarget: { value, selectionStart } }: ChangeEvent<HTMLTextAreaElement>) => {
    const typed = typeBody(editor.draft, value, selectionStart);
    if (typed.draft.body !== value) moveCaret(typed.caret);
    editor.update(() => typed.draft);
  };
  return (
    <Textarea
      ref={area}
      label={texts.body}
      required
      autosize
      minRows={5}
      maxRows={18}
      dir={directionOf(language)}
      lang={language.replace('_', '-')}
      value={body}
      onChange={change}
      onKeyDown={press}
      {...fieldProps(editor, 'body', {
        count: { text: body, max: LIMITS.body },
        above: <Toolbar editor={editor} area={area} />,
      })}
    />
  );
}

/** Formats by keyboard shortcuts, and deletes a variable as a whole, as half a variable is of no use. */
function press(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { selectionStart, selectionEnd, value } = event.currentTarget;
  const mark = (event.ctrlKey || event.metaKey) && MARKS.find(({ key }) => key === event.key)?.mark;
  if (mark) {
    event.preventDefault();
    toggleMark(event.currentTarget, mark);
  } else if ((event.key === 'Backspace' || event.key === 'Delete') && selectionStart === selectionEnd) {
    // The key then deletes the selection.
    const variable = variableToDelete(value, selectionStart, event.key);
    if (variable) event.currentTarget.setSelectionRange(variable.start, variable.end);
  }
}

/** Puts the caret in its place when the shown text differs from the typed one; the browser would put it at the end. */
function useCaret(area: RefObject<HTMLTextAreaElement | null>): (caret: number) => void {
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null) area.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return (to) => {
    caret.current = to;
  };
}

function Toolbar({ editor, area }: { editor: Editor; area: RefObject<HTMLTextAreaElement | null> }) {
  const { parameter_format } = editor.draft;
  const add = () => {
    if (!area.current) return;
    const { value, selectionEnd } = area.current;
    const { caret, key } = addPlaceholder(value, selectionEnd);
    const at = caret - `{{${key}}}`.length;
    const name = parameter_format === 'NAMED' ? nextName(value) : key;
    insertText(area.current, { start: at, end: at }, `{{${name}}}`);
  };
  return (
    // Pressing a button must not take the selection from the text.
    <div
      className={classes.toolbar}
      role="toolbar"
      tabIndex={-1}
      aria-label={texts.toolbar}
      onMouseDown={(event) => event.preventDefault()}
    >
      {MARKS.map(({ mark, label, icon: Icon }) => (
        <Tooltip key={mark} label={label}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={label}
            onClick={() => area.current && toggleMark(area.current, mark)}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ))}
      <Button
        variant="light"
        size="compact-sm"
        ms="auto"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={add}
      >
        {texts.addVariable}
      </Button>
    </div>
  );
}

function Samples({ editor }: { editor: Editor }) {
  const { body, body_samples: samples, language } = editor.draft;
  const keys = [...new Set(findPlaceholders(body).map(({ key }) => key))];
  if (keys.length === 0) return null;
  const change = (key: string, value: string) =>
    editor.update((draft) => ({ ...draft, body_samples: { ...draft.body_samples, [key]: value } }));
  return (
    <>
      <Text size="sm" c="dimmed">
        {texts.samplesHint}
      </Text>
      {keys.map((key) => (
        <TextInput
          key={key}
          label={texts.sampleFor(key)}
          placeholder={texts.samplePlaceholder}
          required
          dir={directionOf(language)}
          value={samples[key] ?? ''}
          onChange={({ currentTarget: { value } }) => change(key, value)}
          {...fieldProps(editor, `body_samples.${key}`)}
        />
      ))}
    </>
  );
}
