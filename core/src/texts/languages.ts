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
  zh: '简体中文',
} as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_TAGS = Object.keys(LANGUAGES) as Language[];

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

/**
 * The language of a mail to a candidate: that of the attempt which it is about, or the person's if the assessment
 * offers it, or its first.
 *
 * @param tags of the attempt and of the person, as far as they are known
 */
export const candidateMailLanguage = (
  { attempt, person }: { attempt?: string | null; person?: string | undefined },
  offered: readonly string[],
  known: readonly string[] = LANGUAGE_TAGS,
): string | undefined =>
  firstOf([attempt ?? ''], known) ?? firstOf([person ?? ''], offered) ?? offered[0];
