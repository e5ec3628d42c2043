import { Alert, Group, Switch, Text, TextInput } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { Choice } from '../../components/choice';
import { Time } from '../../components/time';
import { ZonePicker } from '../../components/zone-picker';
import { strings } from '../../strings';
import { Section } from '../../components/section';
import type { Validation } from './types';
import type { SendForm } from './use-send-form';
import { isFarFrom } from './wall-time';

const texts = strings.send;

interface RecipientFieldsProps {
  form: SendForm;
  /** The category of the template. */
  category: string | undefined;
  /** The service's answer about the form; undefined before it has come. */
  message: Validation['message'] | undefined;
}

/** The fields for the recipient and the time. */
export function RecipientFields({ form, category, message }: RecipientFieldsProps) {
  return (
    <Section title={texts.sections.recipient}>
      <TextInput
        label={texts.phone}
        description={texts.phoneHint}
        type="tel"
        dir="ltr"
        autoComplete="off"
        maxLength={64}
        {...form.getInputProps('phone')}
      />
      <Choice
        label={texts.when}
        data={[
          { value: 'now', label: texts.now },
          { value: 'later', label: texts.later },
        ]}
        {...form.getInputProps('when')}
      />
      {form.values.when === 'later' && <Schedule form={form} message={message} />}
      {category === 'MARKETING' && (
        <Switch
          label={texts.autoRetry}
          description={texts.autoRetryHint}
          {...form.getInputProps('auto_retry', { type: 'checkbox' })}
        />
      )}
    </Section>
  );
}

function Schedule({ form, message }: Pick<RecipientFieldsProps, 'form' | 'message'>) {
  const { at, zone } = form.values;
  const dueAt = message?.timezone ? message.due_at : null;
  const isKnown = dueAt !== null && zone !== null;
  const isShifted = isKnown && isFarFrom(at, dueAt, zone);
  return (
    <>
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <TextInput label={texts.at} type="datetime-local" miw={200} {...form.getInputProps('at')} />
        <ZonePicker miw={200} {...form.getInputProps('zone')} />
      </Group>
      {isShifted && (
        <Alert color="yellow" icon={<IconClockExclamation aria-hidden />}>
          {texts.shifted}
        </Alert>
      )}
      {isKnown && (
        <Text size="sm">
          {texts.goesOut} <Time at={dueAt} zone={zone} exact />
        </Text>
      )}
    </>
  );
}
