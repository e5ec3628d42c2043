/** Words and faults that every page may use. */
export const common = {
  /** The locale of dates, numbers and relative times. */
  locale: 'en',
  product: 'Template Messages',
  close: 'Close',
  cancel: 'Cancel',
  retry: 'Try again',
  reload: 'Reload the page',
  loading: 'Loading…',
  loadMore: 'Show more',
  optional: 'Optional',
  failed: 'That did not work',
  none: '–',
  unreachable: 'The server cannot be reached. Nothing was lost; try again in a moment.',
  unexpected: 'Something went wrong. Try again; if it stays, tell whoever runs this service.',
  requestId: (id: string) => `(Request ${id})`,
};
