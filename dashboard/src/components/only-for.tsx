import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type Role, useCan } from '../api/session';
import { strings } from '../strings';
import { EmptyState } from './empty-state';

interface OnlyForProps {
  /** What the user has to be, at least. */
  role: Role;
  children: ReactNode;
}

/** What a page shows to a role; lesser ones are told why they see nothing. */
export function OnlyFor({ role, children }: OnlyForProps) {
  if (useCan(role)) return children;
  const { restricted, needsRole } = strings.components;
  return <EmptyState icon={IconLock} title={restricted} description={needsRole[role]} />;
}
