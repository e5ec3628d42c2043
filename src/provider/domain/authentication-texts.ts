/** What the provider writes into authentication templates; nobody can choose these texts. */
export interface AuthenticationTexts {
  body: string;
  /** Stands behind the body where the template has add_security_recommendation. */
  security: string;
  /** The footer where the code expires. */
  expiry(minutes: number): string;
  /** The label of the button, unless the template has its own. */
  copy: string;
}

/**
 * By language, without the country. English and Spanish are the provider's own examples, the others are said in its
 * manner. What the provider has listed comes with the text in it, and that counts: these stand for it in the preview of
 * a draft, in the sandbox, and until a template that was just made is listed.
 */
const BY_LANGUAGE = {
  en: {
    body: '*{{1}}* is your verification code.',
    security: 'For your security, do not share this code.',
    expiry: (minutes) => `This code expires in ${minutes} minutes.`,
    copy: 'Copy code',
  },
  es: {
    body: '*{{1}}* es tu código de verificación.',
    security: 'Por tu seguridad, no lo compartas.',
    expiry: (minutes) => `Este código caduca en ${minutes} minutos.`,
    copy: 'Copiar código',
  },
  pt: {
    body: '*{{1}}* é seu código de verificação.',
    security: 'Para sua segurança, não o compartilhe.',
    expiry: (minutes) => `Este código expira em ${minutes} minutos.`,
    copy: 'Copiar código',
  },
  fr: {
    body: '*{{1}}* est votre code de vérification.',
    security: 'Pour votre sécurité, ne le partagez pas.',
    expiry: (minutes) => `Ce code expire dans ${minutes} minutes.`,
    copy: 'Copier le code',
  },
  de: {
    body: '*{{1}}* ist dein Verifizierungscode.',
    security: 'Teile diesen Code zu deiner Sicherheit mit niemandem.',
    expiry: (minutes) => `Dieser Code läuft in ${minutes} Minuten ab.`,
    copy: 'Code kopieren',
  },
  it: {
    body: '*{{1}}* è il tuo codice di verifica.',
    security: 'Per la tua sicurezza, non condividerlo.',
    expiry: (minutes) => `Questo codice scade tra ${minutes} minuti.`,
    copy: 'Copia codice',
  },
  id: {
    body: '*{{1}}* adalah kode verifikasi Anda.',
    security: 'Demi keamanan, jangan bagikan kode ini.',
    expiry: (minutes) => `Kode ini kedaluwarsa dalam ${minutes} menit.`,
    copy: 'Salin kode',
  },
  ar: {
    body: 'رمز التحقق الخاص بك هو *{{1}}*.',
    security: 'للحفاظ على أمانك، لا تشارك هذا الرمز.',
    expiry: (minutes) => `تنتهي صلاحية هذا الرمز خلال ${minutes} من الدقائق.`,
    copy: 'نسخ الرمز',
  },
} satisfies Record<string, AuthenticationTexts>;

/** The texts in a template's language, such as `pt_BR`; English where that language is not known here. */
export function authenticationTexts(language: string): AuthenticationTexts {
  const [name = ''] = language.split(/[_-]/);
  return Object.hasOwn(BY_LANGUAGE, name) ? BY_LANGUAGE[name as keyof typeof BY_LANGUAGE] : BY_LANGUAGE.en;
}

/** The body: with the advice not to share the code, where the template asks for it. */
export function authenticationBody(language: string, hasAdvice: boolean): string {
  const { body, security } = authenticationTexts(language);
  return hasAdvice ? `${body} ${security}` : body;
}
