import { type BenchmarkResult, conclude, print, printTable, sized } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { type Costs, growingServer } from './growing-server.ts';

/** Numbers of participants to measure at; `GROWTH_SIZES=2000,4000` for a small trial. */
const SIZES = (process.env.GROWTH_SIZES ?? sized('10000,100000,1000000', '300,600'))
  .split(',')
  .map(Number);
/** Highest cost of a save and a closing, as a multiple of the first size. */
const MOST_WRITES = 2;
/** Highest cost of a page for each tenfold of rows, as in admin-scale. */
const MOST_PAGE_TENFOLD = 2;

/** One column: its name, unit, kind and value. */
interface Row {
  name: string;
  unit: string;
  kind: 'save' | 'closing' | 'page';
  of(costs: Costs): number;
  decimals: number;
}

await conclude('growth', async (): Promise<BenchmarkResult> => {
  await using server = await growingServer(Math.max(...SIZES));
  const all: Costs[] = [];
  for (const size of SIZES) {
    const seconds = await server.growTo(size);
    print(`${size} participants, loaded in ${rounded(seconds)} s.`);
    all.push(await server.measure(size));
  }
  const [first] = all;
  if (!first) throw new Error('GROWTH_SIZES names no size');
  const rows = rowsOf(first);

  print('');
  printTable(
    [
      'participants',
      'answers',
      'database, GB',
      ...rows.map(({ name, unit }) => `${name}, ${unit}`),
    ],
    all.map((costs) => [
      costs.participants,
      costs.answers,
      rounded(costs.databaseGb, 2),
      ...rows.map(({ of, decimals }) => rounded(of(costs), decimals)),
    ]),
  );
  print(`\nThe same as ratios to ${first.participants} participants:\n`);
  const growth = (costs: Costs, row: Row) => row.of(costs) / row.of(first);
  const ratios = all.map((costs) => ({
    participants: costs.participants,
    ...Object.fromEntries(rows.map((row) => [row.name, rounded(growth(costs, row), 2)])),
  }));
  printTable(
    ['participants', ...rows.map(({ name }) => name)],
    ratios.map((ratio) => Object.values(ratio)),
  );
  print(
    `\nProcessor time of server and database together. Closed after ${all.map((costs) => rounded(costs.closedWithinSeconds, 1)).join(', ')} s.`,
  );

  const worst = (kind: Row['kind'], allowed: (costs: Costs) => number) =>
    Math.max(
      ...rows
        .filter((row) => row.kind === kind)
        .flatMap((row) => all.map((costs) => growth(costs, row) / allowed(costs))),
    );
  const tenfolds = (costs: Costs) => Math.log10(costs.participants / first.participants);
  const pages = worst('page', (costs) => MOST_PAGE_TENFOLD ** tenfolds(costs));
  const save = worst('save', () => 1);
  const closing = worst('closing', () => 1);
  const largest = all.at(-1) ?? first;
  const otherShare = Math.max(...all.map((costs) => costs.otherShare));
  const beside =
    otherShare > 0.1
      ? `; measured under up to ${rounded(otherShare * 100)} % other load: repeat on an idle machine`
      : '';
  return {
    reached: save <= MOST_WRITES && closing <= MOST_WRITES && pages <= 1,
    summary:
      `from ${first.participants} to ${largest.participants} participants a save costs ${rounded(save, 2)} times as much ` +
      `at most and a closing ${rounded(closing, 2)} (target: ${MOST_WRITES}); the most expensive page ${rounded(pages, 2)} of what ` +
      `is allowed (target: ${MOST_PAGE_TENFOLD} times as much for each tenfold)${beside}`,
    machine: {
      ...describeMachine(),
      disk: server.disk,
      versions: { PostgreSQL: server.version },
    },
    figures: { sizes: all, ratios },
  };
});

/** Save, closing, and each page. */
function rowsOf({ pages }: Costs): Row[] {
  return [
    { name: 'save', unit: 'µs', kind: 'save', of: (costs) => costs.saveMicros, decimals: 0 },
    {
      name: 'closing',
      unit: 'µs',
      kind: 'closing',
      of: (costs) => costs.closingMicros,
      decimals: 0,
    },
    ...pages.map(
      ({ page }, i): Row => ({
        name: page,
        unit: 'ms',
        kind: 'page',
        of: (costs) => costs.pages[i]?.processorMs ?? costs.pages[i]?.p50Ms ?? Number.NaN,
        decimals: 1,
      }),
    ),
  ];
}
