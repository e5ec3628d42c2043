import { Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { LoadingState } from '../../components/loading-state';
import { strings } from '../../strings';
import type { TemplateDetail } from '../templates/types';
import { MediaField } from './media-field';
import type { TemplateNeeds } from './template-needs';
import type { SendForm } from './use-send-form';

const texts = strings.send;

interface ContentFieldsProps {
  form: SendForm;
  template: TemplateDetail | undefined;
  needs: TemplateNeeds | null;
  /** Gets this browser's own URL of an uploaded file, for the preview. */
  onLocalFile: (url: string | null) => void;
}

/** A field for each thing that the template needs. */
export function ContentFields({ form, template, needs, onLocalFile }: ContentFieldsProps) {
  if (form.values.template_id === null) return <Text c="dimmed">{texts.chooseFirst}</Text>;
  if (!template || !needs) return <LoadingState rows={2} />;
  const { body, headerText, media, location, buttons, codeButton } = needs;
  const needsNothing = body.length + buttons.length === 0 && headerText === null && !media && !location;
  if (needsNothing) return <Text c="dimmed">{texts.nothingToFill}</Text>;
  return (
    <Stack>
      {headerText !== null && (
        <TextInput
          label={texts.headerPlaceholder(headerText)}
          dir="auto"
          {...form.getInputProps('header_text')}
        />
      )}
      {media && <MediaField form={form} kind={media} needs={needs} onLocalFile={onLocalFile} />}
      {location && <LocationFields form={form} />}
      {body.map((key) => (
        <Textarea
          key={key}
          label={codeButton === null ? texts.placeholder(key) : texts.code}
          description={codeButton === null ? undefined : texts.codeHint}
          autosize
          minRows={1}
          maxRows={6}
          dir="auto"
          {...form.getInputProps(`body.${key}`)}
          value={form.values.body[key] ?? ''}
        />
      ))}
      {buttons.map(({ index, takes, text, url }) => (
        <TextInput
          key={index}
          label={takes === 'url' ? texts.buttonUrl(text ?? '') : texts.couponCode}
          description={takes === 'url' ? texts.buttonUrlHint(url ?? '') : undefined}
          dir="ltr"
          {...form.getInputProps(`buttons.${index}`)}
          value={form.values.buttons[index] ?? ''}
        />
      ))}
    </Stack>
  );
}

function LocationFields({ form }: { form: SendForm }) {
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={texts.latitude}
          inputMode="decimal"
          dir="ltr"
          {...form.getInputProps('location.latitude')}
        />
        <TextInput
          label={texts.longitude}
          inputMode="decimal"
          dir="ltr"
          {...form.getInputProps('location.longitude')}
        />
      </Group>
      <TextInput label={texts.placeName} dir="auto" {...form.getInputProps('location.name')} />
      <TextInput label={texts.address} dir="auto" {...form.getInputProps('location.address')} />
    </>
  );
}
