// `npm run texts`: gathers the texts of the source into core/locales, as gettext files that translators' tools
// read. A translation stays; where its English has changed, it is marked as fuzzy and English is shown until
// somebody has looked at it.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import PO from 'pofile';
import { LANGUAGES } from '../core/src/texts/languages.ts';
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
for (const part of PARTS) {
  const own = Map.groupBy(
    texts.filter(({ id }) => parts.get(id) === part),
    ({ id }) => id,
  );
  for (const language of Object.keys(LANGUAGES)) write(part, language, own);
}

/**
 * @param {string} part
 * @param {string} language
 * @param {Map<string, (import('../web/texts.ts').SourceText & { file: string })[]>} own
 */
function write(part, language, own) {
  const path = `${ROOT}core/locales/${language}/${part}.po`;
  const po = existsSync(path) ? PO.parse(readFileSync(path, 'utf8')) : new PO();
  const before = new Map(po.items.map((item) => [item.msgctxt, item]));
  po.headers = {
    ...po.headers,
    Language: language,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  po.items = [...own.keys()].sort().map((id) => {
    const places = own.get(id) ?? [];
    const english = places[0]?.english ?? '';
    const known = before.get(id);
    const item = new PO.Item();
    item.msgctxt = id;
    item.msgid = english;
    item.msgstr = language === 'en' ? [english] : (known?.msgstr ?? ['']);
    item.extractedComments = [...new Set(places.flatMap(({ comment }) => comment ?? []))];
    item.references = [...new Set(places.map(({ file }) => file))];
    item.comments = known?.comments ?? [];
    const isStale = language !== 'en' && item.msgstr[0] !== '' && known?.msgid !== english;
    if (isStale || known?.flags.fuzzy) item.flags = { fuzzy: true };
    return item;
  });
  mkdirSync(`${ROOT}core/locales/${language}`, { recursive: true });
  writeFileSync(path, `${po}\n`);
}
