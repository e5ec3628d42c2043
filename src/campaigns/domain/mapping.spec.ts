import { describe, expect, it } from '@jest/globals';
import type { WireTemplateComponent } from '../../provider/wire.js';
import { readTemplateContent } from '../../templates/domain/template-content.js';
import { fillRow, mappingFaults, slotOfField, slotsOf, unfillable } from './mapping.js';

const BODY = { type: 'BODY', text: 'Hello {{1}}, {{2}} is ready' };
const contentOf = (...components: object[]) => readTemplateContent(components as WireTemplateComponent[]);
const keysOf = (...components: object[]) => slotsOf(contentOf(...components)).map(({ key }) => key);
const header = (format: string, text?: string) => ({ type: 'HEADER', format, ...(text && { text }) });
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });

describe('The slots of a template', () => {
  it.each([
    ['a body', [BODY], ['phone', 'body.1', 'body.2']],
    [
      'named placeholders',
      [{ type: 'BODY', text: 'Hi {{name}} of {{city}}' }],
      ['phone', 'body.name', 'body.city'],
    ],
    ['a text header', [header('TEXT', 'For {{1}}')], ['phone', 'header.1']],
    ['an image', [header('IMAGE')], ['phone', 'header.media']],
    ['a document', [header('DOCUMENT')], ['phone', 'header.media', 'header.file_name']],
    [
      'a place',
      [header('LOCATION')],
      ['phone', 'header.latitude', 'header.longitude', 'header.name', 'header.address'],
    ],
    [
      'a link with a variable',
      [buttons({ type: 'URL', url: 'https://a.example/{{1}}' })],
      ['phone', 'button.0'],
    ],
    [
      'a fixed link and a reply',
      [buttons({ type: 'URL', url: 'https://a.example/' }, { type: 'QUICK_REPLY' })],
      ['phone'],
    ],
    ['a coupon', [buttons({ type: 'QUICK_REPLY' }, { type: 'COPY_CODE' })], ['phone', 'button.1']],
    ['a login code, once', [{ type: 'BODY', text: '{{1}}' }, buttons({ type: 'OTP' })], ['phone', 'body.1']],
  ])('are those of its parts: %s', (_what, components, keys) => {
    expect(keysOf(...components)).toEqual(keys);
  });

  it('cannot fill a carousel', () => {
    expect(unfillable([BODY, { type: 'CAROUSEL' }])).toEqual(['CAROUSEL']);
  });
});

describe('A row', () => {
  it('fills columns and fixed texts into components', () => {
    const content = contentOf(
      header('DOCUMENT'),
      BODY,
      buttons({ type: 'URL', url: 'https://a.example/{{1}}' }),
    );
    const mapping = {
      phone: { column: 0 },
      'header.media': { text: 'https://a.example/a.pdf' },
      'header.file_name': { column: 3 },
      'body.1': { column: 1 },
      'body.2': { text: 'your order' },
      'button.0': { column: 2 },
    };
    const { phone, components } = fillRow(content, mapping, ['+1202', 'Amal', 'A-1', '']);
    expect(phone).toBe('+1202');
    expect(components).toEqual([
      { type: 'header', parameters: [{ type: 'document', document: { link: 'https://a.example/a.pdf' } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Amal' },
          { type: 'text', text: 'your order' },
        ],
      },
      { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-1' }] },
    ]);
  });

  it('gives a login code to body and button', () => {
    const content = contentOf({ type: 'BODY', text: '{{1}} is your code' }, buttons({ type: 'OTP' }));
    const { components } = fillRow(content, { 'body.1': { column: 0 } }, ['1234']);
    expect(components.map(({ parameters }) => parameters)).toEqual([
      [{ type: 'text', text: '1234' }],
      [{ type: 'text', text: '1234' }],
    ]);
  });

  it('tells which slot a fault is about', () => {
    const filled = fillRow(contentOf(header('IMAGE'), BODY), {}, []);
    expect(slotOfField('phone', filled)).toBe('phone');
    expect(slotOfField('data.components[0].parameters', filled)).toBe('header.media');
    expect(slotOfField('data.components[1].parameters[1].text', filled)).toBe('body.2');
    expect(slotOfField('data.name', filled)).toBeUndefined();
  });
});

describe('A mapping', () => {
  it('needs a source for each slot that is not optional, and only columns of the file', () => {
    const faults = mappingFaults(contentOf(BODY), { phone: { column: 9 }, 'body.1': { text: '' } }, [
      'phone',
    ]);
    expect(faults.map(({ key }) => key)).toEqual(['phone', 'body.1', 'body.2']);
  });

  it('finds no source for a slot that is called like a property of every object', () => {
    expect(mappingFaults(contentOf({ type: 'BODY', text: '{{constructor}}' }), {}, [])).toHaveLength(2);
  });
});
