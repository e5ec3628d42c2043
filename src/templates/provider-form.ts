import type { StoredTemplate } from './domain/draft-from-template.js';
import type { Template } from './template.entity.js';

/** A template of the database under the provider's names, for the rules of drafts. */
export function providerForm(template: Template): StoredTemplate {
  const { name, language, category } = template;
  return {
    name,
    language,
    category,
    parameter_format: template.parameterFormat,
    message_send_ttl_seconds: template.messageSendTtlSeconds,
    components: template.bodyJson,
  };
}
