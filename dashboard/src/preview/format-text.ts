import { findPlaceholders, type Placeholder } from '../../../src/templates/domain/placeholders';

/** Text without further formatting, which is all that code may contain. */
export type Leaf = { type: 'text'; text: string } | { type: 'placeholder'; key: string };

export type Style = 'bold' | 'italic' | 'strike';

export type Inline =
  | Leaf
  | { type: 'link'; text: string; href: string }
  | { type: Style; children: Inline[] }
  | { type: 'code' | 'monospace'; children: Leaf[] };

/** A paragraph is one line; without children it is an empty one. */
export type Block =
  | { type: 'paragraph'; children: Inline[] }
  | { type: 'quote' | 'bullets'; lines: Inline[][] }
  | { type: 'numbers'; start: number; lines: Inline[][] };

const STYLES: Record<string, Style> = { '*': 'bold', _: 'italic', '~': 'strike' };
const LINK = /(?:https?:\/\/|www\.)[^\s{}<>"]+/iy;
const WORD = /[\p{L}\p{N}\p{M}]/u;

const isWord = (character: string | undefined) => character !== undefined && WORD.test(character);
const isBlank = (character: string | undefined) => character === undefined || /\s/.test(character);

/**
 * A message's text as WhatsApp shows it: bold, italic, strike, monospace, inline code, bullets, numbers, quotes and
 * links. Placeholders in it stay whole, whatever is around them.
 */
export function formatText(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of splitLines(text)) addLine(blocks, line);
  return blocks;
}

/** The lines of a text. A monospace block is a part of one line, even if it has several. */
function splitLines(text: string): string[] {
  const lines = [''];
  for (const part of text.replaceAll('\r\n', '\n').split(/(```[\s\S]+?```|\n)/)) {
    if (part === '\n') lines.push('');
    else lines[lines.length - 1] += part;
  }
  return lines;
}

function addLine(blocks: Block[], line: string): void {
  const [, marker, rest] = /^([-*>]|\d{1,3}\.) +(\S[\s\S]*)$/.exec(line) ?? [];
  if (marker === undefined || rest === undefined) {
    blocks.push({ type: 'paragraph', children: formatLine(line) });
    return;
  }
  const last = blocks.at(-1);
  const next = formatLine(rest);
  const type = marker === '>' ? 'quote' : marker.endsWith('.') ? 'numbers' : 'bullets';
  if (last && last.type === type) last.lines.push(next);
  else if (type === 'numbers') blocks.push({ type, start: Number.parseInt(marker, 10), lines: [next] });
  else blocks.push({ type, lines: [next] });
}

/** Formats one line, or the text within a style. The styles `within` cannot start again in it. */
function formatLine(line: string, within: Style[] = []): Inline[] {
  const nodes: Inline[] = [];
  const placeholders = findPlaceholders(line);
  let plainFrom = 0;
  for (let at = 0; at < line.length; at = Math.max(at + 1, plainFrom)) {
    const span = placeholderAt(placeholders, at) ?? codeAt(line, at) ?? linkAt(line, at) ?? styledAt(at);
    if (!span) continue;
    nodes.push(...leaves(line.slice(plainFrom, at)), span.node);
    plainFrom = span.end;
  }
  return [...nodes, ...leaves(line.slice(plainFrom))];

  function styledAt(at: number): Span | null {
    const type = STYLES[line[at] ?? ''];
    const end = type && !within.includes(type) ? styleEnd(line, at, placeholders) : null;
    if (!type || end === null) return null;
    return { node: { type, children: formatLine(line.slice(at + 1, end), [...within, type]) }, end: end + 1 };
  }
}

interface Span {
  node: Inline;
  end: number;
}

function placeholderAt(placeholders: Placeholder[], at: number): Span | null {
  const found = placeholders.find(({ start }) => start === at);
  return found ? { node: { type: 'placeholder', key: found.key }, end: found.end } : null;
}

function codeAt(line: string, at: number): Span | null {
  if (line[at] !== '`') return null;
  const fence = line.startsWith('```', at) ? '```' : '`';
  if (fence === '`' && (line[at - 1] === '`' || line[at + 1] === '`')) return null;
  const from = at + fence.length;
  const to = line.indexOf(fence, from + 1);
  if (to < 0 || line.slice(from, to).trim() === '') return null;
  const type = fence === '`' ? 'code' : 'monospace';
  return { node: { type, children: leaves(line.slice(from, to)) }, end: to + fence.length };
}

/** The end of a style that starts here, if one does: not after a word nor before a blank. It ends not after a blank. */
function styleEnd(line: string, at: number, placeholders: Placeholder[]): number | null {
  const marker = line[at] ?? '';
  if (isWord(line[at - 1]) || isBlank(line[at + 1]) || line[at + 1] === marker) return null;
  for (let end = line.indexOf(marker, at + 2); end > 0; end = line.indexOf(marker, end + 1)) {
    const isInPlaceholder = placeholders.some((found) => found.start < end && end < found.end);
    if (!isInPlaceholder && !isBlank(line[end - 1]) && !isWord(line[end + 1])) return end;
  }
  return null;
}

function linkAt(line: string, at: number): Span | null {
  if (isWord(line[at - 1])) return null;
  LINK.lastIndex = at;
  const text = LINK.exec(line)?.[0].replace(/[.,;:!?'*~_)\]]+$/, '');
  if (!text) return null;
  const href = /^www\./i.test(text) ? `https://${text}` : text;
  return URL.canParse(href) ? { node: { type: 'link', text, href }, end: at + text.length } : null;
}

/** Text and placeholders, for places without other formatting. */
export function leaves(text: string): Leaf[] {
  const placeholders = findPlaceholders(text);
  const nodes = placeholders.flatMap(({ key, start }, i): Leaf[] => [
    { type: 'text', text: text.slice(placeholders[i - 1]?.end ?? 0, start) },
    { type: 'placeholder', key },
  ]);
  const all: Leaf[] = [...nodes, { type: 'text', text: text.slice(placeholders.at(-1)?.end ?? 0) }];
  return all.filter((node) => node.type === 'placeholder' || node.text !== '');
}
