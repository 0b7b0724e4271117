import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { readCatalogue } from '@invigil/core/texts/catalogue';
import { addTexts } from '@invigil/core/texts/i18n';
import { isPseudo } from '@invigil/core/texts/languages';
import { pseudoText } from '@invigil/core/texts/pseudo';

const PARTS = ['candidate', 'portal', 'server'];
const LOCALES = new URL('../../../core/locales/', import.meta.url);

const inUse = new AsyncLocalStorage<string>();
takeLanguageFrom(() => inUse.getStore() ?? 'en');

const known = new Set(['en']);

/** Runs `work`, and everything that it waits for, in the language of a reader. */
export function inLanguage<T>(language: string, work: () => T): T {
  if (!known.has(language)) {
    for (const part of PARTS) addTexts(language, readTexts(language, part));
    known.add(language);
  }
  return inUse.run(language, work);
}

/** Texts that are compiled when they are first needed. */
function readTexts(language: string, part: string): Record<string, string> {
  const folder = isPseudo(language) ? 'en' : language;
  const texts = readCatalogue(readFileSync(new URL(`${folder}/${part}.po`, LOCALES), 'utf8'));
  if (!isPseudo(language)) return texts;
  return Object.fromEntries(
    Object.entries(texts).map(([id, english]) => [id, pseudoText(english, language)]),
  );
}
