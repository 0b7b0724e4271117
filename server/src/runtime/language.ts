import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { readCatalogue } from '@invigil/core/texts/catalogue';
import { addTexts } from '@invigil/core/texts/i18n';
import { isLanguage, isPseudo, isRuleText } from '@invigil/core/texts/languages';
import { pseudoText } from '@invigil/core/texts/pseudo';

const LOCALES = new URL('../../../core/locales/', import.meta.url);

const inUse = new AsyncLocalStorage<string>();
takeLanguageFrom(() => inUse.getStore() ?? 'en');

const known = new Set(['en']);

/**
 * Runs `work`, and everything that it waits for, in the language of a reader: English, where it is one of a later
 * version that had more.
 */
export function inLanguage<T>(tag: string, work: () => T): T {
  const language = isLanguage(tag) || isPseudo(tag) ? tag : 'en';
  if (!known.has(language)) {
    addTexts(language, readTexts(language));
    known.add(language);
  }
  return inUse.run(language, work);
}

/** Runs a generator in the language of a reader, whoever takes what it makes: a stream has none. */
export async function* inLanguageOf<T>(tag: string, made: AsyncGenerator<T>): AsyncGenerator<T> {
  try {
    for (;;) {
      const next = await inLanguage(tag, () => made.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await made.return(undefined);
  }
}

/** The texts that candidates are judged by, beside their English; one that is not translated is English. */
export function ruleTextsOf(language: string): { id: string; english: string; text: string }[] {
  const texts = readTexts(language);
  return Object.entries(readTexts('en'))
    .filter(([id]) => isRuleText(id))
    .map(([id, english]) => ({ id, english, text: texts[id] ?? english }));
}

/** Cached: files do not change while a process runs. */
const versions = new Map<string, string>();

/** Names what `ruleTextsOf` has: another translation of them is another version. Eight characters. */
export function ruleVersionOf(language: string): string {
  let version = versions.get(language);
  if (version === undefined) {
    const texts = JSON.stringify(ruleTextsOf(language));
    version = createHash('sha256').update(texts).digest('hex').slice(0, 8);
    versions.set(language, version);
  }
  return version;
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
