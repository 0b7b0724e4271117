import { isGroupName, type PersonRow, personText } from '@invigil/core/domain/people';
import { isVisible } from '@invigil/core/domain/typed-text';
import fc from 'fast-check';

/** Given and family names in many scripts, of one part, with marks that files give a meaning. */
const NAMES = [
  ...['Ada Lovelace', 'Zoë Müller-Lüdenscheidt', 'José María Ñúñez', 'Çağla Işık', 'Łucja Żółć'],
  ...['Søren Ærø', 'Nguyễn Thị Hà', 'Анна Ахматова', 'Μαρία Παπαδοπούλου', 'Նարե Սարգսյան'],
  ...['ნინო ბერიძე', 'محمد عبد الله', 'דוד כהן', 'نیلوفر می‌خواهم', 'नरेन्द्र मोदी', 'தமிழ் செல்வன்'],
  ...['สมชาย ใจดี', '山田 太郎', '김 민수', '王 小明', 'አበበ ቢቂላ', 'Sukarno', 'Robert "Bob" Smith'],
  ...["Gerard 't Hooft", "Siobhán O'Brien", 'Smith; Jones', 'Doe, Jane', '-Dash', '@home', '=1+1'],
  ...['"Quoted"', 'a\u0308', 'רון לוי', '𠮷野 家', '👩‍🔬 Curie'],
] as const;

export const anyName = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(...NAMES) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: fc.constantFrom(...' ",;\'\t\n=+-@|a'), maxLength: 8 }),
    },
  )
  .filter((name) => isVisible(personText(name)));
const part = fc.oneof(anyName, fc.constant('')).map(personText);
const group = fc
  .oneof(anyName, fc.constantFrom('2A', 'Law; evening', 'Chess | Go'))
  .map((text) => personText(text.normalize('NFC').replace(/[;|\n]/g, ' ')))
  .filter(isGroupName);
export const anyEmail = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcxyz019._+-'), minLength: 1, maxLength: 20 }),
    fc.constantFrom('example.org', 'uni-köln.example', 'пример.example', 'mail.example.org'),
  )
  .map(([local, domain]) => `${local.replace(/^\.+|\.+$|\.(?=\.)/g, '')}x@${domain}`);

/** A row that a list of people may have. */
export const anyPerson: fc.Arbitrary<PersonRow> = fc.record({
  email: anyEmail,
  givenName: part,
  familyName: part,
  externalId: fc.oneof(fc.constantFrom('', '00123', '+49-77', 'MX 77/1'), anyName).map(personText),
  groups: fc.uniqueArray(group, { maxLength: 4 }),
  language: fc.constantFrom('', 'en', 'pt-BR', 'zh-Hant-TW'),
  fields: fc.constant({}),
  extraTime: fc.constantFrom(0, 25, 33.5, 100),
});
