import { print, printTable } from '../benchmark.ts';
import { median, rounded } from '../statistics.ts';
import type { Tally } from './load-clients.ts';
import type { Cost, Round } from './round.ts';

/** Prints the figures round by round and returns them for the result file. */
export function printReport(
  rounds: readonly Round[],
  alone: Tally,
  clients: { many: number; few: number },
) {
  const lines = rounds.map(lineOf);
  const middle = middleOf(lines);
  const cells = (line: Line) => [
    line.savesPerSecond,
    line.p50Ms,
    line.p99Ms,
    line.pgbenchMany ?? '–',
    line.pgbenchFew ?? '–',
    line.emptyPerSecond,
    line.barePerSecond,
    line.toPgbenchMany ?? '–',
    line.toPgbenchFew ?? '–',
    line.toEmpty,
    line.otherShare === null ? '–' : `${Math.round(line.otherShare * 100)} %`,
  ];
  printTable(
    [
      'round',
      'saves/s',
      'p50 ms',
      'p99 ms',
      `pgbench ${clients.many}, /s`,
      `pgbench ${clients.few}, /s`,
      'empty route, /s',
      'bare Fastify, /s',
      `saves ÷ pgbench ${clients.many}`,
      `saves ÷ pgbench ${clients.few}`,
      'saves ÷ empty',
      'other load',
    ],
    [
      ...lines.map((line, i) => [i + 1, ...cells(line)]),
      ['**median**', ...cells(middle).map((cell) => `**${cell}**`)],
    ],
  );

  print('\nProcessor time, median of the rounds, in µs for one request:\n');
  const costs = {
    save: middleCost(rounds.map(({ save }) => save.cost)),
    pgbenchMany: middleCost(rounds.map(({ many }) => many?.cost)),
    pgbenchFew: middleCost(rounds.map(({ few }) => few?.cost)),
    empty: middleCost(rounds.map(({ empty }) => empty.cost)),
    bare: middleCost(rounds.map(({ bare }) => bare.cost)),
  };
  printTable(
    ['', 'server', 'PostgreSQL', 'load generator or pgbench', 'all'],
    [
      ['save', ...costCells(costs.save)],
      ['empty route', ...costCells(costs.empty)],
      ['bare Fastify', ...costCells(costs.bare)],
      [`pgbench ${clients.many}`, ...costCells(costs.pgbenchMany)],
      [`pgbench ${clients.few}`, ...costCells(costs.pgbenchFew)],
    ],
  );
  const loadShare = rounded(median(rounds.map(({ save }) => save.loadShare)), 2);
  const one = { p50Ms: rounded(alone.p50Ms, 2), p99Ms: rounded(alone.p99Ms, 2) };
  print(
    `\nThe load generator used ${Math.round(loadShare * 100)} % of the machine during the saves. ` +
      `A single candidate: p50 ${one.p50Ms} ms, p99 ${one.p99Ms} ms.`,
  );

  const { toPgbenchMany, toPgbenchFew, toEmpty, ...medians } = middle;
  const emptyToBare =
    costs.empty && costs.bare ? rounded(costs.empty.app / costs.bare.app, 2) : null;
  const processorTime =
    costs.save && costs.pgbenchMany
      ? rounded(allOf(costs.save) / allOf(costs.pgbenchMany), 2)
      : null;
  if (processorTime !== null) {
    print(`A save takes ${processorTime} of the processor time of pgbench's with ${clients.many}.`);
  }
  return {
    ratios: { toPgbenchMany, toPgbenchFew, toEmpty, processorTime, emptyToBare },
    medians,
    microsPerRequest: costs,
    loadShare,
    oneCandidateAlone: one,
    rounds: lines,
  };
}

type Line = ReturnType<typeof lineOf>;

function lineOf({ save, many, few, empty, bare }: Round) {
  const ratio = (limit: { perSecond: number } | undefined) =>
    limit === undefined ? null : rounded(save.perSecond / limit.perSecond, 2);
  return {
    savesPerSecond: rounded(save.perSecond),
    p50Ms: rounded(save.p50Ms, 1),
    p99Ms: rounded(save.p99Ms, 1),
    longestMs: rounded(save.longestMs, 1),
    pgbenchMany: many === undefined ? null : rounded(many.perSecond),
    pgbenchFew: few === undefined ? null : rounded(few.perSecond),
    emptyPerSecond: rounded(empty.perSecond),
    barePerSecond: rounded(bare.perSecond),
    toPgbenchMany: ratio(many),
    toPgbenchFew: ratio(few),
    toEmpty: rounded(save.perSecond / empty.perSecond, 2),
    otherShare: save.otherShare === undefined ? null : rounded(Math.max(0, save.otherShare), 2),
  };
}

/** Medians by column; for a ratio, the median of the rounds' ratios. */
function middleOf(lines: readonly Line[]): Line {
  const [first] = lines;
  if (!first) throw new Error('there are no rounds');
  const columns = Object.keys(first) as (keyof Line)[];
  const middle = columns.map((column) => {
    const values = lines.map((line) => line[column]).filter((value) => value !== null);
    return [column, values.length === 0 ? null : median(values)];
  });
  return Object.fromEntries(middle);
}

function middleCost(costs: readonly (Cost | undefined)[]): Cost | null {
  const measured = costs.filter((cost) => cost !== undefined);
  if (measured.length === 0) return null;
  return {
    app: rounded(median(measured.map(({ app }) => app)), 1),
    postgres: rounded(median(measured.map(({ postgres }) => postgres)), 1),
    sender: rounded(median(measured.map(({ sender }) => sender)), 1),
  };
}

function costCells(cost: Cost | null): (string | number)[] {
  if (cost === null) return ['–', '–', '–', '–'];
  return [cost.app, cost.postgres, cost.sender, allOf(cost)];
}

function allOf({ app, postgres, sender }: Cost): number {
  return rounded(app + postgres + sender, 1);
}
