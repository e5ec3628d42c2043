/**
 * What recipients write who want no more marketing, in ten languages. Only words that can hardly mean anything else: an
 * answer such as "cancel" may be about an appointment.
 */
const BY_LANGUAGE: Record<string, string[]> = {
  English: ['stop', 'stop all', 'stop promotions', 'unsubscribe', 'opt out', 'optout'],
  Spanish: ['baja', 'darse de baja', 'parar', 'detener', 'no más mensajes'],
  Portuguese: ['sair', 'parar de receber', 'descadastrar', 'cancelar inscrição'],
  French: ['arrêt', 'arret', 'arrêter', 'désabonner', 'se désabonner', 'désinscription'],
  German: ['stopp', 'abmelden', 'abbestellen', 'austragen'],
  Italian: ['disiscrivimi', 'disiscriviti', 'annulla iscrizione', 'basta messaggi'],
  Arabic: ['توقف', 'إيقاف', 'ايقاف', 'إلغاء الاشتراك', 'الغاء الاشتراك'],
  Hindi: ['रोकें', 'बंद करें', 'बंद करो', 'सदस्यता समाप्त करें'],
  Indonesian: ['berhenti', 'berhenti langganan', 'henti'],
  Turkish: ['dur', 'durdur', 'ret', 'abonelikten çık', 'üyelikten çık'],
};

export const DEFAULT_KEYWORDS: readonly string[] = Object.values(BY_LANGUAGE).flat();

/** Keywords of a tenant at most, and characters of one. */
export const MAX_KEYWORDS = 100;
export const MAX_KEYWORD_LENGTH = 60;

/** Characters of a text that can be a keyword: some more, as what is ignored counts as well. */
const MAX_TEXT_LENGTH = 2 * MAX_KEYWORD_LENGTH;

/** Marks of direction and the like, which nobody sees. */
const INVISIBLE = /\p{Cf}/gu;

/** Punctuation, emoji and blanks around a text; a joiner such as the hyphen within it counts as a blank. */
const AROUND = /^[\p{P}\p{S}\p{Z}\s\uFE0F]+|[\p{P}\p{S}\p{Z}\s\uFE0F]+$/gu;
const BETWEEN = /[\p{Pd}\p{Z}\s]+/gu;

/**
 * A text as it is compared: without case, surrounding punctuation, or doubled blanks. Empty where nothing is left.
 * Capitals, as the small letters of a Turkish İ are two characters.
 */
export const foldKeyword = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(AROUND, '')
    .replaceAll(BETWEEN, ' ')
    .toUpperCase()
    .replaceAll('İ', 'I');

/** Whether a text as a whole is one of the words. */
export function isKeyword(text: string, words: readonly string[]): boolean {
  if (text.length > MAX_TEXT_LENGTH) return false;
  const folded = foldKeyword(text);
  return folded !== '' && words.some((word) => foldKeyword(word) === folded);
}
