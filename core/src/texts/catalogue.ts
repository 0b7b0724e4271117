import PO from 'pofile';

/** The texts of a PO file by id, as ICU messages; what is not translated is left out. */
export function readCatalogue(po: string): Record<string, string> {
  const translated = PO.parse(po).items.filter(({ obsolete, msgstr }) => !obsolete && msgstr[0]);
  return Object.fromEntries(translated.map(({ msgid, msgstr: [text = ''] }) => [msgid, text]));
}
