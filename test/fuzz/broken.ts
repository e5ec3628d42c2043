import fc from 'fast-check';
import { toJsonText } from './json-text.js';
import { oddText, oddValue, PROTOTYPE_NAMES } from './odd-values.js';

type Fields = Record<string, unknown>;

/** One change of a JSON value; `place` chooses where, whatever the value's size. */
export interface Edit {
  kind: 'replace' | 'remove' | 'add' | 'repeat' | 'wrap' | 'rename';
  place: number;
  name: string;
  value: unknown;
}

/** One change of the text of a JSON value. */
export interface TextEdit {
  kind: 'cut' | 'insert' | 'repeat_field' | 'prepend' | 'append' | 'bytes';
  place: number;
  text: string;
}

const PLACES = 10_000;
const place = fc.nat(PLACES);
const fieldName = fc.oneof(
  fc.constantFrom(...PROTOTYPE_NAMES, 'id', 'type', 'schedule_at', 'tenant_id'),
  oddText,
);

/** @param values that replace others; @param names of fields that are added */
export const editWith = (values: fc.Arbitrary<unknown>, names: fc.Arbitrary<string>): fc.Arbitrary<Edit> =>
  fc.record({
    kind: fc.constantFrom<Edit['kind']>('replace', 'replace', 'remove', 'add', 'repeat', 'wrap', 'rename'),
    place,
    name: names,
    value: values,
  });

const edit = editWith(oddValue, fieldName);

const textEdit: fc.Arbitrary<TextEdit> = fc.record({
  kind: fc.constantFrom<TextEdit['kind']>('cut', 'insert', 'repeat_field', 'prepend', 'append', 'bytes'),
  place,
  text: fc.oneof(fc.constantFrom('{', '}', '"', ',', '\\', '\ufeff', '//', '\0', '1', 'null'), oddText),
});

/** The value after these changes; the given one stays as it is. */
export function edited(value: unknown, changes: readonly Edit[]): unknown {
  const root = { value: structuredClone(value) };
  for (const one of changes) {
    const spots = spotsOf(root as Fields);
    const spot = spots[one.place % spots.length];
    if (spot) apply(one, spot);
  }
  return root.value;
}

/** The place of a value: a field of an object or array. */
interface Spot {
  holder: Fields;
  key: string;
}

/** Every place within a value, the value itself first. */
function spotsOf(holder: Fields): Spot[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const inner = typeof value === 'object' && value !== null ? spotsOf(value as Fields) : [];
    return [{ holder, key }, ...inner];
  });
}

/** Sets an ordinary property, whatever its name, such as `__proto__`. */
function put(holder: Fields, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true });
}

function apply({ kind, name, value }: Edit, { holder, key }: Spot): void {
  const old = holder[key];
  const target = (typeof old === 'object' && old !== null ? old : holder) as Fields;
  const copy = () => structuredClone(value);
  if (kind === 'replace') put(holder, key, copy());
  else if (kind === 'wrap') put(holder, key, [old]);
  else if (kind === 'remove') remove(holder, key);
  else if (kind === 'repeat') repeat(holder, old);
  else if (kind === 'rename') rename(holder, key, name);
  else if (Array.isArray(target)) target.push(copy());
  else put(target, name, copy());
}

function remove(holder: Fields, key: string): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function repeat(holder: Fields, value: unknown): void {
  if (Array.isArray(holder)) holder.push(structuredClone(value));
}

function rename(holder: Fields, key: string, name: string): void {
  const value = holder[key];
  if (Array.isArray(holder)) return;
  delete holder[key];
  put(holder, name, value);
}

/** The bytes of a text after these changes. */
export function editedText(text: string, changes: readonly TextEdit[]): Buffer {
  return changes.reduce<Buffer>((before, one) => applyToText(one, before), Buffer.from(text));
}

function applyToText({ kind, place: at, text }: TextEdit, before: Buffer): Buffer {
  const position = at % (before.length + 1);
  const [head, tail] = [before.subarray(0, position), before.subarray(position)];
  switch (kind) {
    case 'cut':
      return head;
    case 'insert':
      return Buffer.concat([head, Buffer.from(text), tail]);
    case 'prepend':
      return Buffer.concat([Buffer.from(text), before]);
    case 'append':
      return Buffer.concat([before, Buffer.from(text)]);
    case 'bytes': // no UTF-8
      return Buffer.concat([head, Buffer.from([0xff, 0xc0, 0x80, at % 256]), tail]);
    case 'repeat_field':
      return repeatedField(before, text);
  }
}

/** Repeats the last field of an object with another value: most readers use the last one, but not all. */
function repeatedField(before: Buffer, text: string): Buffer {
  const json = before.toString();
  const name = /"([^"\\]*)":(?!.*"[^"\\]*":)/s.exec(json)?.[1] ?? 'phone';
  return Buffer.from(json.replace(/\}\s*$/, `,${JSON.stringify(name)}:${toJsonText(text)}}`));
}

/** Mostly no change, often one, seldom more. */
export const edits = (most: number): fc.Arbitrary<Edit[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<Edit[]>([]) },
    { weight: 4, arbitrary: fc.array(edit, { minLength: 1, maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(edit, { minLength: 2, maxLength: most }) },
  );

export const textEdits: fc.Arbitrary<TextEdit[]> = fc.oneof(
  { weight: 9, arbitrary: fc.constant<TextEdit[]>([]) },
  { weight: 1, arbitrary: fc.array(textEdit, { minLength: 1, maxLength: 2 }) },
);
