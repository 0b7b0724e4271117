// `npm run texts`: gathers the texts of the source into core/locales, as gettext files that translators' tools read.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeCatalogue } from '../core/src/texts/catalogue.ts';
import { LANGUAGE_TAGS } from '../core/src/texts/languages.ts';
import { allTexts, PARTS, partsOf } from '../web/texts.ts';

const ROOT = new URL('..', import.meta.url).pathname;

const texts = allTexts();
const parts = partsOf(texts);
const byId = Map.groupBy(texts, ({ id }) => id);
for (const part of PARTS) {
  const ids = [...byId.keys()].filter((id) => parts.get(id) === part).sort();
  const own = ids.map((id) => {
    const places = byId.get(id) ?? [];
    return {
      ...{ id, english: places[0]?.english ?? '' },
      comments: [...new Set(places.flatMap(({ comment }) => comment ?? []))],
      files: [...new Set(places.map(({ file }) => file))],
    };
  });
  for (const language of LANGUAGE_TAGS) {
    const path = `${ROOT}core/locales/${language}/${part}.po`;
    mkdirSync(`${ROOT}core/locales/${language}`, { recursive: true });
    const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
    writeFileSync(path, writeCatalogue(before, language, own));
  }
}
