import type { WireTemplateComponent } from '../../provider/wire.js';
import type { TemplateStatus } from './template-status.js';
import { templateVersion } from './template-version.js';

/** What may change of a template. */
export interface TemplateState {
  status: TemplateStatus | 'DELETED';
  category: string;
  quality: string | null;
  format: string;
  /** Null where neither the components nor their format have changed. */
  content: WireTemplateComponent[] | null;
}

/** A template before and after a change. */
export interface ChangedTemplate {
  id: number;
  tenant_id: string;
  business_account_id: string;
  name: string;
  language: string;
  /** The provider's, of its status. */
  reason: string | null;
  /** Null for a template that is new. */
  was: TemplateState | null;
  is: TemplateState;
}

/** What is told of a change in the stream of events. */
export interface TemplateEvent {
  type: 'template.status' | 'template.category' | 'template.quality' | 'template.content';
  data: Record<string, unknown>;
}

/** The events of a change: one for each thing that is another now. Of a new template, its status alone. */
export function eventsOf({ was, is, reason }: ChangedTemplate): TemplateEvent[] {
  const status = { status: is.status, previous: was?.status ?? null, reason };
  if (!was || is.status === 'DELETED') return [{ type: 'template.status', data: status }];
  const version = is.content && templateVersion(is.content, is.format);
  const previous = was.content && templateVersion(was.content, was.format);
  const events: (TemplateEvent | false)[] = [
    version !== previous && { type: 'template.content', data: { version, previous } },
    is.category !== was.category && {
      type: 'template.category',
      data: { category: is.category, previous: was.category },
    },
    is.status !== was.status && { type: 'template.status', data: status },
    is.quality !== was.quality && {
      type: 'template.quality',
      data: { quality: is.quality, previous: was.quality },
    },
  ];
  return events.filter((event) => event !== false);
}
