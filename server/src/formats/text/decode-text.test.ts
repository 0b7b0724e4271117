import type { Encoding } from '@invigil/core/domain/text-encoding';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

/** The bytes of a text in an encoding of single bytes. */
function encoded(text: string, encoding: Encoding): Uint8Array {
  const byteOf = new Map(
    Array.from({ length: 256 }, (_, i) => [new TextDecoder(encoding).decode(Uint8Array.of(i)), i]),
  );
  return Uint8Array.from(text, (character) => {
    const byte = byteOf.get(character);
    if (byte === undefined) throw new Error(`${encoding} has no ${character}`);
    return byte;
  });
}

const TEXTS: [Encoding, string][] = [
  ['windows-1252', 'Größe der Fläche?'],
  ['windows-1252', 'Frage,A,B,Antwort\nWie heißt der Fluß?,Weser,Spree,A'],
  ['windows-1252', 'Qui a écrit « Les Misérables » ?;Hugo;Zola;A'],
  ['windows-1252', 'Le problème est très complexe, même à côté'],
  ['windows-1252', '¿Cuál es la capital de España?'],
  ['windows-1252', 'Qual è la città più bella?'],
  ['windows-1252', 'Não são opções'],
  ['windows-1252', 'Hvad hedder øen på dansk?'],
  ['windows-1252', 'It costs 5 € – “really”, don’t ask…'],
  ['windows-1252', 'Café'],
  ['windows-1252', 'STRASSE, GRÖSSE, ÄPFEL'],
  ['windows-1252', '10° and 5 m²'],
  ['windows-1250', 'Které město je hlavní? Příliš žluťoučký kůň'],
  ['windows-1250', 'Stolica Włoch? Zażółć gęślą jaźń'],
  ['windows-1250', 'Która odpowiedź jest błędna?'],
  ['windows-1250', 'Melyik a legnagyobb? Erdő, fűz, könyv'],
  ['windows-1250', 'Koja je točna? Rijeka, Čakovec, Đakovo, Šibenik'],
  ['windows-1251', 'Вопрос,А,Б,Ответ\nСтолица Франции?,Париж,Лион,А'],
  ['windows-1251', 'ВОПРОС'],
  ['windows-1251', 'Question,A,B,Answer\nЧто?,да,нет,A'],
  ['windows-1251', 'Яке місто є столицею України?'],
  ['koi8-r', 'Вопрос,А,Б,Ответ\nСтолица Франции?,Париж,Лион,А'],
  ['koi8-r', 'ВОПРОС И ОТВЕТ'],
  ['koi8-r', 'Question,A,B,Answer\nЧто?,да,нет,A'],
  ['macintosh', 'Größe der Fläche?'],
  ['macintosh', 'Le problème est très complexe, même à côté'],
  ['macintosh', '¿Cuál es la capital de España?'],
  ['macintosh', 'It’s “really” simple – don’t ask…'],
  ['macintosh', 'Café'],
  ['macintosh', 'Wie heißt der Fluß?'],
];

describe('a text whose bytes are not UTF-8', () => {
  it.each(TEXTS)('is read as %s: %s', (encoding, text) => {
    const decoded = decodeText(encoded(text, encoding));
    expect(decoded).toEqual({ text, encoding });
  });

  it('is the likeliest by lines far behind the first', () => {
    const text = `${'plain,a,b,A\n'.repeat(50_000)}Größe?,ä,ö,A\n`;
    expect(decodeText(encoded(text, 'macintosh'))).toEqual({ text, encoding: 'macintosh' });
  });
});

it('UTF-8 and UTF-16 prove themselves, with and without a byte order mark', () => {
  const text = 'Frage;Größe\n';
  for (const mark of ['', '\ufeff']) {
    const utf16 = Buffer.from(mark + text, 'utf16le');
    expect(decodeText(Buffer.from(mark + text))).toEqual({ text, encoding: 'utf-8' });
    expect(decodeText(utf16)).toEqual({ text, encoding: 'utf-16le' });
    expect(decodeText(Buffer.from(utf16).swap16())).toEqual({ text, encoding: 'utf-16be' });
  }
});

it('the choice of a person decides', () => {
  const bytes = encoded('Größe', 'windows-1252');
  expect(decodeText(bytes, 'windows-1251')).toEqual({ text: 'GrцЯe', encoding: 'windows-1251' });
  // Chosen wrongly: marks, and no failure.
  expect(decodeText(bytes, 'utf-8').text).toContain('\ufffd');
});
