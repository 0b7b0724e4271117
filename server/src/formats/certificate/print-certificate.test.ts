import { afterAll, describe, expect, it } from 'vitest';
import { CertificatePrinter, type CertificateTexts } from './print-certificate.ts';

const TEXTS: CertificateTexts = {
  ...{ number: 'K7QMX-4TREW-PLA29', name: 'Ada King', title: 'Chemistry', institution: 'Example' },
  ...{ result: '27 November 2026 · Grade A · 92.5 %', logo: null },
  ...{ link: 'https://exam.example.org/verify#K7QMX', place: 'exam.example.org/verify' },
};

/** Letters of scripts that no font of ours has, and what is no letter. */
const UNPRINTABLE = ['䶮', '🦺', '👩‍👩‍👧', 'а\u0300', '\u{12000}', 'ꓐ', '\u{1d400}'];
const PRINTABLE = [
  ...['Ada Łódź Nguyễn', '刘德华', '山田 太郎', '남궁 민수', 'محمد\u200cها', 'किशोर', 'กมลชนก'],
  ...['Ѐлка', 'A\u0301da', '葛\u{e0100}', 'O’Neil №1'],
];

describe('a certificate', () => {
  const printer = new CertificatePrinter();
  afterAll(() => printer.stop());

  const print = async (texts: Partial<CertificateTexts>) =>
    Buffer.from(await printer.print({ ...TEXTS, ...texts })).toString('latin1');
  /** The fonts whose glyphs are on the page. */
  const fontsOf = (pdf: string) =>
    new Set(
      [...pdf.matchAll(/\/BaseFont\s*\/[A-Z]{6}\+([A-Za-z]+?)(?:Thin)?[\s/-]/g)].map(
        ([, name]) => name,
      ),
    );

  it('names the letters that it draws as boxes', async () => {
    const found = await printer.unprintable([...UNPRINTABLE, ...PRINTABLE]);
    expect(found).toEqual([...UNPRINTABLE.map((letter) => [letter]), ...PRINTABLE.map(() => [])]);
    expect(await printer.unprintable(['刘䶮䶮', 'Safety 🦺 training'])).toEqual([['䶮'], ['🦺']]);
  });

  it.each(
    UNPRINTABLE.flatMap((letter) =>
      (['name', 'title', 'institution'] as const).map((field) => [field, letter] as const),
    ),
  )(
    'always comes, with a box in place of a letter without a font: %s %s',
    async (field, letter) => {
      const pdf = await print({ [field]: `Ab ${letter}` });
      expect(pdf).toMatch(/^%PDF-1\.7/);
      // The box is a glyph: nothing else on this page needs the font that has it.
      expect([...fontsOf(pdf)].sort()).toEqual(['IBMPlexSans', 'NotoSansSC']);
    },
  );

  it.each(['g\u0303', 'x\u0303 m\u0303', 'e\u0303a'])(
    'sets a letter and its mark from one font: %j',
    async (letters) => {
      expect(await printer.unprintable([letters])).toEqual([[]]);
      // From a part of the font that has the mark alone, the letter would be lost.
      const subsets = async (name: string) =>
        new Set((await print({ name })).match(/[A-Z]{6}\+IBMPlexSans/g)).size;
      expect(await subsets(`Ana ${letters}`)).toBe(await subsets('Ana'));
    },
  );

  it('has no box where every letter has a font', async () => {
    expect([...fontsOf(await print({ name: 'A\u0301da Łódź' }))]).toEqual(['IBMPlexSans']);
  });
});
