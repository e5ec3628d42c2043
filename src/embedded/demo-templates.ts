import type { WireTemplate, WireTemplateComponent } from '../provider/wire.js';

type DemoTemplate = Omit<WireTemplate, 'id'>;

const SAMPLES = 'https://example.com/samples';

const body = (text: string, ...examples: string[]): WireTemplateComponent => ({
  type: 'BODY',
  text,
  ...(examples.length > 0 && { example: { body_text: [examples] } }),
});
const footer = (text: string): WireTemplateComponent => ({ type: 'FOOTER', text });
const media = (format: 'IMAGE' | 'VIDEO' | 'DOCUMENT', file: string): WireTemplateComponent => ({
  type: 'HEADER',
  format,
  example: { header_handle: [`${SAMPLES}/${file}`] },
});

function template(
  name: string,
  category: WireTemplate['category'],
  components: WireTemplateComponent[],
  others: Partial<DemoTemplate> = {},
): DemoTemplate {
  return {
    name,
    category,
    language: 'en_US',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components,
    ...others,
  };
}

/** Templates of every header kind, status, category and parameter format, for trying things out. */
export const DEMO_TEMPLATES: DemoTemplate[] = [
  template('hello_world', 'UTILITY', [
    body('Welcome! This message has nothing to fill in.'),
    footer('Demo shop'),
  ]),
  template('order_update', 'UTILITY', [
    body('Hello {{1}}, your order {{2}} is on its way.', 'Amal', 'A-1001'),
    footer('Demo shop'),
  ]),
  template('order_update', 'UTILITY', [body('مرحبا {{1}}، طلبك {{2}} في الطريق 🚚', 'أمل', 'A-1001')], {
    language: 'ar',
  }),
  template('appointment_reminder', 'UTILITY', [
    { type: 'HEADER', format: 'TEXT', text: 'Reminder for {{1}}', example: { header_text: ['Amal'] } },
    body('We expect you on {{1}} at {{2}}.', 'Monday', '10:00'),
    {
      type: 'BUTTONS',
      buttons: [
        { type: 'QUICK_REPLY', text: 'Confirm' },
        { type: 'QUICK_REPLY', text: 'Cancel' },
      ],
    },
  ]),
  template('order_receipt', 'UTILITY', [
    media('DOCUMENT', 'receipt.pdf'),
    body('The receipt for order {{1}}.', 'A-1001'),
  ]),
  template('parcel_tracking', 'UTILITY', [
    body('Parcel {{1}} has left our house.', 'A-1001'),
    {
      type: 'BUTTONS',
      buttons: [{ type: 'URL', text: 'Track', url: 'https://example.com/track/{{1}}', example: ['A-1001'] }],
    },
  ]),
  template(
    'delivery_window',
    'UTILITY',
    [
      {
        type: 'BODY',
        text: 'Dear {{customer}}, your parcel comes between {{from}} and {{to}} today.',
        example: {
          body_text_named_params: [
            { param_name: 'customer', example: 'Amal' },
            { param_name: 'from', example: '10:00' },
            { param_name: 'to', example: '12:00' },
          ],
        },
      },
    ],
    { parameter_format: 'NAMED' },
  ),
  template('spring_offer', 'MARKETING', [
    media('IMAGE', 'spring.jpg'),
    body('Dear {{1}}, everything is {{2}} off until Sunday.', 'Amal', '20 %'),
    footer('Reply STOP to opt out'),
  ]),
  template('product_video', 'MARKETING', [
    media('VIDEO', 'tour.mp4'),
    body('See the new {{1}} in a minute.', 'collection'),
  ]),
  template('coupon', 'MARKETING', [
    body('A present for you, {{1}}!', 'Amal'),
    { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy code', example: ['SPRING20'] }] },
  ]),
  template('login_code', 'AUTHENTICATION', [
    {
      type: 'BODY',
      text: '*{{1}}* is your verification code.',
      add_security_recommendation: true,
      example: { body_text: [['123456']] },
    },
    { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          otp_type: 'COPY_CODE',
          text: 'Copy code',
          url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
          example: ['123456'],
        },
      ],
    },
  ]),
  template('winter_offer', 'MARKETING', [body('Winter is coming, {{1}}.', 'Amal')], { status: 'PENDING' }),
  template('free_money', 'MARKETING', [body('Dear {{1}}, you have won.', 'Amal')], {
    status: 'REJECTED',
    rejected_reason: 'SCAM',
  }),
  template('weekly_news', 'MARKETING', [body('The news of the week, {{1}}.', 'Amal')], {
    status: 'PAUSED',
    quality_score: { score: 'RED' },
  }),
  template('daily_offer', 'MARKETING', [body('The offer of the day, {{1}}.', 'Amal')], {
    status: 'DISABLED',
    quality_score: { score: 'RED' },
  }),
];
