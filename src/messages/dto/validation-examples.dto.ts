import type { ValidateResponse } from './validation.dto.js';

const TEMPLATE = {
  name: 'order_update',
  language: 'en_US',
  category: 'UTILITY',
  status: 'APPROVED',
  version: '90cb4669c449c84b174f865118b608e2',
} as const;

const PRICE = { amount: 0.004, currency: 'USD', market: 'North America', category: 'UTILITY' } as const;

export const VALID_EXAMPLE: ValidateResponse = {
  success: true,
  data: {
    valid: true,
    errors: [],
    message: {
      phone: '12025550100',
      template: TEMPLATE,
      rendered: {
        header: null,
        body: 'Hello Amal, your order A-1001 is on its way.',
        buttons: [],
        footer: 'Demo shop',
        offer: null,
        cards: [],
      },
      due_at: '2026-12-24T14:00:00.000Z',
      timezone: 'Asia/Dubai',
    },
    price: PRICE,
    warnings: [
      {
        code: 'RECIPIENT_UNDELIVERABLE_RECENTLY',
        message: 'A message to this recipient could not be delivered at 2026-12-24 09:31 UTC (error 131026).',
      },
    ],
  },
};

export const FAULTY_EXAMPLE: ValidateResponse = {
  success: true,
  data: {
    valid: false,
    errors: [
      {
        code: 'VALIDATION_FAILED',
        message: 'schedule_at: property schedule_at should not exist.',
        details: [{ field: 'schedule_at', message: 'property schedule_at should not exist' }],
      },
      {
        code: 'TEMPLATE_PARAMS_MISMATCH',
        message: 'Template order_update has 2 placeholders, data.params carries 1 string.',
        details: [{ field: 'data.params', expected: 2, actual: 1 }],
      },
      {
        code: 'INVALID_PHONE',
        message:
          'The phone number is not a possible international number. Give the country code and the number, as in +971501234567.',
        details: [{ field: 'phone' }],
      },
    ],
    message: {
      phone: null,
      template: TEMPLATE,
      rendered: null,
      due_at: '2026-12-24T14:00:00.000Z',
      timezone: null,
    },
    price: null,
    warnings: [],
  },
};
