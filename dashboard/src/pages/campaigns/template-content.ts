import { readTemplateContent, type TemplateContent } from '../../../../src/templates/domain/template-content';
import type { CampaignTemplate } from './types';

/** What the campaign's template takes; null when it is gone. */
export function contentOf({
  components,
  parameter_format: format,
}: CampaignTemplate): TemplateContent | null {
  return components ? readTemplateContent(components, format) : null;
}
