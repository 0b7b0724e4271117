// `npm run texts`: gathers the texts of the source into core/locales, as gettext files that translators' tools read.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeCatalogue } from '../core/src/texts/catalogue.ts';
import { LANGUAGE_TAGS } from '../core/src/texts/languages.ts';
import { allTexts, PARTS, partsOf } from '../web/texts.ts';

const ROOT = new URL('..', import.meta.url).pathname;

const texts = allTexts();
const parts = partsOf(texts);
const byId = Map.groupBy(texts, ({ id }) => id);
const pathOf = (language, part) => `${ROOT}core/locales/${language}/${part}.po`;
const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
for (const language of LANGUAGE_TAGS) {
  mkdirSync(`${ROOT}core/locales/${language}`, { recursive: true });
  const before = PARTS.map((part) => read(pathOf(language, part)));
  for (const [index, part] of PARTS.entries()) {
    const ids = [...byId.keys()].filter((id) => parts.get(id) === part).sort();
    const own = ids.map((id) => {
      const places = byId.get(id) ?? [];
      return {
        ...{ id, english: places[0]?.english ?? '' },
        comments: [...new Set(places.flatMap(({ comment }) => comment ?? []))],
        files: [...new Set(places.map(({ file }) => file))],
      };
    });
    const written = writeCatalogue(before[index] ?? '', language, own, before);
    writeFileSync(pathOf(language, part), written);
  }
}
