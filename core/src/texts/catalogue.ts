import PO from 'pofile';

/**
 * The texts of a gettext file by id, as ICU messages; left out is what is not translated, and what was translated
 * from another English.
 */
export function readCatalogue(po: string): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const { msgctxt, msgstr, flags, obsolete } of PO.parse(po).items) {
    const [text = ''] = msgstr;
    if (msgctxt && text !== '' && !flags.fuzzy && !obsolete) texts[msgctxt] = text;
  }
  return texts;
}
