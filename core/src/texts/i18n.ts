import { type I18n, type Messages, setupI18n } from '@lingui/core';
import { currentLanguage, latinLocale } from '../domain/locale.ts';
// English, where the source still has it: everywhere but in the web's build.
import { compiled } from './english.ts';

/** Names what a text says besides its words: names, counts, times as they are shown. */
type Values = Readonly<Record<string, string | number>>;

const byLanguage = new Map<string, I18n>();

/**
 * A text in the language in use. English stands here; `npm run texts` gathers it for translators with the
 * comment in front of the id. The web's build takes it out: pages load the texts of one language.
 *
 * @param id dotted, by screen; the same id always has the same English
 * @param english ICU: `{count, plural, one {# question} other {# questions}}`
 */
export function t(id: string, english: string, values?: Values): string {
  const message = english ? { message: english } : undefined;
  return textsOf(currentLanguage())._(id, values && unread(values), message);
}

/** Lingui would read `\u0041` in a value as a letter: its backslash is written so that it stays one. */
function unread(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/\\(?=u[\da-f]{4}|x[\da-f]{2})/gi, '\\u005c') : value,
  ]);
  return Object.fromEntries(entries);
}

/** Adds texts of a language to those that are known. */
export function addTexts(language: string, messages: Messages): void {
  textsOf(language).load(language, messages);
}

/** The texts that are known of a language. One that is not among them is English. */
function textsOf(language: string): I18n {
  const known = byLanguage.get(language);
  if (known !== undefined) return known;
  const texts = setupI18n({
    locale: language,
    locales: latinLocale(language),
    messages: { [language]: {} },
  });
  if (compiled) texts.setMessagesCompiler(compiled);
  byLanguage.set(language, texts);
  return texts;
}
