/** The values of a message, to be put into its template. A missing one leaves its placeholder. */
export interface MessageValues {
  header?: {
    /** The value for the one placeholder of a text header. */
    text?: string;
    mediaUrl?: string;
    /** The file name of a document. */
    fileName?: string;
    location?: { name?: string; address?: string };
  };
  /** Values by placeholder: `1`, or a name. */
  body?: Record<string, string>;
  /** Values by the button's index: the variable of its URL, or the code that it copies. */
  buttons?: Record<number, string>;
  /** The values of a carousel's cards, in order. */
  cards?: MessageValues[];
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);
const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/**
 * The values of a message from the components with which it was sent, in the form of the API. Components are stored
 * JSON: unexpected parts are ignored.
 */
export function messageValues(components: unknown): MessageValues {
  const sent = listOf(components);
  const find = (type: string) => sent.find((component) => component.type === type);
  const header = find('header');
  const body = find('body');
  const cards = listOf(find('carousel')?.cards).toSorted(
    (a, b) => Number(a.card_index) - Number(b.card_index),
  );
  const buttons = sent.filter(({ type }) => type === 'button');
  return {
    ...(header && { header: headerValues(listOf(header.parameters)[0] ?? {}) }),
    ...(body && { body: bodyValues(listOf(body.parameters)) }),
    ...(buttons.length > 0 && { buttons: Object.fromEntries(buttons.flatMap(buttonValue)) }),
    ...(cards.length > 0 && { cards: cards.map((card) => messageValues(card.components)) }),
  };
}

/** The text of a parameter; amounts and times come with a text to show. */
function parameterText({ text, currency, date_time }: Fields): string | undefined {
  return (
    textOf(text) ?? textOf(fieldsOf(currency).fallback_value) ?? textOf(fieldsOf(date_time).fallback_value)
  );
}

function headerValues(parameter: Fields): NonNullable<MessageValues['header']> {
  const text = parameterText(parameter);
  const media = fieldsOf(parameter.image ?? parameter.video ?? parameter.document);
  const [mediaUrl, fileName] = [textOf(media.link), textOf(media.filename)];
  const { name, address } = fieldsOf(parameter.location);
  const location = {
    ...(textOf(name) !== undefined && { name: textOf(name)! }),
    ...(textOf(address) !== undefined && { address: textOf(address)! }),
  };
  return {
    ...(text !== undefined && { text }),
    ...(mediaUrl !== undefined && { mediaUrl }),
    ...(fileName !== undefined && { fileName }),
    ...(isFields(parameter.location) && { location }),
  };
}

function bodyValues(parameters: Fields[]): Record<string, string> {
  const entries = parameters.map((parameter, i) => [
    textOf(parameter.parameter_name) ?? String(i + 1),
    parameterText(parameter) ?? '',
  ]);
  return Object.fromEntries(entries);
}

/** The value of a button by its index. The payload of a quick reply is no value, as it is not shown. */
function buttonValue({ index, parameters }: Fields): [string, string][] {
  const [parameter] = listOf(parameters);
  const value = textOf(parameter?.text) ?? textOf(parameter?.coupon_code);
  return value === undefined ? [] : [[String(Number(index)), value]];
}
