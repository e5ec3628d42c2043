import { Alert, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { EDIT_REFUSAL_TEXTS } from '../../../../src/templates/domain/edit-rules';
import { formatDateTime } from '../../format';
import { strings } from '../../strings';
import type { EditedTemplate } from './types';

const { templateEditor: texts } = strings;

/** Whether the template's content cannot be edited now, or not in this editor. */
export function isForbidden(template: EditedTemplate | null): boolean {
  if (!template?.rules) return false;
  return !template.rules.content.allowed || template.unsupported.length > 0;
}

/** Says why a template cannot be edited, and from when on it can. */
export function EditNotice({ template }: { template: EditedTemplate | null }) {
  if (!template || (!isForbidden(template) && template.unsupported.length === 0)) return null;
  const content = template.rules?.content;
  return (
    <Alert color="yellow" title={texts.forbidden} icon={<IconLock size={18} aria-hidden />}>
      {content?.allowed === false && (
        <Text size="sm">
          {EDIT_REFUSAL_TEXTS[content.reason]}{' '}
          {content.until && texts.forbiddenUntil(formatDateTime(content.until))}
        </Text>
      )}
      {template.unsupported.length > 0 && (
        <Text size="sm">{texts.unsupported(template.unsupported.join(', '))}</Text>
      )}
    </Alert>
  );
}
