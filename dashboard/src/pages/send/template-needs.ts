import { isCodeUrl, type TemplateButton } from '../../../../src/templates/domain/template-buttons';
import {
  type HeaderType,
  readTemplateContent,
  type TemplateContent,
} from '../../../../src/templates/domain/template-content';
import type { TemplateDetail } from '../templates/types';

/** What a send of a template needs, as fields of the form. */
export interface TemplateNeeds {
  content: TemplateContent;
  /** Placeholders of the body. */
  body: string[];
  /** The placeholder of a text header. */
  headerText: string | null;
  media: Exclude<HeaderType, 'none' | 'text'> | null;
  location: boolean;
  /** Buttons that need a value of their own. */
  buttons: (TemplateButton & { takes: 'url' | 'coupon' })[];
  /** The button that repeats the code of an authentication template. */
  codeButton: number | null;
  /** Parts that the form cannot fill in. */
  isUnsupported: boolean;
}

const UNSUPPORTED_PARTS = new Set(['CAROUSEL', 'LIMITED_TIME_OFFER']);
const UNSUPPORTED_BUTTONS = new Set(['FLOW', 'CATALOG', 'MPM', 'SPM']);

export function needsOf(template: TemplateDetail): TemplateNeeds {
  const format = template.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL';
  const content = readTemplateContent(template.components, format);
  const { headerType, buttons } = content;
  const isMedia = headerType !== 'none' && headerType !== 'text';
  const code = buttons.find(({ type, url }) => type === 'OTP' || (url !== null && isCodeUrl(url)));
  return {
    content,
    body: content.bodyParams,
    headerText: content.headerParams[0] ?? null,
    media: isMedia ? headerType : null,
    location: content.headerNeedsLocation,
    buttons: buttons.flatMap((button) => {
      const takes = takesOf(button);
      return takes && button !== code ? [{ ...button, takes }] : [];
    }),
    codeButton: code?.index ?? null,
    isUnsupported:
      template.components.some(({ type }) => UNSUPPORTED_PARTS.has(type.toUpperCase())) ||
      buttons.some(({ type }) => UNSUPPORTED_BUTTONS.has(type)),
  };
}

function takesOf({ type, hasUrlVariable }: TemplateButton): 'url' | 'coupon' | null {
  if (hasUrlVariable) return 'url';
  return type === 'COPY_CODE' ? 'coupon' : null;
}
