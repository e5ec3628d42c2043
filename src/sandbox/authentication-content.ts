import { authenticationBody, authenticationTexts } from '../provider/domain/authentication-texts.js';
import type { WireTemplateButton, WireTemplateComponent } from '../provider/wire.js';

/**
 * What the provider makes of an authentication draft: it writes the texts itself, and lists the one-time-password
 * button as a URL button whose variable is the code.
 */
export function authenticationContent(
  components: WireTemplateComponent[],
  language: string,
): WireTemplateComponent[] {
  return components.map((component) => {
    if (component.type === 'BODY') return bodyOf(component, language);
    if (component.type === 'FOOTER') return footerOf(component, language);
    if (!component.buttons) return component;
    return { ...component, buttons: component.buttons.map((button) => buttonOf(button, language)) };
  });
}

function bodyOf(body: WireTemplateComponent, language: string): WireTemplateComponent {
  return {
    ...body,
    text: authenticationBody(language, body.add_security_recommendation === true),
    example: { body_text: [['123456']] },
  };
}

function footerOf(footer: WireTemplateComponent, language: string): WireTemplateComponent {
  const minutes = Number(footer.code_expiration_minutes);
  return minutes > 0 ? { ...footer, text: authenticationTexts(language).expiry(minutes) } : footer;
}

function buttonOf(button: WireTemplateButton, language: string): WireTemplateButton {
  if (button.type !== 'OTP') return button;
  const url = `https://www.whatsapp.com/otp/code/?otp_type=${button.otp_type ?? 'COPY_CODE'}&code=otp{{1}}`;
  return {
    type: 'URL',
    text: button.text ?? authenticationTexts(language).copy,
    url,
    example: [url.replace('{{1}}', '123456')],
  };
}
