/** Texts of the message preview. The authentication texts are the provider's own, in English. */
export const preview = {
  label: 'Preview of the message',
  empty: 'The message appears here as you write it.',
  media: { image: 'Image', video: 'Video', document: 'Document', location: 'Location' },
  noFileName: 'Document',
  authentication: {
    body: '*{{1}}* is your verification code.',
    security: 'For your security, do not share this code.',
    expiry: (minutes: number) => `This code expires in ${minutes} minutes.`,
  },
  buttons: {
    copyCode: 'Copy offer code',
    copyOtp: 'Copy code',
    catalog: 'View catalog',
    unnamed: 'Button',
    seeAll: 'See all options',
    seeFewer: 'Show fewer options',
    kinds: {
      reply: 'Reply',
      link: 'Opens a website',
      phone: 'Calls',
      copy: 'Copies a code',
      catalog: 'Opens the catalog',
      other: 'Action',
    },
  },
  offer: 'Limited-time offer',
  ticks: { sent: 'Sent', delivered: 'Delivered', read: 'Read' },
  cards: 'Cards',
};
