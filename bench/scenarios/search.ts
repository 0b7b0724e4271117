import { printRows, ratio, sized } from '../benchmark.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { median, rounded } from '../statistics.ts';

/*
 * Searches of the question bank and of people, as the portal's lists make them: the first page with its total, among
 * 1,000 and among 100,000. Ten rows have the rare words whatever the size, so that an answer is as long.
 */
const SIZES = { few: sized(1_000, 100), all: sized(100_000, 300) };
const TIMES = sized(60, 3);
const RARE = 10;
/** Ten rows of each list, in a script each, and what a search has of them. */
const RARE_WORDS = 'Quokkaflügel Ромашковый 量子力学 محمدية';
const SEARCHES: { name: string; search: string; finds: (rows: number) => number }[] = [
  { name: 'part of a word, without its accent', search: 'kkaflug', finds: () => RARE },
  { name: 'two words, turned around', search: 'ромаш quokk', finds: () => RARE },
  { name: 'a rare and a common word', search: 'example quokka', finds: () => RARE },
  { name: 'one letter in Chinese', search: '量', finds: () => RARE },
  { name: 'Arabic', search: 'حمد', finds: () => RARE },
  { name: 'no row', search: 'zyzzyva', finds: () => 0 },
  { name: 'every row', search: 'example', finds: (rows) => rows },
  { name: 'every row, by one letter', search: 'e', finds: (rows) => rows },
];
const LISTS = { questions: '/api/questions', people: '/api/people' };
type List = keyof typeof LISTS;

const SETTINGS = { database: 'embedded', env: { REQUEST_BUDGET: '1000' } } as const;

await scenario('search', SETTINGS, async (system) => {
  const admin = await system.signIn();
  const measure = async (rows: number) => {
    const ms = new Map<string, number>();
    for (const list of Object.keys(LISTS) as List[]) {
      for (const { name, search, finds } of SEARCHES) {
        const path = `${LISTS[list]}?limit=20&search=${encodeURIComponent(search)}`;
        const times: number[] = [];
        for (let turn = 0; turn < TIMES; turn += 1) {
          const began = performance.now();
          const reply = await admin.read(path);
          await reply.text();
          times.push(performance.now() - began);
          const total = Number(reply.headers.get('x-total-count'));
          if (total !== finds(rows)) throw new Error(`${list}, ${name}: ${total} of ${rows}`);
        }
        ms.set(`${list}: ${name}`, median(times));
      }
    }
    return ms;
  };
  await load(system, 0, SIZES.few);
  const few = await measure(SIZES.few);
  await load(system, SIZES.few, SIZES.all);
  const all = await measure(SIZES.all);

  const rows = [...all].map(([name, ms]) => {
    const before = few.get(name) ?? ms;
    return {
      search: name,
      [`median of ${SIZES.few}, ms`]: rounded(before, 1),
      [`median of ${SIZES.all}, ms`]: rounded(ms, 1),
      ratio: ratio(ms, before) ?? 1,
    };
  });
  printRows(rows);
  const isOfEvery = ({ search }: (typeof rows)[number]) => search.includes('every row');
  const flat = rows.filter((row) => !isOfEvery(row));
  const slowest = flat.reduce((a, b) => (a.ratio > b.ratio ? a : b));
  return {
    figures: [
      {
        name: `slowest of ${flat.length} searches ("${slowest.search}"), ${SIZES.all} rows ÷ ${SIZES.few}`,
        value: slowest.ratio,
        most: 2,
      },
      {
        name: `a word that all ${SIZES.all} rows have, ms`,
        value: rounded(Math.max(...rows.filter(isOfEvery).map((row) => all.get(row.search) ?? 0))),
        most: 300,
      },
    ],
  };
});

/** Questions of the bank and people, number `from` up to, not including, `to`. */
async function load({ postgres }: LoadSystem, from: number, to: number): Promise<void> {
  const range = `generate_series(${from}, ${to - 1}) n`;
  const rare = `case when n < ${RARE} then ' ${RARE_WORDS}' else '' end`;
  await postgres.query(`
    insert into questions (id, order_number, current_version, next_option_id, tags, created_at)
    select md5('question ' || n)::uuid, n, 1, 5, array['Topic ' || n % 40], now() from ${range};
    insert into question_versions (question_id, version, question, option_ids, option_texts,
      correct_option_id, created_at)
    select md5('question ' || n)::uuid, 1,
      (array['An example of which law is case ', 'Ein example, Größe Nummer ', 'Пример example номер ',
        '哪个是正确的 example '])[1 + n % 4] || n || ${rare},
      '{1,2,3,4}', array['Option A, ' || md5(n::text), 'Option B, which has a usual length',
        'Option C, which has a usual length', 'Option D, which has a usual length'], 1, now()
    from ${range};
    insert into users (id, email, given_name, family_name, external_id, groups, created_at)
    select md5('person ' || n)::uuid, 'person-' || n || '@example.org',
      (array['José', 'Wei', 'Артём', '伟', 'Maria', 'Łukasz'])[1 + n % 6],
      (array['Müller', '王', 'Иванов', 'Smith', 'Nguyễn'])[1 + n % 5] || ${rare},
      'n' || n, array['Group ' || n % 40], now()
    from ${range};`);
  await postgres.query('vacuum (analyze) questions, question_versions, users');
}
