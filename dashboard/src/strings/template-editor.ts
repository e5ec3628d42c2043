import type { MediaKind } from '../../../src/templates/domain/header-samples';

const KIND_NAMES: Record<MediaKind, string> = { image: 'JPEG or PNG', video: 'MP4', document: 'PDF' };
/** A range of times, in words. */
interface Range {
  min: string;
  max: string;
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** Texts about making, editing, copying and deleting templates. */
export const templateEditor = {
  titleNew: 'New template',
  titleCopy: (name: string) => `Copy of ${name}`,
  titleEdit: (name: string) => `Edit ${name}`,
  description: 'The provider reviews every template before it can be sent, usually within minutes.',
  back: 'Templates',
  backToTemplate: 'Back to the template',
  viewer: {
    title: 'Only editors can write templates',
    message: 'You can look at templates, but not change them. Ask an owner to make you an editor.',
  },
  sections: { basics: 'Basics', header: 'Header', body: 'Body', footer: 'Footer', buttons: 'Buttons' },

  account: 'Business account',
  accountLabel: (waba: string, numbers: string[]) =>
    numbers.length > 0 ? `${numbers.join(', ')} · ${waba}` : waba,
  accountMissing: 'Choose a business account.',
  noAccounts: {
    title: 'There is no business account yet',
    message: 'Templates belong to a business account of the provider. Add one with its number first.',
    link: 'Go to numbers',
  },
  name: 'Name',
  nameHint: 'Lower-case letters, digits and underscores. It cannot be changed later.',
  namePlaceholder: 'order_update',
  language: 'Language',
  languageSearch: 'Search a language',
  languageNotFound: 'The provider knows no such language',
  languageUsed: 'exists already',
  category: 'Category',
  categories: {
    UTILITY: {
      label: 'Utility',
      hint: 'About something the recipient has done or asked for: an order, an appointment, an account.',
    },
    MARKETING: {
      label: 'Marketing',
      hint: 'Offers, news, invitations: everything that is not one of the others.',
    },
    AUTHENTICATION: {
      label: 'Authentication',
      hint: 'A one-time code. The provider writes the text itself.',
    },
  },

  headerKind: 'Kind of header',
  headerKinds: {
    none: 'None',
    text: 'Text',
    image: 'Image',
    video: 'Video',
    document: 'Document',
    location: 'Location',
  },
  headerText: 'Header text',
  headerSample: 'Sample for the header’s {{1}}',
  locationHint: 'The place is given with each message. The preview shows an example.',
  upload: {
    label: 'Sample file',
    drop: 'Drop a file here, or click to choose one',
    dropNow: 'Drop it here',
    limits: (kind: MediaKind, size: string) => `${KIND_NAMES[kind]}, up to ${size}`,
    purpose: 'The provider reviews the template with it. Recipients get what you send with each message.',
    replace: 'Replace',
    remove: 'Remove',
    stored: 'The sample that the provider has',
    ready: 'Uploaded',
    tooLarge: (kind: MediaKind, size: string) =>
      `This file is too large: the provider takes at most ${size} for ${kind === 'image' ? 'an' : 'a'} ${kind}.`,
    wrongType: (kind: MediaKind) => `This is not a file of the right type: choose ${KIND_NAMES[kind]}.`,
    tooMany: 'Choose one file.',
    empty: 'This file is empty.',
    needsAccount: 'Choose a business account first.',
  },

  body: 'Body text',
  toolbar: 'Formatting',
  bold: 'Bold',
  italic: 'Italic',
  strike: 'Strikethrough',
  monospace: 'Monospace',
  addVariable: 'Add variable',
  samples: 'Samples',
  samplesHint: 'The provider reviews the text with these; the preview shows them.',
  sampleFor: (key: string) => `Sample for {{${key}}}`,
  samplePlaceholder: 'As it may read in a message',
  footer: 'Footer text',

  addButton: 'Add button',
  noButtons: 'Buttons let recipients answer with a tap, open a page, call you or copy a code.',
  buttonTypes: {
    quick_reply: 'Quick reply',
    url: 'Open a page',
    phone_number: 'Call a number',
    copy_code: 'Copy a code',
  },
  buttonTypeFull: (max: number) => `at most ${max}`,
  button: (position: number, type: string) => `Button ${position}: ${type}`,
  buttonText: 'Label',
  buttonUrl: 'Address',
  buttonUrlHint: 'End it with {{1}} to give a part of it with each message.',
  buttonUrlSample: 'Sample for the address’s {{1}}',
  buttonPhone: 'Phone number',
  buttonPhonePlaceholder: '+1 415 555 0123',
  buttonCode: 'Sample code',
  moveUp: (name: string) => `Move up ${name}`,
  moveDown: (name: string) => `Move down ${name}`,
  removeButton: (name: string) => `Remove ${name}`,

  authentication: {
    title: 'One-time code',
    intro: 'The provider writes the text in the template’s language. You choose what stands beside the code.',
    recommendation: 'Add “For your security, do not share this code.”',
    expiration: 'Minutes until the code expires',
    expirationHint: 'Shown in the footer. Leave it empty for no footer.',
    button: 'Label of the copy-code button',
    buttonHint: 'Leave it empty for the provider’s own label.',
  },

  timeToLive: {
    title: 'Time to live',
    label: 'Tried for at most',
    unit: 'Unit',
    units: { days: 'days', hours: 'hours', minutes: 'minutes', seconds: 'seconds' },
    byDefault: 'Default',
    hints: {
      AUTHENTICATION: ({ min, max }: Range, byDefault: string) =>
        `The provider drops a code that it could not deliver by then. From ${min} to ${max}, or 30 days; best no longer than the code is good. Empty: ${byDefault}.`,
      UTILITY: ({ min, max }: Range, byDefault: string) =>
        `The provider drops a message that it could not deliver by then. From ${min} to ${max}, or 30 days. Empty: ${byDefault}.`,
      MARKETING: ({ min, max }: Range, byDefault: string) =>
        `The provider drops a message that it could not deliver by then. From ${min} to ${max}. Empty: ${byDefault}. The provider documents it for its Marketing Messages API, by which this service does not send.`,
    },
  },

  counter: (used: number, max: number) => `${used} / ${max}`,
  counterOver: (over: number) => `${over} too many`,

  preview: 'Preview',
  previewHint: 'As the recipient sees it, with your samples.',
  previewShow: 'Show the preview',
  previewHide: 'Hide the preview',

  saving: {
    new: 'Saved as you type',
    saving: 'Saving…',
    saved: 'Saved',
    failed: (reason: string) => `Not saved: ${reason}`,
    keptHere: 'It is kept in this browser meanwhile.',
  },
  discard: 'Discard draft',
  discardTitle: 'Discard this draft?',
  discardMessage: 'What you have typed here is gone for good.',
  discardEditMessage: 'Your changes are gone for good. The template itself stays as it is.',
  discarded: 'The draft was discarded.',
  resumed: 'your unfinished draft, last changed',
  conflict: {
    title: 'This draft was changed in another tab or window',
    message: 'Nothing of either version is lost yet. Which one do you want to go on with?',
    savedAt: 'The other version was saved',
    theirs: 'Use the other version',
    mine: 'Keep what is here',
  },
  unfinished: {
    title: (count: number) => `You have ${plural(count, 'unfinished draft', 'unfinished drafts')}`,
    unnamed: 'Without a name',
    edit: 'edit',
    resume: (name: string) => `Continue ${name}`,
    resumeLabel: 'Continue',
    discard: (name: string) => `Discard ${name}`,
  },

  forbidden: 'This template cannot be edited now',
  forbiddenUntil: (until: string) => `It is possible again from ${until}.`,
  unsupported: (parts: string) =>
    `It has parts that this editor cannot keep (${parts}). Edit it in the provider’s own manager.`,
  editAllowance:
    'An approved template can be edited once in 24 hours and 10 times in 30 days. It is reviewed again.',

  submit: 'Submit for review',
  submitChanges: 'Submit the changes',
  toFix: (count: number) => `${plural(count, 'thing needs', 'things need')} your attention`,
  toFixMessage: 'They are marked in the form; the first one is in front of you.',
  refused: 'The provider did not take the template',
  summary: {
    title: 'Submit this template?',
    titleEdit: 'Submit these changes?',
    message: 'The provider reviews it before it can be sent. You see its decision on the template’s page.',
    messageEdit: 'The provider reviews it again. Until it is approved, the template cannot be sent.',
    header: 'Header',
    variables: 'Variables',
    buttons: 'Buttons',
    warnings: 'The provider may object to this',
    none: 'none',
    back: 'Go on editing',
  },
  submitted: (name: string) => `${name} is in review.`,
  submittedUnread: 'The template was submitted. It appears in the list within a minute.',

  remove: {
    open: 'Delete',
    title: 'Delete this template?',
    message:
      'It can no longer be sent, and messages that wait for it fail. Messages already sent stay in the records.',
    reserved: 'The provider may keep the name of an approved template reserved for 30 days.',
    all: (count: number) => `Delete all ${count} languages of it`,
    typeName: (name: string) => `Type ${name} to confirm`,
    confirm: 'Delete for good',
    done: (name: string) => `${name} was deleted.`,
  },
};
