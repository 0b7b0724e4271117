import PO from 'pofile';
import { describe, expect, it } from 'vitest';
import { readCatalogue, writeCatalogue } from './catalogue.ts';

const saved = { id: 'test.saved', english: 'Saved', comments: ['a state'], files: ['a.ts'] };
const sent = { id: 'test.sent', english: 'Sent', comments: [], files: ['b.ts'] };
const translate = (po: string, english: string, text: string) =>
  po.replace(`msgid "${english}"\nmsgstr ""`, `msgid "${english}"\nmsgstr "${text}"`);

describe('a gettext file', () => {
  it('has English for itself, and nothing for a new language', () => {
    expect(readCatalogue(writeCatalogue('', 'en', [saved, sent]))).toEqual({
      'test.saved': 'Saved',
      'test.sent': 'Sent',
    });
    const po = writeCatalogue('', 'de', [saved]);
    expect(readCatalogue(po)).toEqual({});
    expect(po).toContain('#. a state\n#: a.ts\nmsgctxt "test.saved"\nmsgid "Saved"\nmsgstr ""');
  });

  it('keeps what was translated, and drops what the source has no longer', () => {
    const po = translate(writeCatalogue('', 'de', [saved, sent]), 'Saved', 'Gespeichert');
    const next = writeCatalogue(po, 'de', [saved]);
    expect(readCatalogue(next)).toEqual({ 'test.saved': 'Gespeichert' });
    expect(next).not.toContain('Sent');
    expect(writeCatalogue(next, 'de', [saved])).toBe(next);
  });

  it('is read as its library reads it, whatever wraps its lines', () => {
    const po = writeCatalogue('', 'en', [
      { ...saved, english: 'A “quoted” "word", a tab\t, a line\nand a \\' },
      { ...sent, english: 'Long '.repeat(40).trim() },
    ]);
    const wrapped = po.replace('"Long Long', '""\n"Long "\n"Long').replaceAll('\n', '\r\n');
    for (const text of [po, wrapped]) {
      const items = PO.parse(text).items.map(({ msgctxt, msgstr: [said] }) => [msgctxt, said]);
      expect(readCatalogue(text)).toEqual(Object.fromEntries(items));
    }
    const old = `${po}\n#~ msgctxt "test.old"\n#~ msgid "Old"\n#~ msgstr "Alt"\n`;
    expect(readCatalogue(old)).toEqual(readCatalogue(po));
  });

  it('takes a translation from the file of another part, where the text has moved', () => {
    const other = translate(writeCatalogue('', 'de', [saved]), 'Saved', 'Gespeichert');
    const next = writeCatalogue(writeCatalogue('', 'de', [sent]), 'de', [saved], [other]);
    expect(readCatalogue(next)).toEqual({ 'test.saved': 'Gespeichert' });
  });

  it('shows English again where that has changed, until the mark is removed', () => {
    const po = translate(writeCatalogue('', 'de', [saved]), 'Saved', 'Gespeichert');
    const stale = writeCatalogue(po, 'de', [{ ...saved, english: 'Stored' }]);
    expect(readCatalogue(stale)).toEqual({});
    expect(stale).toContain('#, fuzzy');
    expect(stale).toContain('msgstr "Gespeichert"');
    expect(writeCatalogue(stale, 'de', [{ ...saved, english: 'Stored' }])).toBe(stale);
    expect(readCatalogue(stale.replace('#, fuzzy\n', ''))).toEqual({ 'test.saved': 'Gespeichert' });
  });
});
