/**
 * The addresses of the pages within the frame. A page that is not listed here cannot be reached. Tests walk this list:
 * each page has to survive a lost connection and to fit on a phone.
 */
export const pagePaths = [
  '/',
  'numbers',
  'templates',
  'templates/new',
  'templates/:id/edit',
  'templates/:id',
  'messages/:id?',
  'campaigns',
  'campaigns/new',
  'campaigns/:id',
  'send',
  'opt-outs',
  'alerts',
  'settings/api-keys',
  'settings/webhook-endpoints',
  'settings/users',
  'settings/spend-limits',
  'settings/rate-card',
  'settings/audit-log',
  'settings/password',
  'settings/second-factor',
] as const;

export type PagePath = (typeof pagePaths)[number];
