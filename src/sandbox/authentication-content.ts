import type { WireTemplateButton, WireTemplateComponent } from '../provider/wire.js';

/**
 * What the provider makes of an authentication draft: it writes the texts itself, and lists the one-time-password
 * button as a URL button whose variable is the code.
 */
export function authenticationContent(components: WireTemplateComponent[]): WireTemplateComponent[] {
  return components.map((component) => {
    if (component.type === 'BODY') return bodyOf(component);
    if (component.type === 'FOOTER') return footerOf(component);
    return component.buttons ? { ...component, buttons: component.buttons.map(buttonOf) } : component;
  });
}

function bodyOf(body: WireTemplateComponent): WireTemplateComponent {
  const advice =
    body.add_security_recommendation === true ? ' For your security, do not share this code.' : '';
  return {
    ...body,
    text: `*{{1}}* is your verification code.${advice}`,
    example: { body_text: [['123456']] },
  };
}

function footerOf(footer: WireTemplateComponent): WireTemplateComponent {
  const minutes = Number(footer.code_expiration_minutes);
  return minutes > 0 ? { ...footer, text: `This code expires in ${minutes} minutes.` } : footer;
}

function buttonOf(button: WireTemplateButton): WireTemplateButton {
  if (button.type !== 'OTP') return button;
  const url = `https://www.whatsapp.com/otp/code/?otp_type=${button.otp_type ?? 'COPY_CODE'}&code=otp{{1}}`;
  return { type: 'URL', text: button.text ?? 'Copy code', url, example: [url.replace('{{1}}', '123456')] };
}
