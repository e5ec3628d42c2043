import { Radio, Select, Text, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { EDIT_REFUSAL_TEXTS } from '../../../../src/templates/domain/edit-rules';
import { LIMITS, normalizeName } from '../../../../src/templates/domain/template-draft';
import { strings } from '../../strings';
import { fieldId, fieldProps } from './field-props';
import { languages } from './languages';
import { Section } from '../../components/section';
import classes from './template-editor.module.css';
import type { TemplateDraft } from './types';
import type { Editor } from './use-editor';

const { templateEditor: texts } = strings;
/** Properties of a field that cannot change, but can still be read and copied. */
const FIXED = { readOnly: true, variant: 'filled' } as const;
const CATEGORIES = ['UTILITY', 'MARKETING', 'AUTHENTICATION'] as const;

/** The business account, name, language and category of the template. */
export function BasicsSection({ editor }: { editor: Editor }) {
  return (
    <Section title={texts.sections.basics}>
      <AccountField editor={editor} />
      <NameField editor={editor} />
      <LanguageField editor={editor} />
      <CategoryField editor={editor} />
    </Section>
  );
}

/** The field for the business account; left out when there is only one. */
function AccountField({ editor }: { editor: Editor }) {
  const { business_accounts: accounts } = editor.start;
  if (accounts.length < 2) return null;
  return (
    <Select
      label={texts.account}
      required
      disabled={editor.isEdit}
      allowDeselect={false}
      data={accounts.map(({ business_account_id: value, waba_id, numbers }) => ({
        value,
        label: texts.accountLabel(waba_id, numbers),
      }))}
      value={editor.content.business_account_id}
      onChange={editor.setAccount}
      {...fieldProps(editor, 'business_account_id')}
    />
  );
}

function NameField({ editor }: { editor: Editor }) {
  const { draft } = editor;
  const rule = editor.isEdit ? editor.start.template?.rules?.name : undefined;
  return (
    <TextInput
      label={texts.name}
      description={rule?.allowed === false ? EDIT_REFUSAL_TEXTS[rule.reason] : texts.nameHint}
      placeholder={texts.namePlaceholder}
      required
      {...(editor.isEdit && FIXED)}
      spellCheck={false}
      autoComplete="off"
      dir="ltr"
      value={draft.name}
      onChange={({ currentTarget: { value } }) =>
        editor.update((before) => ({ ...before, name: normalizeName(value) }))
      }
      {...fieldProps(editor, 'name', { count: { text: draft.name, max: LIMITS.name } })}
    />
  );
}

function LanguageField({ editor }: { editor: Editor }) {
  const { draft, start } = editor;
  const template = start.template;
  const used = template && !editor.isEdit && draft.name === template.name ? template.languages : [];
  const choices = useMemo(() => languages(template?.language), [template?.language]);
  return (
    <Select
      label={texts.language}
      placeholder={texts.languageSearch}
      nothingFoundMessage={texts.languageNotFound}
      searchable
      openOnFocus={false}
      required
      allowDeselect={false}
      {...(editor.isEdit && FIXED)}
      data={choices.map(({ value, label }) => ({
        value,
        label: used.includes(value) ? `${label} (${texts.languageUsed})` : label,
        disabled: used.includes(value),
      }))}
      value={draft.language || null}
      onChange={(language) => editor.update((before) => ({ ...before, language: language ?? '' }))}
      {...fieldProps(editor, 'language')}
    />
  );
}

function CategoryField({ editor }: { editor: Editor }) {
  const rule = editor.isEdit ? editor.start.template?.rules?.category : undefined;
  const isFixed = rule?.allowed === false;
  return (
    <Radio.Group
      label={texts.category}
      description={isFixed ? EDIT_REFUSAL_TEXTS[rule.reason] : undefined}
      required
      id={fieldId('category')}
      error={editor.errorAt('category')}
      value={editor.draft.category}
      onChange={(category) => editor.setCategory(category as TemplateDraft['category'])}
    >
      <div className={classes.categories}>
        {CATEGORIES.map((category) => (
          <Radio.Card key={category} value={category} disabled={isFixed} p="sm" className={classes.category}>
            <Text fw={600} size="sm">
              {texts.categories[category].label}
            </Text>
            <Text size="xs" c="dimmed">
              {texts.categories[category].hint}
            </Text>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
