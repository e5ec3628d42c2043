import { ActionIcon, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { strings } from '../../strings';
import type { SendForm } from './use-send-form';

const texts = strings.send.conditions;

/** Entries of the metadata that a send may have. */
const MOST = 20;

/** Rows of a name and a value. */
export function MetadataFields({ form }: { form: SendForm }) {
  const { metadata } = form.values;
  const nextId = Math.max(0, ...metadata.map(({ id }) => id)) + 1;
  return (
    <Input.Wrapper label={texts.metadata} description={texts.metadataHint} labelElement="div">
      <Stack gap="xs" mt="xs">
        {metadata.map(({ id }, index) => (
          <Row key={id} form={form} index={index} />
        ))}
        {metadata.length < MOST && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => form.insertListItem('metadata', { id: nextId, name: '', value: '' })}
            >
              {texts.add}
            </Button>
          </Group>
        )}
      </Stack>
    </Input.Wrapper>
  );
}

function Row({ form, index }: { form: SendForm; index: number }) {
  const field = (name: 'name' | 'value', label: string, maxLength: number) => (
    <TextInput
      aria-label={label}
      placeholder={label}
      autoComplete="off"
      maxLength={maxLength}
      flex={1}
      miw={80}
      {...form.getInputProps(`metadata.${index}.${name}`)}
    />
  );
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      {field('name', texts.name(index + 1), 40)}
      {field('value', texts.value(index + 1), 200)}
      <ActionIcon
        variant="subtle"
        size="lg"
        aria-label={texts.remove(index + 1)}
        onClick={() => form.removeListItem('metadata', index)}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
