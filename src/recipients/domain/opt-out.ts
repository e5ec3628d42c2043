import type { TemplateCategory } from '../../provider/wire.js';

/** What a recipient wants no more: marketing, or any message. */
export const OPT_OUT_SCOPES = ['marketing', 'all'] as const;
export type OptOutScope = (typeof OPT_OUT_SCOPES)[number];

/**
 * Who has said so: a program, a user of the dashboard, an imported file; the provider, by its error 131050 or a recipient's
 * preference; or the recipient, by a message that is a keyword.
 */
export const OPT_OUT_SOURCES = ['api', 'dashboard', 'import', 'provider', 'keyword'] as const;
export type OptOutSource = (typeof OPT_OUT_SOURCES)[number];

/** Characters of a reason at most. */
export const MAX_REASON = 200;

/** Whether an opt-out keeps back messages of a category. Of an unknown one, it keeps back what it does of all. */
export const keepsBack = (scope: OptOutScope, category: TemplateCategory | undefined): boolean =>
  scope === 'all' || category === 'MARKETING';
