import type { WireComponent } from '../provider/wire.js';
import { messageValues } from '../templates/domain/message-values.js';
import {
  type RenderedButton,
  type RenderedHeader,
  renderMessage,
  type RenderedMessage,
} from '../templates/domain/render-message.js';
import type { KnownTemplate } from '../templates/templates.service.js';
import type {
  RenderedButtonDto,
  RenderedCardDto,
  RenderedHeaderDto,
  RenderedMessageDto,
} from './dto/validation.dto.js';

/** The message of a template with these components, as the API tells it. */
export function renderedOf(
  { bodyJson, language }: Pick<KnownTemplate, 'bodyJson' | 'language'>,
  components: WireComponent[],
): RenderedMessageDto {
  const message = renderMessage(bodyJson, messageValues(components), language);
  return {
    ...cardOf(message),
    footer: message.footer || null,
    offer: message.offer,
    cards: message.cards.map(cardOf),
  };
}

function cardOf({ header, body, buttons }: RenderedMessage): RenderedCardDto {
  return { header: header && headerOf(header), body: body || null, buttons: buttons.map(buttonOf) };
}

function headerOf(header: RenderedHeader): RenderedHeaderDto {
  const nothing = { type: header.kind, text: null, url: null, file_name: null };
  switch (header.kind) {
    case 'text':
      return { ...nothing, text: header.text };
    case 'location':
      return { ...nothing, text: [header.name, header.address].filter(Boolean).join(', ') || null };
    case 'document':
      return { ...nothing, url: header.url, file_name: header.fileName };
    default:
      return { ...nothing, url: header.url };
  }
}

const buttonOf = ({ kind, label, target }: RenderedButton): RenderedButtonDto => ({
  type: kind,
  text: label,
  target,
});
