import { AsyncLocalStorage } from 'node:async_hooks';
import { readdirSync, readFileSync } from 'node:fs';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { readCatalogue } from '@invigil/core/texts/catalogue';
import { addTexts } from '@invigil/core/texts/i18n';
import { isPseudo } from '@invigil/core/texts/languages';
import { pseudoText } from '@invigil/core/texts/pseudo';

const LOCALES = new URL('../../../core/locales/', import.meta.url);

const inUse = new AsyncLocalStorage<string>();
takeLanguageFrom(() => inUse.getStore() ?? 'en');

const known = new Set(['en']);

/** Runs `work`, and everything that it waits for, in the language of a reader. */
export function inLanguage<T>(language: string, work: () => T): T {
  if (!known.has(language)) {
    addTexts(language, readTexts(language));
    known.add(language);
  }
  return inUse.run(language, work);
}

/** The texts of all parts; each is compiled when it is first needed. */
function readTexts(language: string): Record<string, string> {
  const folder = new URL(`${isPseudo(language) ? 'en' : language}/`, LOCALES);
  const texts = Object.assign(
    {},
    ...readdirSync(folder).map((file) =>
      readCatalogue(readFileSync(new URL(file, folder), 'utf8')),
    ),
  ) as Record<string, string>;
  if (!isPseudo(language)) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([id, english]) => [id, pseudoText(english, language)]),
  );
}
