import type { WireParameter } from '../provider/wire.js';
import { GraphError } from './graph-error.js';
import { isObject } from './send-request.js';

/**
 * Checks parameters for the template's placeholders (`expected`). `place` is `body` or `header`.
 * Throws 132000 for a wrong count, 100 for a wrong name, 131008 and 132018 for a text that cannot be sent.
 */
export function checkTextParameters(
  place: string,
  expected: string[],
  named: boolean,
  parameters: WireParameter[],
): void {
  if (parameters.length !== expected.length) throw countMismatch(place, parameters.length, expected.length);
  for (const parameter of parameters) checkText(place, parameter);
  if (!named) return;
  const names = new Set(parameters.map(({ parameter_name }) => parameter_name));
  const missing = expected.find((name) => !names.has(name));
  if (missing !== undefined) {
    throw new GraphError(100, `${place}: Parameter name is missing or empty, expected ${missing}`);
  }
}

export function countMismatch(place: string, actual: number, expected: number): GraphError {
  return new GraphError(
    132000,
    `${place}: number of localizable_params (${actual}) does not match the expected number of params (${expected})`,
  );
}

/**
 * Throws 132012 unless there is exactly one parameter, with media of `kind` (image, video, document); 131053 when its
 * id is of no upload.
 */
export function checkMedia(
  kind: string,
  parameters: WireParameter[],
  isMedia: (id: string) => boolean,
): void {
  const [parameter] = parameters;
  if (parameters.length !== 1 || parameter?.type !== kind) {
    const received = parameter?.type.toUpperCase() ?? 'UNKNOWN';
    throw new GraphError(
      132012,
      `header: Format mismatch, expected ${kind.toUpperCase()}, received ${received}`,
    );
  }
  const media: unknown = parameter[kind as 'image'];
  const { id, link } = isObject(media) ? media : {};
  if (typeof id === 'string' && id !== '' && link === undefined) {
    if (isMedia(id)) return;
    throw new GraphError(131053, `header: ${id.slice(0, 100)} is not the id of a medium that was uploaded`);
  }
  if (typeof link === 'string' && id === undefined && /^https?:\/\/\S+$/i.test(link)) return;
  throw new GraphError(132012, `header: ${kind} needs exactly one of id and link, the link an HTTP(S) URL`);
}

/** Throws 132012 unless the parameters are one location with coordinates. */
export function checkLocation(parameters: WireParameter[]): void {
  const [parameter] = parameters;
  const location: unknown = parameter?.type === 'location' ? parameter.location : undefined;
  const { latitude, longitude } = isObject(location) ? location : {};
  if (parameters.length === 1 && isCoordinate(latitude, 90) && isCoordinate(longitude, 180)) return;
  throw new GraphError(132012, 'header: Format mismatch, expected LOCATION with latitude and longitude');
}

function isCoordinate(value: unknown, most: number): boolean {
  const isNumeric = typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
  return isNumeric && Math.abs(Number(value)) <= most;
}

function checkText(place: string, parameter: WireParameter): void {
  if (!['text', 'currency', 'date_time'].includes(parameter.type)) {
    throw new GraphError(132012, `${place}: Parameter of type ${parameter.type} is not expected here`);
  }
  const { type, currency, date_time } = parameter;
  if (type === 'currency' && !(isCode(currency?.code) && Number.isInteger(currency?.amount_1000)))
    throw new GraphError(131008, `${place}: Parameter of type currency needs code and amount_1000`);
  const texts = {
    text: parameter.text,
    currency: currency?.fallback_value,
    date_time: date_time?.fallback_value,
  };
  const text: unknown = texts[type as keyof typeof texts];
  if (typeof text !== 'string' || text === '') {
    throw new GraphError(131008, `${place}: Parameter of type ${parameter.type} is missing its text value`);
  }
  if (/[\n\r\t]| {5,}/.test(text)) {
    throw new GraphError(
      132018,
      `${place}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    );
  }
}

/** Whether it is a currency code of ISO 4217. */
function isCode(code: unknown): boolean {
  return typeof code === 'string' && /^[A-Z]{3}$/.test(code);
}
