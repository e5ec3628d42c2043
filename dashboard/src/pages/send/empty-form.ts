import type { SendValues } from './types';

/** A form in which nothing is filled in. */
export const EMPTY: SendValues = {
  messaging_account_id: null,
  template_id: null,
  phone: '',
  body: {},
  header_text: '',
  media: { source: 'upload', link: '', id: null, uploaded_for: null, file_name: '' },
  location: { latitude: '', longitude: '', name: '', address: '' },
  buttons: {},
  when: 'now',
  at: '',
  zone: null,
  auto_retry: false,
  client_reference: '',
  metadata: [],
  valid_until: '',
  max_cost: '',
  expect: { category: false, version: false },
};
