import { Text } from '@mantine/core';
import type { Role } from '../../api/session';
import { strings } from '../../strings';

const texts = strings.settings.users;

export const roleOptions = (['viewer', 'editor', 'owner'] as const).map((value) => ({
  value,
  label: texts.roles[value],
}));

/** A role, and what it allows. */
export function RoleOption({ option }: { option: { value: string; label: string } }) {
  return (
    <div>
      <Text size="sm">{option.label}</Text>
      <Text size="xs" c="dimmed">
        {texts.roleHints[option.value as Role]}
      </Text>
    </div>
  );
}
