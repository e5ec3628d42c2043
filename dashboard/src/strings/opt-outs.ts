import type { OptOutScope, OptOutSource } from '../../../src/recipients/domain/opt-out';
import { common } from './common';

const n = new Intl.NumberFormat(common.locale).format;

/** Texts of the page of opt-outs. */
export const optOuts = {
  title: 'Opt-outs',
  description: 'Recipients who want no marketing, or no message at all. Nothing of that is sent to them.',
  add: 'Add opt-out',
  added: (phone: string) => `+${phone} has opted out.`,
  import: 'Import',
  importTitle: 'Import opt-outs',
  importHint:
    'A CSV file with a phone number in each line; behind it, if you like, marketing or all, and a reason. Opt-outs that there are become no narrower.',
  imported: (rows: number, kept: number) =>
    `${n(rows)} lines were read; ${n(kept)} opt-outs are new or have changed.`,
  importFaults: (count: number) => `Lines with a fault, which were left out: ${n(count)}.`,
  importFault: (line: number, message: string) => `Line ${line}: ${message}`,
  export: 'Export',
  phone: 'Phone number',
  phoneMissing: 'Give the phone number.',
  scope: 'Wants no',
  scopes: { marketing: 'Marketing', all: 'Messages at all' } satisfies Record<OptOutScope, string>,
  scopeHints: {
    marketing: 'Codes and notices such as of an order are sent.',
    all: 'Not even codes are sent.',
  } satisfies Record<OptOutScope, string>,
  source: 'Told by',
  anySource: 'Anybody',
  sources: {
    api: 'A program',
    dashboard: 'A user here',
    import: 'An imported file',
    provider: 'The provider',
    keyword: 'A text of the recipient',
  } satisfies Record<OptOutSource, string>,
  reason: 'Reason',
  since: 'Since',
  noneTitle: 'Nobody has opted out',
  noneText: 'Recipients who write one of the words below, or stop marketing at the provider, appear here.',
  noMatch: 'No such opt-out',
  remove: 'Remove',
  removeTitle: (phone: string) => `Send to +${phone} again?`,
  removeText: 'Only do so when the recipient wants it.',
  removed: (phone: string) => `+${phone} gets messages again.`,
  keywords: {
    title: 'Words that opt out',
    label: 'Words',
    hint: 'A recipient whose whole message is one of these words gets no more marketing.',
    areDefault:
      'A recipient whose whole message is one of these words gets no more marketing. These are the usual ones, in ten languages.',
    save: 'Save the words',
    reset: 'Take the usual ones',
    saved: 'The words are saved.',
  },
};
