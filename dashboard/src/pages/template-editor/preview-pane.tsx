import { Button, Collapse, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useDeferredValue, useMemo } from 'react';
import { toComponents } from '../../../../src/templates/domain/draft-components';
import { PhonePreview } from '../../preview/phone-preview';
import { draftValues } from '../../../../src/templates/domain/draft-values';
import { strings } from '../../strings';
import classes from './template-editor.module.css';
import type { Editor, LocalFile } from './use-editor';
import type { TemplateDraft } from './types';

const { templateEditor: texts } = strings;

/** The draft on a phone, with its samples. */
export function PreviewPane({ editor }: { editor: Editor }) {
  const [isOpen, { toggle }] = useDisclosure(true);
  const draft = useDeferredValue(editor.draft);
  const { localFile } = editor;
  const components = useMemo(() => toComponents(draft), [draft]);
  const values = useMemo(() => draftValues(withLocalFile(draft, localFile)), [draft, localFile]);
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <section className={classes.preview} aria-label={texts.preview}>
      <Stack gap="xs">
        <Title order={2}>{texts.preview}</Title>
        <Text size="sm" c="dimmed">
          {texts.previewHint}
        </Text>
        <Button
          hiddenFrom="lg"
          variant="default"
          onClick={toggle}
          aria-expanded={isOpen}
          rightSection={<Icon size={16} aria-hidden />}
        >
          {isOpen ? texts.previewHide : texts.previewShow}
        </Button>
        <Collapse expanded={isOpen}>
          <div className={classes.phone}>
            <PhonePreview
              components={components}
              values={values}
              language={draft.language}
              sender={senderOf(editor)}
            />
          </div>
        </Collapse>
      </Stack>
    </section>
  );
}

/** The uploaded file itself, as the provider's copy cannot be seen before the template is made. */
function withLocalFile(draft: TemplateDraft, file: LocalFile | null): TemplateDraft {
  const isOfDraft = file !== null && file.handle === draft.header.media_handle;
  return isOfDraft ? { ...draft, header: { ...draft.header, media_url: file.url } } : draft;
}

function senderOf({ start, content }: Editor): string {
  const account = start.business_accounts.find(
    ({ business_account_id }) => business_account_id === content.business_account_id,
  );
  return account?.numbers[0] ?? strings.common.product;
}
