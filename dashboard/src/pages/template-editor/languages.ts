import { strings } from '../../strings';

/** The provider's languages, by its codes. */
const CODES =
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr ka de el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr uk ur uz vi zu'.split(
    ' ',
  );

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

export interface Language {
  value: string;
  label: string;
}

/** Every language by name, with `extra`, the language of an existing template that may be missing among them. */
export function languages(extra?: string): Language[] {
  const names = new Intl.DisplayNames(strings.common.locale, {
    type: 'language',
    languageDisplay: 'standard',
  });
  const codes = extra && !CODES.includes(extra) ? [...CODES, extra] : CODES;
  return codes
    .map((value) => ({ value, label: `${names.of(value.replace('_', '-')) ?? value} · ${value}` }))
    .toSorted((a, b) => a.label.localeCompare(b.label, strings.common.locale));
}

/** The direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(language.split('_')[0] ?? '') ? 'rtl' : 'ltr';
}
