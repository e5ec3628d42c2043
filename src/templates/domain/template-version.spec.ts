import { describe, expect, it } from '@jest/globals';
import type { WireTemplateComponent } from '../../provider/wire.js';
import { templateVersion } from './template-version.js';

const header = (url: string): WireTemplateComponent => ({
  type: 'HEADER',
  format: 'IMAGE',
  example: { header_handle: [url] },
});
const body = (text: string): WireTemplateComponent => ({ type: 'BODY', text });
const version = (...components: WireTemplateComponent[]) => templateVersion(components, 'POSITIONAL');

describe("A template's version", () => {
  const one = version(header('https://cdn.example/a'), body('Hi {{1}}'));

  it('is a short text that may stand in a URL', () => {
    expect(one).toMatch(/^[0-9a-f]{32}$/);
  });

  it('stays the same for other samples and another order of fields', () => {
    expect(version(header('https://cdn.example/b'), { text: 'Hi {{1}}', type: 'BODY' })).toBe(one);
  });

  it.each<[string, string]>([
    ['another text', version(header(''), body('Hello {{1}}'))],
    ['another order of components', version(body('Hi {{1}}'), header(''))],
    ['a button more', version(header(''), body('Hi {{1}}'), { type: 'BUTTONS', buttons: [] })],
    ['named placeholders', templateVersion([header(''), body('Hi {{1}}')], 'NAMED')],
  ])('is another one with %s', (_what, other) => {
    expect(other).not.toBe(one);
  });
});
