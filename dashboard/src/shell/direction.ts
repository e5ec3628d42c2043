const KEY = 'layout-direction';

export type Direction = 'ltr' | 'rtl';

/** The direction of the layout that the user last chose in this browser. */
export function savedDirection(): Direction {
  return localStorage.getItem(KEY) === 'rtl' ? 'rtl' : 'ltr';
}

export function saveDirection(direction: Direction): void {
  localStorage.setItem(KEY, direction);
}
