import { describe, expect, it } from '@jest/globals';
import { parseWireJson } from './wire-json.js';

const LONG = '12345678901234567';

describe('parseWireJson', () => {
  it.each([
    { text: `{"id": ${LONG}}`, value: { id: LONG } },
    { text: `{"id":-${LONG}}`, value: { id: `-${LONG}` } },
    { text: `[${LONG},  ${LONG}, 1]`, value: [LONG, LONG, 1] },
    { text: ` ${LONG} `, value: LONG },
    { text: `{"a":{"b":[{"c":${LONG}9}]}}`, value: { a: { b: [{ c: `${LONG}9` }] } } },
    { text: '[9007199254740991]', value: [9007199254740991] },
    { text: '[9007199254740992]', value: ['9007199254740992'] },
    { text: '[9007199254740993]', value: ['9007199254740993'] },
    { text: '[-9007199254740991]', value: [-9007199254740991] },
  ])('keeps every digit of $text', ({ text, value }) => {
    expect(parseWireJson(text)).toEqual(value);
  });

  it.each([
    '{"timestamp":"1700000000","n":1700000000,"f":-1.5e3,"t":true,"z":null}',
    `{"text":"id: ${LONG}, or [${LONG}]"}`,
    String.raw`{"text":"a \" : ${LONG} , \\","b":[1234567890123456.25,1e20,0.12345678901234567]}`,
    '{"a":1,"a":2}',
    '"text"',
    '[]',
    '123',
  ])('reads %s as JSON.parse does', (text) => {
    expect(parseWireJson(text)).toEqual(JSON.parse(text));
  });

  it('leaves strings alone beside long integers', () => {
    const text = String.raw`{"a \" ${LONG}":": ${LONG}\\","id":${LONG},"f":${LONG}.5,"e":${LONG}e2}`;
    expect(parseWireJson(text)).toEqual({
      [`a " ${LONG}`]: `: ${LONG}\\`,
      id: LONG,
      f: Number(`${LONG}.5`),
      e: Number(`${LONG}e2`),
    });
  });

  it.each([
    '',
    '{',
    `{"id":${LONG}`,
    `{${LONG}:1}`,
    `{"a":1,${LONG}:1}`,
    `[0${LONG}]`,
    `[+${LONG}]`,
    `[${LONG} ${LONG}]`,
    `{"id":${LONG},}`,
    `{"id":${LONG}}}`,
    `"${LONG}`,
    `[-]`,
    '<html>',
  ])('refuses %s as JSON.parse does', (text) => {
    expect(() => parseWireJson(text)).toThrow(SyntaxError);
  });

  it.each(['1', LONG])('reads __proto__ as an ordinary key (beside %s)', (number) => {
    const value = parseWireJson(`{"__proto__":{"admin":true},"n":${number}}`) as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value['admin']).toBeUndefined();
    expect(Object.keys(value)).toEqual(['__proto__', 'n']);
  });

  it('can read deep nesting and long strings', () => {
    const depth = 50_000;
    expect(() => parseWireJson('['.repeat(depth) + LONG + ']'.repeat(depth))).not.toThrow();
    const string = '\\n,'.repeat(500_000);
    expect(parseWireJson(`{"s":"${string}","id":${LONG}}`)).toMatchObject({ id: LONG });
  });
});
