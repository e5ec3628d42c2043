import { Tooltip } from '@mantine/core';
import { cloneElement, type MouseEvent, type ReactElement } from 'react';
import { type Role, useCan } from '../api/session';
import { strings } from '../strings';

interface CanProps {
  /** What the user has to be, at least. */
  role: Role;
  /** One button, link or menu item. */
  children: ReactElement<Record<string, unknown>>;
  /** Leaves it out for lesser roles, instead of disabling it with an explanation. */
  hide?: boolean;
}

/**
 * Offers what a role allows. What it does not is disabled, but keeps the focus and the pointer, so that the reason can
 * be read; the service refuses it anyhow.
 */
export function Can({ role, children, hide = false }: CanProps) {
  const isAllowed = useCan(role);
  if (isAllowed) return children;
  if (hide) return null;
  return (
    <Tooltip label={strings.components.needsRole[role]} events={{ hover: true, focus: true, touch: true }}>
      {cloneElement(children, {
        'data-disabled': true,
        'aria-disabled': true,
        onClick: (event: MouseEvent) => event.preventDefault(),
      })}
    </Tooltip>
  );
}
