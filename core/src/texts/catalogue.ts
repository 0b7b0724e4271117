import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';

/** A text as Lingui's runtime reads it. Throws for one that is no ICU message. */
export const compileText = compileMessageOrThrow;

/**
 * The texts of a gettext file by id, as ICU messages; left out is what is not translated, and what was translated
 * from another English. Not by `pofile`: a server reads all files of a language when it first speaks it, which would
 * hold up everyone for a third of a second.
 */
export function readCatalogue(po: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const entry of po.replaceAll('\r\n', '\n').split('\n\n')) {
    const id = /^msgctxt (".*")$/m.exec(entry)?.[1];
    const text = /^msgstr ((?:".*"\n?)+)/m.exec(entry)?.[1];
    if (id === undefined || text === undefined || /^#,.*\bfuzzy\b/m.test(entry)) continue;
    const words = text.trim().split('\n').map(unquoted).join('');
    if (words !== '') texts[unquoted(id)] = words;
  }
  return texts;
}

/** The escapes of gettext that are written here are those of JSON. */
const unquoted = (quoted: string): string => JSON.parse(quoted);

/** A text as it stands in the source. */
export interface GatheredText {
  id: string;
  english: string;
  /** Say to translators where it stands. */
  comments: readonly string[];
  files: readonly string[];
}

/**
 * A gettext file with exactly these texts. A translation stays; where its English has changed, it is marked as
 * fuzzy: English is shown until somebody has looked at it.
 *
 * @param before the file as it is; empty: there is none
 * @param others those of the other parts, from which a text may have moved
 */
export function writeCatalogue(
  before: string,
  language: string,
  texts: readonly GatheredText[],
  others: readonly string[] = [],
): string {
  const po = PO.parse(before);
  const items = [...others.flatMap((other) => PO.parse(other).items), ...po.items];
  const known = new Map(items.map((item) => [item.msgctxt, item]));
  po.headers = {
    ...po.headers,
    Language: language,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  };
  po.items = texts.map(({ id, english, comments, files }) => {
    const old = known.get(id);
    const item = new PO.Item();
    item.msgctxt = id;
    item.msgid = english;
    item.msgstr = language === 'en' ? [english] : (old?.msgstr ?? ['']);
    item.extractedComments = [...comments];
    item.references = [...files];
    item.comments = old?.comments ?? [];
    const isStale = language !== 'en' && item.msgstr[0] !== '' && old?.msgid !== english;
    if (isStale || old?.flags.fuzzy) item.flags = { fuzzy: true };
    return item;
  });
  return `${po}\n`;
}
