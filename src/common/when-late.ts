/**
 * Calls `late` after so many milliseconds, but reads what has arrived first: if this process itself stood still, who has
 * answered meanwhile is not late.
 * @returns a function that ends the wait
 */
export function whenLate(milliseconds: number, late: () => void): () => void {
  let isOver = false;
  const timer = setTimeout(() => setImmediate(() => isOver || late()), milliseconds);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
