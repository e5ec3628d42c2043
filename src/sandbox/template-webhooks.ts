import type { WireTemplate, WireTemplateButton, WireWebhookChange } from '../provider/wire.js';
import { idAsNumber } from './ids.js';
import { findComponent, templateButtons } from './template-content.js';

/** The details of a status event. */
export interface StatusDetails {
  reason?: string;
  /** The title of `other_info`: FIRST_PAUSE, SECOND_PAUSE, RATE_LIMITING_PAUSE, UNPAUSE or DISABLED. */
  title?: string;
}

const DESCRIPTIONS: Record<string, string> = {
  FIRST_PAUSE: 'Your WhatsApp message template has been paused for 3 hours because it had low quality.',
  SECOND_PAUSE: 'Your WhatsApp message template has been paused for 6 hours because it had low quality.',
  RATE_LIMITING_PAUSE: 'Your WhatsApp message template has been paused because it was sent too often.',
  UNPAUSE: 'Your WhatsApp message template is active again.',
  DISABLED: 'Your WhatsApp message template has been disabled because it kept having low quality.',
};

/** The template's id as a number, and its language with a dash, as the provider writes them in webhooks. */
function identity({ id, name, language }: WireTemplate): Record<string, unknown> {
  return {
    message_template_id: idAsNumber(id),
    message_template_name: name,
    message_template_language: language.replace('_', '-'),
  };
}

/** `now` is the date in a `disable_info`. */
export function statusChange(
  template: WireTemplate,
  event: string,
  { reason, title }: StatusDetails,
  now: Date,
): WireWebhookChange {
  const value = {
    event,
    ...identity(template),
    message_template_category: template.category,
    reason: reason ?? 'NONE',
    ...(title && { other_info: { title, description: DESCRIPTIONS[title] ?? title } }),
    ...(event === 'DISABLED' && { disable_info: { disable_date: Math.floor(now.getTime() / 1000) } }),
    ...(event === 'REJECTED' && { rejection_info: rejection(reason) }),
  };
  return { field: 'message_template_status_update', value };
}

function rejection(reason = 'INVALID_FORMAT'): Record<string, string> {
  return {
    reason: `The template was rejected: ${reason}.`,
    recommendation: 'Change the content so that it follows the guidelines, then submit it again.',
  };
}

export function qualityChange(template: WireTemplate, previous: string, score: string): WireWebhookChange {
  return {
    field: 'message_template_quality_update',
    value: { previous_quality_score: previous, new_quality_score: score, ...identity(template) },
  };
}

/** With a `correct` category it is a warning, 24 h ahead; without one, the change has happened. */
export function categoryChange(
  template: WireTemplate,
  categories: { previous?: string; next: string; correct?: string },
): WireWebhookChange {
  const { previous, next, correct } = categories;
  return {
    field: 'template_category_update',
    value: {
      ...identity(template),
      ...(previous && { previous_category: previous }),
      new_category: next,
      ...(correct && { correct_category: correct }),
    },
  };
}

export function componentsChange(template: WireTemplate): WireWebhookChange {
  const { components } = template;
  const title = findComponent(components, 'HEADER')?.text;
  const footer = findComponent(components, 'FOOTER')?.text;
  const buttons = templateButtons(components).map(describeButton);
  return {
    field: 'message_template_components_update',
    value: {
      ...identity(template),
      message_template_element: findComponent(components, 'BODY')?.text ?? '',
      ...(title && { message_template_title: title }),
      ...(footer && { message_template_footer: footer }),
      ...(buttons.length > 0 && { message_template_buttons: buttons }),
    },
  };
}

function describeButton({ type, text, url, phone_number }: WireTemplateButton): Record<string, unknown> {
  return {
    message_template_button_type: type,
    message_template_button_text: text,
    ...(url && { message_template_button_url: url }),
    ...(phone_number && { message_template_button_phone_number: phone_number }),
  };
}
