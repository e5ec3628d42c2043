import { readTemplateContent, type TemplateContent } from '../../../../src/templates/domain/template-content';
import type { CampaignTemplate } from './types';

/** The content of the campaign's template; null when the template is gone. */
export function contentOf({
  components,
  parameter_format: format,
}: CampaignTemplate): TemplateContent | null {
  return components ? readTemplateContent(components, format) : null;
}
