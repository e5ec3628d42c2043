import type { ErrorDetail } from '../../common/errors.js';
import type { WireComponent } from '../../provider/wire.js';
import type { TemplateContent } from '../../templates/domain/template-content.js';

/** A message beside its template, or a card of both: either has a header, a body and buttons. */
export interface Part {
  content: TemplateContent;
  /** What the content is of, as in `Template order_update`. */
  subject: string;
  components: WireComponent[];
  /** The JSON path of the components. */
  path: string;
}

/** One way in which a send does not fit its template. */
export interface Mismatch {
  message: string;
  detail: ErrorDetail;
}

export const mismatch = (message: string, field: string, expected: unknown, actual: unknown): Mismatch => ({
  message,
  detail: { field, expected, actual },
});

export const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
