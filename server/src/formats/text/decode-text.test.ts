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

/** Words with the letters of a language, and texts as people type them. */
const ORDINARY: [string, string, string[]][] = [
  [
    'English',
    'a I don’t can’t it’s O’Brien students’ rock’n’roll café naïve résumé fiancée façade señor coöperate Cæsar vitæ Noël Zoë Brontë',
    [
      'A person’s choice?;don’t;can’t',
      'It’s',
      '‘Single’ and “double” – or “both’s”',
      'word—word, 1990–2000, a cost–benefit view…',
      '“Yes,” she said—“don’t wait…”',
      'It costs £5 or 7 €',
      '90°, 5 m², 10³, 3×4 ÷ 2, ±1, ½ cup, 2½ hours, ¼, ¾',
      '• one\n• two\n§ 5, §5a, © 2026, Word™, Name®',
      '5 µm, see note¹ and x² + y² = z²',
      'The Danes’ Kierkegaard was Søren; don’t write “Soren”',
    ],
  ],
  [
    'French',
    'à ça où déjà été créée théâtre naïve Noël maïs haïe baïonnette gaïac cœur œuvre sœur bœuf forêt hôpital île août aperçût çà L’État l’été d’où aujourd’hui ÉCOLE À Œuvre',
    [
      'Qu’est-ce que c’est ? « Rien » – dit-il…',
      'L’élève n’a pas répondu : « Où ? »',
      '« À l’école, l’été »',
      'N° 5',
      '«\u00a0Être ou ne pas être\u00a0»\u00a0; “oui”',
      'L’ŒUVRE D’ÉTÉ À 5 €',
      '‹ oui › — non',
    ],
  ],
  [
    'German',
    'ä Größe Füße süß weiß Straße Maß Fuß Äpfel Öl Übung über größte Mädchen schön Grüße STRASSE GRÖSSE Maßänderung Präsenzübung',
    [
      'Was heißt „Größe“?',
      '„Über Größen“ – ‚und Maße‘ – spricht man nicht…',
      'Wie heißt’s? „Geht’s?“',
      '»Gänsefüßchen« und ›halbe‹',
      '§ 5 Abs. 2, 20 °C, 5 €, 3 m³',
      'Andrea’s Übung; 1–5; ja—nein',
    ],
  ],
  [
    'Spanish',
    'á él sí qué año niño señor España compañía Núñez Ibáñez lingüística pingüino bilingüe canción difícil corazón ÁRBOL ÑANDÚ Ángel Ñu',
    [
      '¿Cuál es la capital de España?',
      '¡Sí! ¿Qué «año»?',
      '¡¿Cómo?! —dijo él—. “No”',
      'La 1ª y el 2º, nº 3, Mª José',
      '¿Por qué? –No sé…; 5 €',
      'La señora O’Donnell’s niño',
    ],
  ],
];

describe.each(ORDINARY)('%s in windows-1252 is read to the letter', (_, words, texts) => {
  const read = (text: string) => decodeText(encoded(text, 'windows-1252'));
  const plain = (text: string) =>
    expect(read(text)).toEqual({ text, encoding: 'windows-1252' as Encoding });
  const isBeyondAscii = (text: string) => /[^\0-\x7f]/.test(text);

  it('as a word alone, and with every typographic sign beside it', () => {
    const beside = [
      ...['%’s', '‘%’', '“%”', '„%“', '«%»', '« % »', '‹%›', '»%«', '‚%‘', '¿%?', '¡%!', '(%)'],
      ...['%…', '…%', '% – %', '%–%', '%—%', '—%', '• %', '5 € %', '£5 %', '%; 1º; 2ª', '%\u00a0!'],
      ...['Q;%;b;A', '"%","don’t"', '%’', '% ½', '20 °C %', '§ 5 %', '% ±2', '% © 2026', '%²'],
    ];
    for (const word of words.split(' ')) {
      if (isBeyondAscii(word)) plain(word);
      for (const form of beside) {
        const text = form.replaceAll('%', word);
        if (isBeyondAscii(text)) plain(text);
      }
    }
  });

  it('as a line', () => {
    for (const text of [...texts, words]) plain(text);
  });

  it('as a thousand lines', () => {
    const all = [...texts, ...words.split(' ')];
    const line = (i: number) => `${all[i % all.length]};${all[(i * 7 + 3) % all.length]};A`;
    plain(Array.from({ length: 1_000 }, (__, i) => line(i)).join('\n'));
  });
});

/** One or two sentences each. */
const RARE: [Encoding, string][] = [
  [
    'windows-1250',
    'Które z poniższych zdań jest prawdziwe? Wisła jest najdłuższą rzeką w Polsce, a Odra – drugą.',
  ],
  [
    'windows-1250',
    'Která z následujících vět je správná? Nejdelší řekou v České republice je Vltava – „dlouhá“ řeka.',
  ],
  [
    'windows-1250',
    'Melyik állítás igaz? A legnagyobb magyarországi tó a Balaton, és a leghosszabb folyó a Tisza; ő és a hűs erdő.',
  ],
  ['windows-1251', 'Какое из следующих утверждений верно? Волга – «самая длинная» река Европы.'],
  [
    'windows-1251',
    'Яке з наступних тверджень є правильним? Дніпро – найдовша річка України, її знає кожен.',
  ],
  ['windows-1251', 'Кое от следните твърдения е вярно? Дунав е най-дългата река в България.'],
  ['koi8-r', 'Какое из следующих утверждений верно? Волга - самая длинная река Европы.'],
  ['macintosh', 'A person’s choice?;don’t;“can’t”'],
  ['macintosh', 'Quelle est la réponse ? « L’été », dit-il – à côté de l’hôpital où l’on naît.'],
  ['macintosh', 'Welche Größe hat die Fläche? „Über fünf“, sagte er – schön.'],
  ['macintosh', '¿Cuál es la canción más difícil del año? «Ninguna», dijo él.'],
];

it.each(RARE)('%s is found by what windows-1252 would read: %s', (encoding, line) => {
  for (const text of [line, `${line}\n`.repeat(500)]) {
    expect(decodeText(encoded(text, encoding))).toEqual({ text, encoding });
  }
});

it.each([
  ...[
    'Which is Strauß’ waltz?',
    'weiß’s',
    'Spaß—das',
    'so groß…',
    'CAFÉ’S',
    'THE CAFÉ” AND',
    'MENÜ“',
  ],
])('is windows-1252, although UTF-8 has these bytes by chance: %s', (text) => {
  expect(decodeText(encoded(text, 'windows-1252'))).toEqual({ text, encoding: 'windows-1252' });
});

it.each(['Kɔfi', 'KƆFI ɔ', 'The angle α', 'ߒ', 'é', 'RĒZEKNE', 'DAUDZĒS', 'ܓ', 'AɔB CDɔEF'])(
  'is UTF-8: %s',
  (text) => expect(decodeText(Buffer.from(text))).toEqual({ text, encoding: 'utf-8' }),
);

it('a byte that windows-1252 does not have is evidence', () => {
  expect(decodeText(encoded('kůň žluťoučký', 'windows-1250')).encoding).toBe('windows-1250');
  expect(decodeText(encoded('très', 'macintosh')).encoding).toBe('macintosh');
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
