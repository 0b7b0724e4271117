/**
 * Languages of the screens and mails, by their BCP 47 tag: `core/locales/<tag>` has the texts of each. One more is
 * a row here and a folder there (docs/translate.md).
 */
export const LANGUAGES = {
  en: 'English',
  ar: 'العربية',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  zh: '简体中文',
} as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

/** The languages of an institution that has set none. */
export const ENGLISH_ALONE: readonly Language[] = ['en'];

/** Ids of the texts that say what is agreed to, watched, allowed and decided: they are to be read before a language is trusted. */
export const isRuleText = (id: string): boolean =>
  /^(?:consent|guideline|instructions|policy|limit|notice|warning|violation|halted|ending|dismissed|expired|outcome)\./.test(
    id,
  );

/** English that is drawn longer and with accents, and a language from right to left: they try screens, nobody reads them. */
export const PSEUDO = { long: 'en-XA', mirrored: 'ar-XB' } as const;

export const isPseudo = (tag: string): boolean => tag === PSEUDO.long || tag === PSEUDO.mirrored;

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(LANGUAGES, tag);

/**
 * The first of the tags that someone prefers that is among the languages given: as it is, or without region or
 * script (`de-AT` finds `de`, `pt` finds `pt-BR`).
 */
export function firstOf<L extends string>(
  preferred: readonly string[],
  among: readonly L[],
): L | undefined {
  const bare = (tag: string) => tag.toLowerCase().split('-')[0];
  for (const tag of preferred) {
    const found =
      among.find((one) => one.toLowerCase() === tag.toLowerCase()) ??
      among.find((one) => bare(one) === bare(tag));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The languages that the candidates of an assessment choose from, the first for who prefers none. English is
 * always among them: it is the one that all texts were written in.
 *
 * @param offered by the institution, the first where the assessment sets none
 */
export function languagesOf(
  quiz: { languages: readonly string[] | null; offered: readonly string[] | null } | undefined,
): Language[] {
  const set = quiz?.languages ?? quiz?.offered?.slice(0, 1) ?? [];
  return [...new Set([...set.filter(isLanguage), 'en' as const])];
}

/** The one of them for someone who has chosen none: where an assessment has several, the first that they prefer. */
export function preferredIn(
  quiz: Parameters<typeof languagesOf>[0],
  preferred: readonly string[],
): Language {
  const among = languagesOf(quiz);
  return (leavesChoice(quiz) ? firstOf(preferred, among) : undefined) ?? among[0] ?? 'en';
}

/** Whether an assessment has several languages. */
export const leavesChoice = (quiz: Parameters<typeof languagesOf>[0]): boolean =>
  (quiz?.languages?.length ?? 1) > 1;
