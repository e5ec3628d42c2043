import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Role, useCan } from '../api/session';
import { strings } from '../strings';
import { EmptyState } from './empty-state';

interface OnlyForProps {
  /** The least role that sees it. */
  role: Role;
  children: ReactNode;
}

/** Shows a part of a page to a role; users with a lesser one are told why they do not see it. */
export function OnlyFor({ role, children }: OnlyForProps) {
  if (useCan(role)) return children;
  const { restricted, needsRole } = strings.components;
  return <EmptyState icon={IconLock} title={restricted} description={needsRole[role]} />;
}
