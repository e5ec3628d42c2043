import { TextInput } from '@mantine/core';
import { urlVariable } from '../../../../src/templates/domain/draft-button-rules';
import { type DraftButton, LIMITS } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { fieldProps } from './field-props';
import { directionOf } from './languages';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;

interface ButtonFieldsProps<Button extends DraftButton = DraftButton> {
  editor: Editor;
  button: Button;
  /** The path of the button in the draft. */
  path: string;
  onChange: (button: DraftButton) => void;
}

/** The fields of a button, by its type. */
export function ButtonFields(props: ButtonFieldsProps) {
  const { editor, button, path, onChange } = props;
  if (button.type === 'copy_code') {
    return (
      <TextInput
        label={texts.buttonCode}
        required
        dir="ltr"
        value={button.sample}
        onChange={({ currentTarget: { value } }) => onChange({ ...button, sample: value })}
        {...fieldProps(editor, `${path}.sample`)}
      />
    );
  }
  return (
    <>
      <TextInput
        label={texts.buttonText}
        required
        dir={directionOf(editor.draft.language)}
        value={button.text}
        onChange={({ currentTarget: { value } }) => onChange({ ...button, text: value })}
        {...fieldProps(editor, `${path}.text`, { count: { text: button.text, max: LIMITS.label } })}
      />
      {button.type === 'url' && <UrlFields {...props} button={button} />}
      {button.type === 'phone_number' && (
        <TextInput
          label={texts.buttonPhone}
          placeholder={texts.buttonPhonePlaceholder}
          required
          type="tel"
          dir="ltr"
          value={button.phone_number}
          onChange={({ currentTarget: { value } }) => onChange({ ...button, phone_number: value })}
          {...fieldProps(editor, `${path}.phone_number`)}
        />
      )}
    </>
  );
}

function UrlFields({
  editor,
  button,
  path,
  onChange,
}: ButtonFieldsProps<Extract<DraftButton, { type: 'url' }>>) {
  return (
    <>
      <TextInput
        label={texts.buttonUrl}
        description={texts.buttonUrlHint}
        placeholder="https://"
        required
        inputMode="url"
        spellCheck={false}
        dir="ltr"
        value={button.url}
        onChange={({ currentTarget: { value } }) => onChange({ ...button, url: value })}
        {...fieldProps(editor, `${path}.url`, { count: { text: button.url, max: LIMITS.url } })}
      />
      {urlVariable(button.url.trim()) && (
        <TextInput
          label={texts.buttonUrlSample}
          required
          dir="ltr"
          value={button.sample}
          onChange={({ currentTarget: { value } }) => onChange({ ...button, sample: value })}
          {...fieldProps(editor, `${path}.sample`)}
        />
      )}
    </>
  );
}
