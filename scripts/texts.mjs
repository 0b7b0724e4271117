// `npm run texts`: gathers the texts of the source into core/locales, as gettext files that translators' tools read.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeCatalogue } from '../core/src/texts/catalogue.ts';
import { LANGUAGE_TAGS } from '../core/src/texts/languages.ts';
import { PARTS, partsOf, textsIn } from '../web/texts.ts';

const ROOT = new URL('..', import.meta.url).pathname;

const texts = globSync(['core/src/**/*.ts', 'server/src/**/*.ts', 'web/src/**/*.{ts,tsx}'], {
  cwd: ROOT,
})
  .filter((file) => !/\.test\.tsx?$|\/testing\/|\.d\.ts$/.test(file))
  .sort()
  .flatMap((file) =>
    textsIn(file, readFileSync(`${ROOT}${file}`, 'utf8')).map((text) => ({ ...text, file })),
  );

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
