import { Button, Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { addPlaceholder } from '../../../../src/templates/domain/draft-placeholders';
import { findPlaceholders } from '../../../../src/templates/domain/placeholders';
import {
  type DraftHeader,
  HEADER_KINDS,
  isMediaKind,
  LIMITS,
} from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { nextName } from './body-typing';
import { fieldProps } from './field-props';
import { insertText } from './insert-text';
import { directionOf } from './languages';
import { SampleUpload } from './sample-upload';
import { Section } from '../../components/section';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;
const KINDS = HEADER_KINDS.map((value) => ({ value, label: texts.headerKinds[value] }));

/** The header above the text: none, a line, a medium or a location. */
export function HeaderSection({ editor }: { editor: Editor }) {
  const { kind } = editor.draft.header;
  return (
    <Section title={texts.sections.header} isOptional>
      <KindField editor={editor} />
      {kind === 'text' && <HeaderText editor={editor} />}
      {/* Another kind needs another file, so nothing of the former upload may stay. */}
      {isMediaKind(kind) && <SampleUpload key={kind} kind={kind} editor={editor} />}
      {kind === 'location' && (
        <Text size="sm" c="dimmed">
          {texts.locationHint}
        </Text>
      )}
    </Section>
  );
}

function KindField({ editor }: { editor: Editor }) {
  const isNarrow = useMediaQuery('(max-width: 40em)');
  const { kind } = editor.draft.header;
  const change = (value: string | null) => {
    if (value === null || value === kind) return;
    editor.setLocalFile(null);
    editor.updateHeader({
      kind: value as DraftHeader['kind'],
      media_handle: null,
      media_url: null,
      file_name: null,
    });
  };
  if (isNarrow) {
    return (
      <Select
        label={texts.headerKind}
        data={KINDS}
        value={kind}
        onChange={change}
        allowDeselect={false}
        {...fieldProps(editor, 'header')}
      />
    );
  }
  return (
    <SegmentedControl aria-label={texts.headerKind} data={KINDS} value={kind} onChange={change} fullWidth />
  );
}

function HeaderText({ editor }: { editor: Editor }) {
  const input = useRef<HTMLInputElement>(null);
  const { header, language, parameter_format } = editor.draft;
  const variable = findPlaceholders(header.text)[0];
  const dir = directionOf(language);
  const add = () => {
    if (!input.current) return;
    const place = input.current.selectionStart ?? header.text.length;
    const { caret, key } = addPlaceholder(header.text, place);
    const name = parameter_format === 'NAMED' ? nextName(header.text) : key;
    const at = caret - `{{${key}}}`.length;
    insertText(input.current, { start: at, end: at }, `{{${name}}}`);
  };
  return (
    <>
      <TextInput
        ref={input}
        label={texts.headerText}
        required
        dir={dir}
        value={header.text}
        onChange={({ currentTarget: { value } }) => editor.updateHeader({ text: value })}
        {...fieldProps(editor, 'header.text', { count: { text: header.text, max: LIMITS.header } })}
      />
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={variable !== undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={add}
        >
          {texts.addVariable}
        </Button>
      </Group>
      {variable && (
        <TextInput
          label={texts.headerSample}
          placeholder={texts.samplePlaceholder}
          required
          dir={dir}
          value={header.text_sample}
          onChange={({ currentTarget: { value } }) => editor.updateHeader({ text_sample: value })}
          {...fieldProps(editor, 'header.text_sample')}
        />
      )}
    </>
  );
}
