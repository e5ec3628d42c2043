import {
  Badge,
  Checkbox,
  Collapse,
  Group,
  Input,
  Paper,
  Stack,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { strings } from '../../strings';
import type { TemplateDetail } from '../templates/types';
import { MetadataFields } from './metadata-fields';
import type { SendValues, Validation } from './types';
import type { SendForm } from './use-send-form';

const texts = strings.send.conditions;

/** The fields of this part, each with its path in the form. */
const FIELDS = ['client_reference', 'metadata', 'valid_until', 'max_cost', 'expect'] as const;

interface ConditionFieldsProps {
  form: SendForm;
  template: TemplateDetail | undefined;
  /** What the message costs, as far as that is known. */
  price: Validation['price'] | undefined;
}

/** What the caller puts on the message, and under which conditions it is wanted: folded away, as few sends need it. */
export function ConditionFields({ form, template, price }: ConditionFieldsProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const count = countOf(form.values);
  const isAtFault = Object.keys(form.errors).some((path) => FIELDS.some((field) => path.startsWith(field)));
  const isShown = isOpen || isAtFault;
  const Chevron = isShown ? IconChevronUp : IconChevronDown;
  return (
    <Paper component="section" withBorder p={{ base: 'md', sm: 'lg' }} radius="lg" aria-label={texts.title}>
      <UnstyledButton w="100%" aria-expanded={isShown} onClick={toggle} fw={600}>
        <Group justify="space-between" wrap="nowrap">
          <Group gap="xs">
            {texts.title}
            {count > 0 && (
              <Badge variant="default" tt="none">
                {texts.count(count)}
              </Badge>
            )}
          </Group>
          <Chevron size={18} aria-hidden />
        </Group>
      </UnstyledButton>
      <Collapse expanded={isShown}>
        <Stack gap="md" mt="md">
          <Own form={form} />
          <Conditions form={form} template={template} price={price} />
        </Stack>
      </Collapse>
    </Paper>
  );
}

/** How many of the additions are made. */
function countOf({ client_reference, metadata, valid_until, max_cost, expect }: SendValues): number {
  const hasMetadata = metadata.some(({ name, value }) => name !== '' || value !== '');
  const set = [client_reference !== '', hasMetadata, valid_until !== '', max_cost !== ''];
  return [...set, expect.category || expect.version].filter(Boolean).length;
}

function Own({ form }: Pick<ConditionFieldsProps, 'form'>) {
  return (
    <>
      <TextInput
        label={texts.reference}
        description={texts.referenceHint}
        autoComplete="off"
        maxLength={128}
        {...form.getInputProps('client_reference')}
      />
      <MetadataFields form={form} />
    </>
  );
}

function Conditions({ form, template, price }: ConditionFieldsProps) {
  return (
    <>
      <Group align="flex-start" gap="sm" grow preventGrowOverflow={false}>
        <TextInput
          label={texts.validUntil}
          description={texts.validUntilHint}
          type="datetime-local"
          miw={200}
          {...form.getInputProps('valid_until')}
        />
        <TextInput
          label={texts.maxCost}
          description={price ? texts.maxCostIn(price.currency) : texts.maxCostHint}
          inputMode="decimal"
          autoComplete="off"
          maxLength={20}
          miw={200}
          {...form.getInputProps('max_cost')}
        />
      </Group>
      <Input.Wrapper label={texts.expect} description={texts.expectHint} labelElement="div">
        <Stack gap="xs" mt="xs" role="group" aria-label={texts.expect}>
          <Checkbox
            label={texts.expectVersion}
            {...form.getInputProps('expect.version', { type: 'checkbox' })}
          />
          <Checkbox
            label={texts.expectCategory(template?.category)}
            {...form.getInputProps('expect.category', { type: 'checkbox' })}
          />
        </Stack>
      </Input.Wrapper>
    </>
  );
}
