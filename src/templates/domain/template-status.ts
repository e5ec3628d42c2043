/** The five statuses of the interface (3.1). */
export const TEMPLATE_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'PAUSED', 'DISABLED'] as const;

export type TemplateStatus = (typeof TEMPLATE_STATUSES)[number];

/** Provider statuses that mean one of ours, whatever the template was before. */
const FIXED: Record<string, TemplateStatus | 'DELETED'> = {
  ...(Object.fromEntries(TEMPLATE_STATUSES.map((status) => [status, status])) as Record<
    string,
    TemplateStatus
  >),
  REINSTATED: 'APPROVED',
  ARCHIVED: 'DISABLED',
  DELETED: 'DELETED',
};

/** Provider statuses that leave a template's status as it was. The value is for a template never seen before. */
const UNCHANGED: Record<string, TemplateStatus> = {
  FLAGGED: 'APPROVED',
  LOCKED: 'APPROVED', // only edits are locked
  IN_APPEAL: 'REJECTED',
  PENDING_DELETION: 'DISABLED',
  LIMIT_EXCEEDED: 'PENDING',
  UNARCHIVED: 'PENDING',
};

/**
 * The API's status for one of the provider's. `DELETED` means that the template is no longer listed. A status
 * unknown to us changes nothing, and is PENDING for a template never seen before: unsendable until understood.
 */
export function mapTemplateStatus(
  providerStatus: string,
  previous?: TemplateStatus,
): TemplateStatus | 'DELETED' {
  const status = String(providerStatus).trim().toUpperCase();
  if (Object.hasOwn(FIXED, status)) return FIXED[status]!;
  return previous ?? (Object.hasOwn(UNCHANGED, status) ? UNCHANGED[status]! : 'PENDING');
}
