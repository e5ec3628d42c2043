import type { SendMessageDto } from './send-message.dto.js';
import type { SendResponse } from './send-acknowledgement.dto.js';

const SALES = 'acc_DemoSalesNumber00001';
const PHONE = '+12025550100';

const text = (value: string) => ({ type: 'text' as const, text: value });

interface Example {
  summary: string;
  description?: string;
  value: SendMessageDto;
}

const send = (
  summary: string,
  data: SendMessageDto['data'],
  others: Partial<SendMessageDto> = {},
): Example => ({
  summary,
  value: { messaging_account_id: SALES, phone: PHONE, message_type: 'template', data, ...others },
});

/** Bodies that the embedded demo accepts as they are; test/openapi.spec.ts sends each of them. */
export const SEND_EXAMPLES: Record<string, Example> = {
  body_components: send('Body parameters as a component', {
    name: 'order_update',
    language_code: 'en_US',
    components: [{ type: 'body', parameters: [text('Amal'), text('A-1001')] }],
  }),
  params: send('Body parameters as data.params', { name: 'order_update', params: ['Amal', 'A-1001'] }),
  no_parameters: send('A template with nothing to fill in', { name: 'hello_world' }),
  other_language: send('The same template in Arabic', {
    name: 'order_update',
    language_code: 'ar',
    params: ['أمل', 'A-1001'],
  }),
  text_header: send('A text header with a placeholder', {
    name: 'appointment_reminder',
    components: [
      { type: 'header', parameters: [text('Amal')] },
      { type: 'body', parameters: [text('Monday'), text('10:00')] },
    ],
  }),
  image_header: send('An image header', {
    name: 'spring_offer',
    components: [
      {
        type: 'header',
        parameters: [{ type: 'image', image: { link: 'https://example.com/samples/spring.jpg' } }],
      },
      { type: 'body', parameters: [text('Amal'), text('20 %')] },
    ],
  }),
  document_header: send('A document header, the body by data.params', {
    name: 'order_receipt',
    params: ['A-1001'],
    components: [
      {
        type: 'header',
        parameters: [
          {
            type: 'document',
            document: { link: 'https://example.com/samples/receipt.pdf', filename: 'receipt-A-1001.pdf' },
          },
        ],
      },
    ],
  }),
  named_parameters: send('Named parameters', {
    name: 'delivery_window',
    components: [
      {
        type: 'body',
        parameters: [
          { ...text('Amal'), parameter_name: 'customer' },
          { ...text('10:00'), parameter_name: 'from' },
          { ...text('12:00'), parameter_name: 'to' },
        ],
      },
    ],
  }),
  url_button: send('A button with a variable in its URL', {
    name: 'parcel_tracking',
    components: [
      { type: 'body', parameters: [text('A-1001')] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [text('A-1001')] },
    ],
  }),
  authentication_code: send('A one-time code: in the body and in the button', {
    name: 'login_code',
    components: [
      { type: 'body', parameters: [text('123456')] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [text('123456')] },
    ],
  }),
  scheduled: {
    ...send(
      'At a later time',
      { name: 'order_update', params: ['Amal', 'A-1001'] },
      { scheduled_at: '2026-12-24T18:00:00', timezone: 'Asia/Dubai' },
    ),
    description:
      '18:00 on the wall clock of Dubai. A time has to lie within the next 365 days: the page at /docs fills in tomorrow.',
  },
  auto_retry: {
    ...send(
      'One retry after the marketing cap',
      {
        name: 'spring_offer',
        params: ['Amal', '20 %'],
        components: [
          {
            type: 'header',
            parameters: [{ type: 'image', image: { link: 'https://example.com/samples/spring.jpg' } }],
          },
        ],
      },
      { phone: '+12025550112', auto_retry_on_frequency_cap: true },
    ),
    description:
      'To the sandbox, a number that ends in 0112 has reached its marketing cap: the message fails with 131049, and its retry stands in the list as scheduled, 26 hours later.',
  },
};

export const SEND_RESPONSE_EXAMPLE: SendResponse = {
  success: true,
  data: { status: 'queued', message_log_id: 1, conversation_category: 'UTILITY', cost: 0.004 },
};
