import type { WireTemplateButton, WireTemplateComponent } from '../../provider/wire.js';
import { plainPhone, urlVariable } from './draft-button-rules.js';
import { placeholdersOf } from './placeholders.js';
import { isMediaKind, type DraftButton, type TemplateDraft } from './template-draft.js';

type Example = NonNullable<WireTemplateComponent['example']>;

/**
 * The draft as the provider's components for creating or editing a template, with samples in `example`. Empty parts are
 * left out, and texts are trimmed. It does not check the draft: see `checkDraft`.
 */
export function toComponents(draft: TemplateDraft): WireTemplateComponent[] {
  if (draft.category === 'AUTHENTICATION') return authenticationComponents(draft);
  const footer = draft.footer.trim();
  return [
    ...headerComponent(draft),
    bodyComponent(draft),
    ...(footer === '' ? [] : [{ type: 'FOOTER', text: footer }]),
    ...(draft.buttons.length === 0 ? [] : [{ type: 'BUTTONS', buttons: draft.buttons.map(wireButton) }]),
  ];
}

function headerComponent(draft: TemplateDraft): WireTemplateComponent[] {
  const { kind, text, media_handle, media_url } = draft.header;
  if (kind === 'none') return [];
  if (kind === 'text')
    return [{ type: 'HEADER', format: 'TEXT', text: text.trim(), ...headerExample(draft) }];
  const component = { type: 'HEADER', format: kind.toUpperCase() };
  const sample = media_handle ?? media_url;
  if (!isMediaKind(kind) || sample === null) return [component];
  return [{ ...component, example: { header_handle: [sample] } }];
}

function headerExample({ header, parameter_format: format }: TemplateDraft): { example?: Example } {
  const [key] = placeholdersOf(header.text, format);
  if (key === undefined) return {};
  const sample = header.text_sample.trim();
  if (format === 'POSITIONAL') return { example: { header_text: [sample] } };
  return { example: { header_text_named_params: [{ param_name: key, example: sample }] } };
}

function bodyComponent({
  body,
  body_samples,
  parameter_format: format,
}: TemplateDraft): WireTemplateComponent {
  const samples = placeholdersOf(body, format).map((key) => ({
    param_name: key,
    example: (body_samples[key] ?? '').trim(),
  }));
  const component = { type: 'BODY', text: body.trim() };
  if (samples.length === 0) return component;
  if (format === 'NAMED') return { ...component, example: { body_text_named_params: samples } };
  return { ...component, example: { body_text: [samples.map(({ example }) => example)] } };
}

function wireButton(button: DraftButton): WireTemplateButton {
  if (button.type === 'copy_code') return { type: 'COPY_CODE', example: button.sample.trim() };
  const text = button.text.trim();
  if (button.type === 'quick_reply') return { type: 'QUICK_REPLY', text };
  if (button.type === 'phone_number') {
    return { type: 'PHONE_NUMBER', text, phone_number: plainPhone(button.phone_number) };
  }
  const url = button.url.trim();
  const example = urlVariable(url) ? { example: [button.sample.trim()] } : {};
  return { type: 'URL', text, url, ...example };
}

/** Only the choices are sent: the provider writes the texts itself. */
function authenticationComponents({ authentication }: TemplateDraft): WireTemplateComponent[] {
  const { add_security_recommendation, code_expiration_minutes, button_text } = authentication;
  const text = button_text.trim();
  const footer = code_expiration_minutes === null ? [] : [{ type: 'FOOTER', code_expiration_minutes }];
  const button = { type: 'OTP', otp_type: 'COPY_CODE', ...(text !== '' && { text }) };
  return [{ type: 'BODY', add_security_recommendation }, ...footer, { type: 'BUTTONS', buttons: [button] }];
}
