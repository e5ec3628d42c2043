import type { WireTemplate } from '../../src/provider/wire.js';

/** The template that is sent. */
export const SENT_TEMPLATE = 'order_update';

/** The most templates that a business account has. */
const COUNT = 250;

const BODY = 'Hello {{1}}, your order {{2}} is on its way and will be with you before the end of the day.';

/** The templates of the benchmark's business account. */
export const TEMPLATES: WireTemplate[] = Array.from({ length: COUNT }, (_, i) => ({
  id: String(100_000_000_000_000 + i),
  name: i === 0 ? SENT_TEMPLATE : `${SENT_TEMPLATE}_${i}`,
  language: 'en_US',
  status: 'APPROVED',
  category: 'UTILITY',
  parameter_format: 'POSITIONAL',
  components: [
    { type: 'HEADER', format: 'TEXT', text: 'Your order' },
    { type: 'BODY', text: BODY, example: { body_text: [['Amal', 'A-1001']] } },
    { type: 'FOOTER', text: 'You get this message because you have ordered.' },
  ],
}));
