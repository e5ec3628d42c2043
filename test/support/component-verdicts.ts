import { buildComponents, checkShape } from '../../src/messages/components/components.js';
import type { WireComponent, WireTemplateComponent } from '../../src/provider/wire.js';
import { checkParameters } from '../../src/sandbox/parameter-check.js';
import { readTemplateContent } from '../../src/templates/domain/template-content.js';
import { KNOWN_MEDIUM } from './component-cases.js';

/** What acceptance and the sandbox say about a send: null, or the code of the error. */
export interface Verdicts {
  /** By the service, before it accepts a message. */
  acceptance: unknown;
  /** By the sandbox, when it gets a message. */
  sandbox: unknown;
}

/** The verdicts on a send of the components `sent` for a template with the components `template`. */
export function verdictsOn(template: WireTemplateComponent[], sent: WireComponent[]): Verdicts {
  const stored = {
    id: '1',
    name: 'test',
    language: 'en',
    category: 'MARKETING',
    status: 'APPROVED',
  } as const;
  return {
    acceptance: codeOf(() => {
      checkShape({ components: sent });
      return buildComponents(readTemplateContent(template), 'test', { components: sent });
    }),
    sandbox: codeOf(() =>
      checkParameters({ ...stored, components: template }, sent, { isMedia: (id) => id === KNOWN_MEDIUM }),
    ),
  };
}

function codeOf(act: () => unknown): unknown {
  try {
    act();
    return null;
  } catch (error) {
    return (error as { code?: unknown }).code ?? error;
  }
}
