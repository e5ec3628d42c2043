import type { ErrorClass } from '../pages/messages/types';

/** A fault in plain words, and what to do about it. */
export interface ErrorText {
  meaning: string;
  advice: string;
}

/** The meanings of error codes: the provider's, which src/provider/error-table.ts has, and the service's own. */
const BY_CODE: Record<number | string, ErrorText> = {
  EXPIRED: {
    meaning: 'The message was not wanted any more when it could have left.',
    advice: 'Look at what held it up: a hold or the rate of its number. If it is still wanted, send it anew.',
  },
  RECIPIENT_OPTED_OUT: {
    meaning: 'The recipient has opted out since the message was accepted.',
    advice: 'Send to this recipient again only when they want it: see the opt-outs for what they have said.',
  },
  COST_ABOVE_MAX: {
    meaning: 'When it was to leave, the message would have cost more than it may.',
    advice:
      'Look at the rate card and the template’s category, and send it anew if the price is right for you.',
  },
  EXPECTATION_FAILED: {
    meaning: 'When it was to leave, its template was not what the sender expected any more.',
    advice: 'Look at the template’s history, and send it anew if its content and category are right for you.',
  },
  100: {
    meaning: 'The provider did not accept a value of the message.',
    advice: 'Check the values against the template, above all links and media, and send it anew.',
  },
  130403: {
    meaning: 'You have blocked this recipient.',
    advice: 'Unblock the recipient at the provider before you send again.',
  },
  130472: {
    meaning: 'The provider keeps some recipients from marketing messages as part of an experiment.',
    advice:
      'Nothing is wrong on your side and retrying does not help. Reach this recipient by another channel.',
  },
  131008: {
    meaning: 'A value that the template needs was missing.',
    advice: 'Fill every placeholder and send it anew.',
  },
  131009: {
    meaning: 'A value has the wrong form or length.',
    advice: 'Check the values against the template and send it anew.',
  },
  131021: {
    meaning: 'The recipient is the sending number itself.',
    advice: 'Send to another number, or from another of yours.',
  },
  131026: {
    meaning: 'The message could not be delivered. Most often the number is not on WhatsApp.',
    advice:
      'Check the number with the recipient, who may also have to update WhatsApp or accept its new terms.',
  },
  131047: {
    meaning: 'More than 24 hours have passed since the recipient last wrote to you.',
    advice: 'Send an approved template instead of free text.',
  },
  131049: {
    meaning: 'The recipient has had enough marketing messages for now, from all businesses together.',
    advice:
      'With the auto-retry on, it is tried once more after 26 hours. Else wait a day or more; sooner makes it worse.',
  },
  131050: {
    meaning: 'The recipient has stopped marketing messages from you.',
    advice: 'Take the recipient off your marketing lists. Utility messages can still be sent.',
  },
  131051: { meaning: 'The provider does not support this kind of message.', advice: 'Use another template.' },
  131052: {
    meaning: 'The provider could not download the media of the message.',
    advice:
      'Make sure that its link opens without signing in, over HTTPS, and is of the right type and size.',
  },
  131053: {
    meaning: 'The provider could not take the media of the message.',
    advice: 'Check its type and size; a JPEG, PNG, MP4 or PDF is safe.',
  },
  132000: {
    meaning: 'The number of values does not match the template.',
    advice: 'The template has changed. Sync it, fill every placeholder and send the message anew.',
  },
  132001: {
    meaning: 'The template does not exist in this language, or is not approved.',
    advice: 'Look at the template’s status and language, and sync the templates.',
  },
  132005: {
    meaning: 'With its values filled in, the text is too long.',
    advice: 'Shorten the values and send it anew.',
  },
  132007: {
    meaning: 'The template breaks a policy of the provider.',
    advice: 'Edit the template and have it reviewed again.',
  },
  132015: {
    meaning: 'The provider has paused the template for its low quality.',
    advice: 'Wait until the pause ends, and improve the template: recipients have blocked or reported it.',
  },
  132016: {
    meaning: 'The provider has disabled the template for its low quality.',
    advice: 'It cannot be used again. Make a new one that recipients welcome.',
  },
  190: {
    meaning: 'The access token has expired or is not valid.',
    advice: 'Put a new token into the business account, under Numbers.',
  },
  131042: {
    meaning: 'The provider could not charge the business account.',
    advice: 'Settle the payment method in the provider’s business manager.',
  },
};

const BY_CLASS: Record<ErrorClass, ErrorText> = {
  transient: {
    meaning: 'The provider was out of order for longer than this message could wait.',
    advice: 'Send it anew.',
  },
  account_rate: {
    meaning:
      'The business account sent more than the provider allows, for longer than this message could wait.',
    advice: 'Spread large sends over more time, then send it anew.',
  },
  number_rate: {
    meaning: 'The number sent more than the provider allows, for longer than this message could wait.',
    advice: 'Lower the number’s rate or spread large sends over more time, then send it anew.',
  },
  pair_rate: {
    meaning: 'Too many messages went to this recipient in a short time.',
    advice: 'Wait a while before you write to this recipient again.',
  },
  spam: {
    meaning: 'The provider restricts the number, as recipients have blocked or reported its messages.',
    advice: 'Send less, and only to people who asked for it, until the number’s quality is better.',
  },
  auth: {
    meaning: 'The provider did not accept our access.',
    advice: 'Check the access token and its permissions, under Numbers.',
  },
  account: {
    meaning: 'The provider does not let the business account or its number send.',
    advice: 'Look into the provider’s business manager for what is blocked, unpaid or not registered.',
  },
  category: {
    meaning: 'The provider does not let the business account send messages of this category.',
    advice:
      'Look into the provider’s business manager: marketing may be switched off, or terms not accepted.',
  },
  misrouted: {
    meaning: 'Something else than the provider answered.',
    advice: 'Check the provider’s address in the configuration, and the proxy on the way to it.',
  },
  template_permanent: {
    meaning: 'The message does not fit the template, or the template may not be used.',
    advice: 'Look at the template, sync it, and send the message anew.',
  },
  template_recoverable: {
    meaning: 'The template may not be used for now.',
    advice: 'Wait until the provider lifts it, and improve the template.',
  },
  recipient: {
    meaning: 'The provider refused this message for good.',
    advice: 'Read the provider’s own words below, mend what they name, and send it anew.',
  },
  marketing_cap: {
    meaning: 'The recipient has had enough marketing messages for now.',
    advice: 'Wait a day or more before you try again.',
  },
  unknown: {
    meaning: 'The provider did not answer, and no receipt came.',
    advice: 'Ask the recipient before you send it anew: it may have arrived.',
  },
};

/** The words for a message that the service itself has ended. */
const OURS: ErrorText = {
  meaning: 'The service ended this message before the provider confirmed it.',
  advice: 'The reason stands below. If it is still wanted, send it anew.',
};

/** The words for an error: those of its code, or else of its class. */
export function messageErrorText(code: number | string | null, errorClass: ErrorClass | null): ErrorText {
  return (code === null ? undefined : BY_CODE[code]) ?? (errorClass === null ? OURS : BY_CLASS[errorClass]);
}
