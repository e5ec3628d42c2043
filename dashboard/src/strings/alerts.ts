/** Texts of the page of alerts. */
export const alerts = {
  title: 'Alerts',
  description: 'What people have to know of the accounts, until its cause is gone.',
  markAllRead: 'Mark all as read',
  none: 'No open alerts',
  noneHint: 'When something needs you, it stands here, and the bell counts it.',
};
