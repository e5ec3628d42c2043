import { NumberInput, Switch, Text, TextInput } from '@mantine/core';
import { type DraftAuthentication, LIMITS } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { fieldProps } from './field-props';
import { directionOf } from './languages';
import { Section } from '../../components/section';
import type { Editor } from './use-editor';

const { authentication: texts } = strings.templateEditor;

/** The choices for a template of one-time codes. */
export function AuthenticationSection({ editor }: { editor: Editor }) {
  const { authentication, language } = editor.draft;
  const change = (by: Partial<DraftAuthentication>) =>
    editor.update((draft) => ({ ...draft, authentication: { ...draft.authentication, ...by } }));
  const { min, max } = LIMITS.codeExpirationMinutes;
  return (
    <Section title={texts.title}>
      <Text size="sm" c="dimmed">
        {texts.intro}
      </Text>
      <Switch
        label={texts.recommendation}
        checked={authentication.add_security_recommendation}
        onChange={({ currentTarget: { checked } }) => change({ add_security_recommendation: checked })}
      />
      <NumberInput
        label={texts.expiration}
        description={texts.expirationHint}
        min={min}
        max={max}
        clampBehavior="none"
        allowDecimal={false}
        maw={280}
        value={authentication.code_expiration_minutes ?? ''}
        onChange={(value) => change({ code_expiration_minutes: typeof value === 'number' ? value : null })}
        {...fieldProps(editor, 'authentication.code_expiration_minutes')}
      />
      <TextInput
        label={texts.button}
        description={texts.buttonHint}
        maw={280}
        dir={directionOf(language)}
        value={authentication.button_text}
        onChange={({ currentTarget: { value } }) => change({ button_text: value })}
        {...fieldProps(editor, 'authentication.button_text', {
          count: { text: authentication.button_text, max: LIMITS.label },
        })}
      />
    </Section>
  );
}
