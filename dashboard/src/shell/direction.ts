const KEY = 'layout-direction';

export type Direction = 'ltr' | 'rtl';

/** The layout's direction as the user left it in this browser. */
export function savedDirection(): Direction {
  return localStorage.getItem(KEY) === 'rtl' ? 'rtl' : 'ltr';
}

export function saveDirection(direction: Direction): void {
  localStorage.setItem(KEY, direction);
}
