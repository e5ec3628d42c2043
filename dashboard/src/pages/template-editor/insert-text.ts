/**
 * Replaces a part of a text area as if it had been typed, so that undo takes it back: no newer call does that.
 * @param selection what is selected afterwards, relative to where the text was put
 */
export function insertText(
  area: HTMLTextAreaElement | HTMLInputElement,
  range: { start: number; end: number },
  text: string,
  selection: { start: number; end: number } = { start: text.length, end: text.length },
): void {
  area.focus();
  area.setSelectionRange(range.start, range.end);
  document.execCommand('insertText', false, text);
  area.setSelectionRange(range.start + selection.start, range.start + selection.end);
}

/** Puts a format's mark around what is selected, or takes it away where it stands already. */
export function toggleMark(area: HTMLTextAreaElement, mark: string): void {
  const { selectionStart, selectionEnd, value } = area;
  const selected = value.slice(selectionStart, selectionEnd);
  // The phone does not format what begins or ends with a blank.
  const inner = selected.trim();
  const start = selectionStart + (inner === '' ? 0 : selected.indexOf(inner));
  const end = start + inner.length;
  const { length } = mark;
  const isMarked = value.slice(start - length, start) === mark && value.slice(end, end + length) === mark;
  if (isMarked && start >= length) {
    insertText(area, { start: start - length, end: end + length }, inner, { start: 0, end: inner.length });
  } else {
    const selection = { start: length, end: length + inner.length };
    insertText(area, { start, end }, mark + inner + mark, selection);
  }
}
