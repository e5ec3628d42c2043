import { hasPlaceholder } from './placeholders.js';

/** One button of a template; `index` is the position that a send's button component names. */
export interface TemplateButton {
  index: number;
  /** As the provider says it, in capitals: `URL`, `QUICK_REPLY`, `PHONE_NUMBER`, `COPY_CODE`, `OTP`, `FLOW`, … */
  type: string;
  text: string | null;
  url: string | null;
  /** Whether every send must carry a `url` button component with one text parameter for it. */
  hasUrlVariable: boolean;
}

/** The URL of an authentication template's code button, which the provider stores as a URL button. */
const OTP_URL = /^https:\/\/(www\.)?whatsapp\.com\/otp\//i;

/** Whether a URL button is in truth the code button of an authentication template. */
export const isCodeUrl = (url: string): boolean => OTP_URL.test(url);

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function readButton(stored: unknown, index: number): TemplateButton {
  const button = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>;
  const type = (textOrNull(button.type) ?? '').trim().toUpperCase();
  const url = textOrNull(button.url);
  const takesVariable = url !== null && (hasPlaceholder(url) || isCodeUrl(url));
  return {
    index,
    type,
    text: textOrNull(button.text),
    url,
    hasUrlVariable: type === 'OTP' || (type === 'URL' && takesVariable),
  };
}

/** The buttons of the `BUTTONS` components, numbered from 0. An odd entry keeps its place, so that indexes fit. */
export function readButtons(components: Record<string, unknown>[]): TemplateButton[] {
  return components
    .flatMap((component): unknown[] => (Array.isArray(component.buttons) ? component.buttons : []))
    .map((button, index) => readButton(button, index));
}
