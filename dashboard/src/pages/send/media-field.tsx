import { Button, Group, Stack, TextInput } from '@mantine/core';
import { Choice } from '../../components/choice';
import { strings } from '../../strings';
import { MediaUpload } from './media-upload';
import type { TemplateNeeds } from './template-needs';
import type { MediaValue } from './types';
import type { SendForm } from './use-send-form';

const texts = strings.send;

interface MediaFieldProps {
  form: SendForm;
  kind: NonNullable<TemplateNeeds['media']>;
  needs: TemplateNeeds;
  onLocalFile: (url: string | null) => void;
}

/** The media of the header: a file, or a link to one. */
export function MediaField({ form, kind, needs, onLocalFile }: MediaFieldProps) {
  const { media } = form.values;
  const name = texts.media[kind];
  const sample = needs.content.headerSampleMediaUrl;
  const error = form.errors['media'] ?? null;
  const change = (changes: Partial<MediaValue>) => {
    form.setFieldValue('media', (old) => ({ ...old, ...changes }));
    form.clearFieldError('media');
  };
  return (
    <Stack gap="xs">
      <Choice
        label={name}
        aria-label={texts.sourceLabel(name)}
        data={(['upload', 'link'] as const).map((value) => ({ value, label: texts.bySource[value] }))}
        value={media.source}
        onChange={(source) => change({ source: source as MediaValue['source'] })}
      />
      {media.source === 'upload' ? (
        <MediaUpload
          key={`${form.values.messaging_account_id} ${kind}`}
          form={form}
          kind={kind}
          error={error}
          onChange={change}
          onLocalFile={onLocalFile}
        />
      ) : (
        <TextInput
          label={texts.link(name)}
          description={texts.linkHint}
          type="url"
          dir="ltr"
          placeholder="https://"
          value={media.link}
          onChange={({ currentTarget }) => change({ link: currentTarget.value })}
          error={error}
        />
      )}
      {kind === 'document' && (media.source === 'link' || media.id !== null) && (
        <TextInput
          label={texts.fileName}
          dir="auto"
          maxLength={240}
          value={media.file_name}
          onChange={({ currentTarget }) => change({ file_name: currentTarget.value })}
        />
      )}
      {sample !== null && (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={() => change({ source: 'link', link: sample })}>
            {texts.takeSample}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
