import { describe, it, expect } from '@jest/globals';
import { formatText, type Block, type Inline } from './format-text';

const TAGS = { bold: 'b', italic: 'i', strike: 's', code: 'code', monospace: 'mono' } as const;

/** The tree as a short text: `<b>bold</b> and <1>`. */
function show(node: Inline): string {
  if (node.type === 'text') return node.text;
  if (node.type === 'placeholder') return `<${node.key}>`;
  if (node.type === 'link') return `<a ${node.href}>${node.text}</a>`;
  const tag = TAGS[node.type];
  return `<${tag}>${node.children.map(show).join('')}</${tag}>`;
}

const line = (nodes: Inline[]) => nodes.map(show).join('');
const lineOf = (text: string) =>
  formatText(text).map((block) => ('children' in block ? line(block.children) : '?'));
const blockOf = (block: Block) =>
  'children' in block ? line(block.children) : { [block.type]: block.lines.map(line) };

describe('Formatting shows', () => {
  it.each([
    ['plain text', 'Hello there', 'Hello there'],
    ['bold', 'a *b c* d', 'a <b>b c</b> d'],
    ['italic', '_a_', '<i>a</i>'],
    ['strike', '~a~!', '<s>a</s>!'],
    ['one style in another', '*a _b ~c~_*', '<b>a <i>b <s>c</s></i></b>'],
    ['styles side by side', '*a*_b_ ~c~', '<b>a</b><i>b</i> <s>c</s>'],
    ['styles next to punctuation', '(*a*), "_b_".', '(<b>a</b>), "<i>b</i>".'],
    ['styles next to emoji', '🎉*a*🎉', '🎉<b>a</b>🎉'],
    ['Arabic in bold', 'طلبك *جاهز* الآن', 'طلبك <b>جاهز</b> الآن'],
    ['inline code', 'use `npm i` now', 'use <code>npm i</code> now'],
    ['monospace', '```a b```', '<mono>a b</mono>'],
    ['markers within code as they are', '`*a*` ```_b_```', '<code>*a*</code> <mono>_b_</mono>'],
  ])('%s', (_what, text, shown) => expect(lineOf(text)).toEqual([shown]));

  it.each([
    ['a star between words', '2*3*4'],
    ['an underscore in a word', 'snake_case_name and_'],
    ['a marker alone', 'a * b'],
    ['a marker without end', '*a and _b'],
    ['blanks within the markers', 'a * b * and *c *'],
    ['markers around nothing', '** __ ~~ `` ``````'],
    ['markers on different lines', '*a'],
    ['a list marker without a text', '- '],
    ['a quote without a blank', '>a'],
    ['a decimal number', '1.5 kg'],
  ])('%s as it is', (_what, text) => expect(lineOf(text)).toEqual([text]));

  it('markers on different lines as they are', () => expect(lineOf('*a\nb*')).toEqual(['*a', 'b*']));

  it('text in two markers with the inner ones as format and the outer ones as they are', () =>
    expect(lineOf('**a**')).toEqual(['*<b>a</b>*']));
});

describe('Placeholders', () => {
  it.each([
    ['in text', 'Hi {{1}}!', 'Hi <1>!'],
    ['in bold', '*{{1}}* is yours', '<b><1></b> is yours'],
    ['in code', '`{{1}}`', '<code><1></code>'],
    ['with underscores, within italics', '_a {{first_name}} b_', '<i>a <first_name> b</i>'],
    ['with underscores, beside one', '{{a_b}}_ and {{c_d}}', '<a_b>_ and <c_d>'],
    ['behind a link', 'https://a.example/{{1}}', '<a https://a.example/>https://a.example/</a><1>'],
  ])('stay whole %s', (_where, text, shown) => expect(lineOf(text)).toEqual([shown]));
});

describe('Links', () => {
  it.each([
    [
      'an address',
      'see https://a.example/b?c=1_2_3',
      'see <a https://a.example/b?c=1_2_3>https://a.example/b?c=1_2_3</a>',
    ],
    ['an address before a full stop', 'https://a.example.', '<a https://a.example>https://a.example</a>.'],
    ['an address in brackets', '(http://a.example/b)', '(<a http://a.example/b>http://a.example/b</a>)'],
    ['an address in bold', '*https://a.example*', '<b><a https://a.example>https://a.example</a></b>'],
    ['an address without its protocol', 'www.a.example', '<a https://www.a.example>www.a.example</a>'],
  ])('lead to %s', (_what, text, shown) => expect(lineOf(text)).toEqual([shown]));

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://', 'xhttps://a.example'])(
    'do not lead to %s',
    (text) => expect(lineOf(text)).toEqual([text]),
  );
});

describe('Lines', () => {
  it('become paragraphs, empty ones too', () => expect(lineOf('a\r\n\nb')).toEqual(['a', '', 'b']));

  it('become lists and quotes when they follow each other', () => {
    const text = 'You get:\n- *tea*\n* {{1}}\n3. three\n4. four\n> quoted\n> _twice_\nBye';
    expect(formatText(text).map(blockOf)).toEqual([
      'You get:',
      { bullets: ['<b>tea</b>', '<1>'] },
      { numbers: ['three', 'four'] },
      { quote: ['quoted', '<i>twice</i>'] },
      'Bye',
    ]);
  });

  it('are numbered from the first number of the list', () => {
    expect(formatText('7. seven')).toMatchObject([{ type: 'numbers', start: 7 }]);
  });

  it('stay together in monospace', () => {
    expect(lineOf('a ```b\n- c\n\nd``` e\nf')).toEqual(['a <mono>b\n- c\n\nd</mono> e', 'f']);
  });
});

it('Hostile text is formatted like any other', () => {
  const markers = '*_~`'.repeat(2_000);
  expect(lineOf(markers).join('')).not.toBe('');
  expect(lineOf('*a '.repeat(2_000))).toEqual(['*a '.repeat(2_000)]);
});
