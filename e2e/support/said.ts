import { readdirSync, readFileSync } from 'node:fs';
import { takeLanguageFrom } from '@invigil/core/domain/locale';
import { readCatalogue } from '@invigil/core/texts/catalogue';
import { addTexts, t } from '@invigil/core/texts/i18n';

/** Gives a text by its id, as a screen or mail has it. */
export type Say = (id: string, values?: Record<string, string | number>) => string;

const known = new Map<string, Say>();

/** The texts of a language; English where one is not translated, as on the screens. Throws for an unknown id. */
export function said(language: string): Say {
  const before = known.get(language);
  if (before !== undefined) return before;
  const texts = { ...textsIn('en'), ...textsIn(language) };
  addTexts(language, texts);
  const say: Say = (id, values) => {
    if (texts[id] === undefined) throw new Error(`no catalogue has ${id}`);
    takeLanguageFrom(() => language);
    try {
      return t(id, '', values);
    } finally {
      takeLanguageFrom(() => 'en');
    }
  };
  known.set(language, say);
  return say;
}

function textsIn(language: string): Record<string, string> {
  const folder = new URL(`../../core/locales/${language}/`, import.meta.url);
  const files = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
  return Object.assign({}, ...files.map(readCatalogue));
}
