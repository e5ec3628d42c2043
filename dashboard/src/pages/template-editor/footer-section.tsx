import { TextInput } from '@mantine/core';
import { LIMITS } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { fieldProps } from './field-props';
import { directionOf } from './languages';
import { Section } from '../../components/section';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;

export function FooterSection({ editor }: { editor: Editor }) {
  const { footer, language } = editor.draft;
  return (
    <Section title={texts.sections.footer} isOptional>
      <TextInput
        label={texts.footer}
        dir={directionOf(language)}
        value={footer}
        onChange={({ currentTarget: { value } }) => editor.update((draft) => ({ ...draft, footer: value }))}
        {...fieldProps(editor, 'footer', { count: { text: footer, max: LIMITS.footer } })}
      />
    </Section>
  );
}
