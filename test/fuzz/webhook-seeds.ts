import { DEMO } from '../../src/embedded/demo.js';
import { receipt } from '../support/webhooks.js';
import { known } from './world.js';

/** A change of a delivery: its field and value, as in the provider's reference of webhooks. */
export type WebhookSeed = [field: string, value: unknown];

const [number] = DEMO.numbers;

/** A receipt for an existing message. */
const status = (nth: number, name: string, others: object = {}): WebhookSeed => [
  'messages',
  receipt({
    id: known('wamid', nth),
    status: name,
    timestamp: '1790000000',
    biz_opaque_callback_data: known('tag', nth),
    conversation: { id: 'c1', origin: { type: 'marketing' } },
    pricing: { billable: true, pricing_model: 'PMP', type: 'regular', category: 'marketing' },
    ...others,
  }),
];

const failure = (code: number) => ({
  errors: [
    { code, title: 'Failed', message: 'Failed', error_data: { details: 'Why' }, href: 'https://example.com' },
  ],
});

const template = (others: object, name = 'order_update') => ({
  message_template_id: 594_425_479_261_596,
  message_template_name: name,
  message_template_language: 'en-US',
  ...others,
});

const templateStatus = (event: string, others: object = {}): WebhookSeed => [
  'message_template_status_update',
  template({ event, reason: 'NONE', message_template_category: 'UTILITY', ...others }),
];

const account = (event: string, others: object = {}): WebhookSeed => ['account_update', { event, ...others }];

/** One of each kind that the provider sends. */
export const WEBHOOK_SEEDS: WebhookSeed[] = [
  status(0, 'sent'),
  status(1, 'delivered'),
  status(2, 'read', { recipient_user_id: 'US.1' }),
  status(3, 'failed', failure(131_026)),
  status(4, 'failed', failure(131_049)),
  status(5, 'failed', failure(131_042)),
  [
    'messages',
    {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: number.phone, phone_number_id: number.phoneNumberId },
      contacts: [{ profile: { name: 'Amal' }, wa_id: '12025550102', user_id: 'US.1' }],
      messages: [
        {
          from: '12025550102',
          id: 'wamid.in',
          timestamp: '1790000000',
          type: 'text',
          text: { body: 'STOP' },
        },
        { from_user_id: 'US.1', id: 'wamid.in2', type: 'button', button: { payload: 'YES', text: 'Yes' } },
      ],
    },
  ],
  templateStatus('APPROVED'),
  templateStatus('PAUSED', { other_info: { title: 'FIRST_PAUSE', description: 'Quality' } }),
  templateStatus('REJECTED', {
    reason: 'INVALID_FORMAT',
    rejection_info: { reason: 'r', recommendation: 'r' },
  }),
  templateStatus('DISABLED', { disable_info: { disable_date: 1_790_000_000 } }),
  templateStatus('UNARCHIVED'),
  [
    'message_template_quality_update',
    template({ previous_quality_score: 'GREEN', new_quality_score: 'RED' }),
  ],
  ['template_category_update', template({ new_category: 'MARKETING', correct_category: 'UTILITY' })],
  ['template_category_update', template({ new_category: 'MARKETING', previous_category: 'UTILITY' })],
  [
    'message_template_components_update',
    template({
      message_template_element: 'Hello {{1}}',
      message_template_footer: 'Demo',
      message_template_buttons: [
        { message_template_button_type: 'URL', message_template_button_url: 'https://example.com' },
      ],
    }),
  ],
  [
    'phone_number_quality_update',
    {
      display_phone_number: number.phone,
      event: 'ONBOARDING',
      old_limit: 'TIER_1K',
      current_limit: 'TIER_10K',
    },
  ],
  [
    'phone_number_quality_update',
    {
      display_phone_number: number.phone,
      event: 'THROUGHPUT_UPGRADE',
      max_daily_conversations_per_business: 'TIER_UNLIMITED',
    },
  ],
  [
    'business_capability_update',
    { max_daily_conversations_per_business: 2_000, max_phone_numbers_per_business: 25 },
  ],
  ['business_capability_update', { max_daily_conversation_per_phone: 'TIER_10K' }],
  account('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'DISABLE', waba_ban_date: 'April 17, 2026' } }),
  account('DISABLED_UPDATE', { ban_info: { waba_ban_state: 'REINSTATE' } }),
  account('ACCOUNT_RESTRICTION', {
    restriction_info: [
      {
        restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING',
        expiration: 1_795_000_000,
        remediation: 'Wait',
      },
    ],
  }),
  account('ACCOUNT_VIOLATION', { violation_info: { violation_type: 'ADULT' } }),
  account('PARTNER_REMOVED', {
    waba_info: { waba_id: DEMO.wabaId, owner_business_id: '2729063490586005' },
    disconnection_info: { reason: 'ACCOUNT_DISCONNECTED', initiated_by: 'USER' },
  }),
  account('ACCOUNT_RECONNECTED'),
  account('VOLUME_BASED_PRICING_TIER_UPDATE', {
    volume_tier_info: {
      tier_update_time: 1_743_451_903,
      pricing_category: 'UTILITY',
      tier: '1:2',
      effective_month: '2026-11',
      region: 'India',
    },
  }),
  account('AUTH_INTL_PRICE_ELIGIBILITY_UPDATE', {
    auth_international_rate_eligibility: {
      start_time: 1_795_000_000,
      exception_countries: [{ country_code: 'IN', start_time: 1_796_000_000 }],
    },
  }),
  account('BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE', { country: 'IN' }),
  [
    'account_alerts',
    {
      entity_type: 'BUSINESS',
      entity_id: '506914307656634',
      alert_info: {
        alert_severity: 'CRITICAL',
        alert_status: 'ACTIVE',
        alert_type: 'OBA_REJECTED',
        alert_description: 'Why',
      },
    },
  ],
  [
    'security',
    { display_phone_number: number.phone, event: 'PIN_RESET_REQUEST', requester: '61555822107539' },
  ],
  [
    'user_preferences',
    [
      {
        wa_id: '12025550102',
        detail: 'd',
        category: 'marketing_messages',
        value: 'stop',
        timestamp: 1_731_705_721,
      },
    ],
  ],
  ['a_field_of_the_future', { anything: [1, { deep: true }] }],
];
