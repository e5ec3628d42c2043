import { Tooltip } from '@mantine/core';
import { cloneElement, type MouseEvent, type ReactElement } from 'react';
import { type Role, useCan } from '../api/session';
import { strings } from '../strings';

interface CanProps {
  /** The least role that may do it. */
  role: Role;
  /** One button, link or menu item. */
  children: ReactElement<Record<string, unknown>>;
  /** Whether it is left out for lesser roles, not disabled with an explanation. */
  hide?: boolean;
}

/**
 * Shows a control to users with the role. For others it is disabled, but can still get focus and pointer, so that they
 * can read the reason. The service refuses the call too.
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
