/**
 * Replaces a part of a text area as if it was typed, so that undo works. No newer call of browsers can do that.
 * @param selection the selection afterwards, relative to the start of the text
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

/** Puts a format's mark around the selection, or removes it if it is already there. */
export function toggleMark(area: HTMLTextAreaElement, mark: string): void {
  const { selectionStart, selectionEnd, value } = area;
  const selected = value.slice(selectionStart, selectionEnd);
  // The phone does not format a text that begins or ends with a blank.
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
