import type { Page } from 'playwright-core';

/** A global of the browser, where the function below runs; the tests have the types of Node only. */
declare const document: any;
declare const innerWidth: number;
declare function getComputedStyle(element: any): any;

/**
 * The controls that a user cannot reach, as they are outside the screen or something cuts them off. A control that can
 * be scrolled into view is reached, if its container is.
 * @returns a line for each
 */
export function controlsOutOfReach(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const CONTROLS =
      'a, button, input, select, textarea, label, summary, [role=button], [role=option], [tabindex="0"]';
    const SLACK = 1; // one pixel, for rounding
    const names = { left: 'left', right: 'right', top: 'top', bottom: 'bottom' } as const;

    const sees = (element: any) =>
      element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !element.closest('[inert], [aria-hidden="true"]');

    const isWithin = (inner: any, outer: any, sides: (keyof typeof names)[]) =>
      sides.every((side) =>
        side === 'left' || side === 'top'
          ? inner[side] >= outer[side] - SLACK
          : inner[side] <= outer[side] + SLACK,
      );

    /** The cause why a part of the element is out of reach, in words; null when there is none. */
    const fault = (element: any): string | null => {
      let rect = element.getBoundingClientRect();
      if (rect.width <= SLACK || rect.height <= SLACK) return null; // its label is checked in its place
      for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(outer);
        const box = outer.getBoundingClientRect();
        if (/hidden|clip/.test(overflowX) && !isWithin(rect, box, ['left', 'right']))
          return 'cut at its side';
        if (/hidden|clip/.test(overflowY) && !isWithin(rect, box, ['top', 'bottom']))
          return 'cut above or below';
        if (/auto|scroll/.test(overflowX) || /auto|scroll/.test(overflowY)) rect = box;
        if (position === 'fixed') break;
      }
      return isWithin(rect, { left: 0, right: innerWidth }, ['left', 'right']) ? null : 'beside the screen';
    };

    return [...document.querySelectorAll(CONTROLS)].filter(sees).flatMap((element: any) => {
      const found = fault(element);
      if (!found) return [];
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return [`${element.tagName.toLowerCase()} "${name.trim().slice(0, 60)}": ${found}`];
    });
  });
}
