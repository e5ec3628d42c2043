import { AccountsService } from '../../src/accounts/accounts.service.js';
import { DEMO } from '../../src/embedded/demo.js';
import {
  type DraftHeader,
  emptyDraft,
  type TemplateDraft,
} from '../../src/templates/domain/template-draft.js';
import type { Answer, Api } from './api.js';
import type { TestService } from './service.js';

export const DRAFTS = '/dashboard/api/template-drafts';
export const TEMPLATES = '/dashboard/api/templates';

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A draft that the provider accepts. */
export const draft = (changes: Partial<TemplateDraft> = {}): TemplateDraft => ({
  ...emptyDraft(),
  name: 'parcel_update',
  language: 'en_US',
  body: 'Hello {{1}}, your parcel is on its way to you.',
  body_samples: { 1: 'Ana' },
  ...changes,
});

export const header = (changes: Partial<DraftHeader>): DraftHeader => ({
  ...emptyDraft().header,
  ...changes,
});

/** Sends a body as JSON by any method. */
export const send = (api: Api, method: string, path: string, body?: unknown): Promise<Answer> =>
  api.request(method, path, body === undefined ? undefined : JSON.stringify(body), {
    'Content-Type': 'application/json',
  });

/** The business account of the demo. */
export async function demoAccount(service: TestService): Promise<string> {
  const accounts = service.app.get(AccountsService, { strict: false });
  const account = await accounts.secretsOfWaba(DEMO.wabaId);
  if (!account) throw new Error('The demo has no business account');
  return account.id;
}

export interface TemplateRow {
  id: number;
  status: string;
  status_reason: string | null;
  category: string;
  message_send_ttl_seconds: number | null;
  /** The text of the first component. */
  text: string | null;
  format: string | null;
}

/** The templates of a name that are not removed, sorted by language. */
export const storedTemplates = (service: TestService, name: string) =>
  service.database.run<TemplateRow>(
    {
      name: 'test_templates',
      text: `
        SELECT id, status, status_reason, category, message_send_ttl_seconds, body_json->0->>'text' AS text,
          body_json->0->>'format' AS format FROM templates
        WHERE name = $1 AND removed_at IS NULL ORDER BY language`,
    },
    [name],
  );
