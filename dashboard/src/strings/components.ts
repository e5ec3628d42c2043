/** What the shared components say. */
export const components = {
  templateStatus: {
    PENDING: 'In review',
    APPROVED: 'Approved',
    REJECTED: 'Rejected',
    PAUSED: 'Paused',
    DISABLED: 'Disabled',
  },
  messageStatus: {
    scheduled: 'Scheduled',
    queued: 'Queued',
    sending: 'Sending',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    failed: 'Failed',
    canceled: 'Canceled',
  },
  quality: {
    GREEN: 'High quality',
    YELLOW: 'Medium quality',
    RED: 'Low quality',
    UNKNOWN: 'Not yet rated',
  },
  category: {
    MARKETING: 'Marketing',
    UTILITY: 'Utility',
    AUTHENTICATION: 'Authentication',
  },
  copy: (what: string) => `Copy ${what}`,
  copied: 'Copied',
  copyFailed: 'The browser did not allow copying. Select the text and copy it by hand.',
  faultTitle: 'This could not be loaded',
  zone: 'Time zone',
  zoneSearch: 'Search a city or zone',
  zoneNotFound: 'No such time zone',
  zoneHere: 'this browser',
  restricted: 'This page is not for your role',
  fileDrop: {
    drop: 'Drop a file here, or',
    dropNow: 'Drop it here',
    choose: 'Choose a file',
  },
  upload: {
    uploading: (name: string) => `Uploading ${name}`,
    cancel: 'Cancel the upload',
  },
  needsRole: {
    viewer: 'Sign in to do this.',
    editor: 'You can only look. Ask an owner to make you an editor.',
    owner: 'Only owners can do this.',
  },
};
