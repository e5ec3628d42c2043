import type { AlertKind } from './alert-kind.js';

/** What people read of an alert beside its own text, on the page and in mails. */
export interface AlertWords {
  title: string;
  /** What to do about it. */
  advice: string;
}

/** Of each kind. */
export const ALERT_WORDS: Readonly<Record<AlertKind, AlertWords>> = {
  account_banned: {
    title: 'The provider has disabled this business account',
    advice:
      "Ask for a review in the provider's manager. Messages wait until the provider enables the account again.",
  },
  account_ban_scheduled: {
    title: 'The provider will disable this business account',
    advice:
      "Look at the reason in the provider's manager, and ask for a review before the day that it names.",
  },
  account_restricted: {
    title: 'The provider has restricted this business account',
    advice:
      "Look at the reason in the provider's manager. Sending goes on by itself when the restriction ends.",
  },
  account_deleted: {
    title: 'This business account was deleted at the provider',
    advice: 'Move its numbers to another business account, if messages have to go out.',
  },
  account_removed: {
    title: 'The provider gives this service no access to the business account any more',
    advice: "Share the account with the service's app again in the provider's manager.",
  },
  account_violation: {
    title: 'The provider sees its rules broken',
    advice: "Look at the violation in the provider's manager, and change or stop the messages that it names.",
  },
  account_alert: {
    title: 'The provider alerts',
    advice: "Look at the account in the provider's manager.",
  },
  security: {
    title: 'A security setting was changed at the provider',
    advice: 'If nobody of yours has changed it, secure the account at the provider now.',
  },
  account_news: {
    title: 'News of this business account',
    advice: 'Nothing has to be done, unless the text says so.',
  },
  category_change: {
    title: 'The category of a template will change',
    advice: 'Change the text of the template, or reckon with the other price. It ends by itself.',
  },
  template_paused: {
    title: 'The provider has paused a template',
    advice:
      'Its messages wait. Recipients have blocked or reported them: send them to fewer people, or change the text.',
  },
  template_disabled: {
    title: 'The provider has disabled a template',
    advice: 'It cannot be sent any more. Write another template, and send that instead.',
  },
  template_rejected: {
    title: 'The provider has rejected a template',
    advice: 'Change what the reason names in the template editor, and submit it again.',
  },
  template_recategorised: {
    title: 'A template has another category',
    advice:
      "Messages cost the price of the new category. Ask for a review in the provider's manager if it is wrong.",
  },
  number_quality: {
    title: 'The quality of a number is low',
    advice: 'Recipients block or report its messages. Send fewer of them, and only to people who want them.',
  },
  hold: {
    title: 'Messages wait',
    advice:
      'Mend the cause at the provider. One message a minute tries whether it is gone; the rest then goes out.',
  },
  token_refused: {
    title: 'The provider refuses the access token',
    advice: 'Enter a new token on the page Numbers. Messages wait until then, and none is lost.',
  },
  message_refused: {
    title: 'The provider refuses a single message',
    advice: 'Look at its recipient and its parameters. The other messages of its number go on.',
  },
  receipts_missing: {
    title: 'No receipts come',
    advice: "Check the webhook in the app's settings at the provider: its address is on the page Numbers.",
  },
  spending: {
    title: 'Spending nears its limit, or has reached it',
    advice: 'Raise the limit, or send less until its period ends.',
  },
  endpoint_disabled: {
    title: 'Events are no longer posted to a webhook endpoint',
    advice:
      'Mend the endpoint, then enable it on the page Webhook endpoints. It gets everything from there on.',
  },
  unknown_account: {
    title: 'Webhooks of an account that this service does not know',
    advice: 'Add the account, or end its webhooks at the provider.',
  },
};
