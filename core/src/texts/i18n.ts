import { i18n, type Messages } from '@lingui/core';
// English, where the source still has it: everywhere but in the web's build.
import './english.ts';

/** What a text says besides its words: names, counts, times as they are shown. */
type Values = Readonly<Record<string, string | number>>;

/**
 * A text in the language in use. English stands here; `npm run texts` gathers it for translators with the
 * comment in front of the id. The web's build takes it out: pages load the texts of one language.
 *
 * @param id dotted, by screen; the same id always has the same English
 * @param english ICU: `{count, plural, one {# question} other {# questions}}`
 */
export function t(id: string, english: string, values?: Values): string {
  return i18n._(id, values && unread(values), english ? { message: english } : undefined);
}

/** Lingui would read `\u0041` in a value as a letter: its backslash is written so that it stays one. */
function unread(values: Values): Values {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/\\(?=u[\da-f]{4}|x[\da-f]{2})/gi, '\\u005c') : value,
  ]);
  return Object.fromEntries(entries);
}

/** The tag of the language in use: `en`, `pt-BR`. */
export const language = (): string => i18n.locale;

/** Takes a language into use. */
export function speak(tag: string, messages: Messages): void {
  i18n.loadAndActivate({ locale: tag, messages });
}

/** Runs `work`, which must not wait for anything, in another language. */
export function speaking<T>(tag: string, messages: Messages, work: () => T): T {
  const { locale, messages: own } = i18n;
  speak(tag, messages);
  try {
    return work();
  } finally {
    speak(locale, own);
  }
}
