/** Texts of the message preview that are not part of the message. */
export const preview = {
  label: 'Preview of the message',
  empty: 'The message appears here as you write it.',
  media: { image: 'Image', video: 'Video', document: 'Document', location: 'Location' },
  noFileName: 'Document',
  buttons: {
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
  ticks: { sent: 'Sent', delivered: 'Delivered', read: 'Read' },
  cards: 'Cards',
};
