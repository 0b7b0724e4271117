import { certifiedText } from '@invigil/core/texts/certificate';
import { PSEUDO } from '@invigil/core/texts/languages';
import { readPdf } from '@invigil/testkit/printed-pdf';
import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { inLanguage } from '../../runtime/language.ts';
import { type CertificateFacts, CertificatePrinter } from './print-certificate.ts';

const FACTS: CertificateFacts = {
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

  const printed = async (facts: Partial<CertificateFacts>) =>
    readPdf(await printer.print({ ...FACTS, ...facts }));
  const print = async (facts: Partial<CertificateFacts>) =>
    Buffer.from(await printer.print({ ...FACTS, ...facts })).toString('latin1');

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
      const { fonts } = await printed({ [field]: `Ab ${letter}` });
      // The box is a glyph: nothing else on this page needs the font that has it.
      expect([...fonts].sort()).toEqual(['IBMPlexSans', 'NotoSansSC']);
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
    expect([...(await printed({ name: 'A\u0301da Łódź' })).fonts]).toEqual(['IBMPlexSans']);
  });

  describe('in the language in use', () => {
    const result = { date: '2026-11-27', grade: '1', percent: 92.5 };
    /** A certificate whose own texts have no letter of English. */
    const bare = async (): Promise<Partial<CertificateFacts>> => ({
      ...{ name: 'Łß', title: 'ŁŁ', institution: 'ßß', number: '22', place: '1:3', link: '1' },
      result: certifiedText(result).replace(/November/, '11'),
      logo: await sharp({ create: { width: 6, height: 4, channels: 3, background: '#123456' } })
        .webp()
        .toBuffer(),
    });
    const inIt = (language: string) => inLanguage(language, async () => printed(await bare()));

    it.each(Object.values(PSEUDO))('has no word that is not translated: %s', async (language) => {
      const { letters, title, pictures, ...found } = await inIt(language);
      expect(found.language).toBe(language);
      expect(pictures).toHaveLength(2);
      for (const text of [letters, title, ...pictures]) {
        expect(text).toMatch(/\p{L}/u);
        expect(text).not.toMatch(/[A-Za-z]/);
      }
    });

    it('is English otherwise, and would show a word that is', async () => {
      const { letters, ...found } = await inIt('en');
      expect(found).toMatchObject({
        ...{ language: 'en', title: 'Certificate 22' },
        pictures: expect.arrayContaining(['Logo', 'QR code that leads to 1']),
      });
      expect([...'CERTIFICATE'].filter((letter) => !letters.includes(letter))).toEqual([]);
    });

    it.each([
      ['ar', 'NotoSansArabic', 'شهادةلاجتيازالاختباررقمالشهادةنوفمبر'],
      ['zh', 'NotoSansSC', '证书已通过以下考试编号年月日'],
      ['de', 'IBMPlexSans', 'ZERTIFIKAThat die folgende Prüfung bestandenZertifikatsnummer92,5'],
      ['tr', 'IBMPlexSans', 'SERTİFİKAaşağıdaki sınavı geçmiştirKasım'],
    ])('has the letters of %s, from %s', async (language, font, words) => {
      const { letters, fonts } = await inLanguage(language, () =>
        printed({ result: certifiedText(result) }),
      );
      expect([...words].filter((letter) => !letters.includes(letter))).toEqual([]);
      expect(fonts).toContain(font);
    });

    it('has another page for each language of the same certificate', async () => {
      const inIt = (language: string) => inLanguage(language, () => printer.print(FACTS));
      const english = await inIt('en');
      expect(await inIt('de')).not.toBe(english);
      expect(await inIt('en')).toBe(english);
    });
  });
});
