import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Machine, machineLine } from './machine.ts';
import { median, rounded } from './statistics.ts';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));
/** Above this share of other load, figures say little. */
const QUIET_SHARE = 0.1;

export interface Figure {
  name: string;
  /** `null` where it cannot be measured here. */
  value: number | null;
  most?: number;
  least?: number;
}

export interface BenchmarkResult {
  figures: Figure[];
  machine: Machine;
  /** Processor share of other programs meanwhile. */
  otherShare?: number | undefined;
  /** Only some of it was measured: no result is stored, and nothing is reached. */
  isPart?: boolean;
  /** Reasons to doubt the comparison, in words. */
  warnings?: readonly string[];
}

const IS_TINY = process.env.BENCH_TINY === '1';
/** Set by the test of this file: the program is loaded and measures nothing. */
const IS_LOADED_ONLY = process.env.BENCH_LOAD_ONLY === '1';

/** A size of a benchmark; `tiny` is for `npm run bench -- --tiny`, which only shows that it runs. */
export function sized<T>(usual: T, tiny: T): T {
  return IS_TINY ? tiny : usual;
}

/** Why a benchmark cannot run here, in one line. Not counted as a crash. */
export class CannotRun extends Error {}

/**
 * Runs one benchmark: prints its figures with their limits and the machine, writes
 * `results/<name>.json` and sends the verdict to run.mjs. A benchmark that cannot run keeps the earlier
 * result.
 */
export async function conclude(
  name: string,
  measure: () => Promise<BenchmarkResult>,
): Promise<void> {
  if (IS_LOADED_ONLY) return sendVerdict('loaded');
  try {
    const result = await measure();
    const { figures, machine } = result;
    print('');
    printRows(
      figures.map((figure) => ({
        figure: figure.name,
        value: figure.value,
        limit: limitOf(figure),
        'value ÷ limit':
          figure.value === null ? null : ratio(figure.value, figure.most ?? figure.least),
      })),
    );
    print(`\n${machineLine(machine)}`);
    const verdict = result.isPart ? 'a part' : verdictOf(figures);
    const summary = summaryOf(result);
    if (!IS_TINY && !result.isPart) {
      const file = { verdict, summary, measuredAt: today(), machine, limits: figures };
      mkdirSync(RESULTS, { recursive: true });
      writeFileSync(`${RESULTS}${name}.json`, `${JSON.stringify(file, null, 2)}\n`);
    }
    sendVerdict(`${verdict}: ${summary}`);
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    sendVerdict(`cannot run: ${error.message}`);
  }
}

/** Whether a value is within its limit; a value that is not a number never is. */
export function isWithin({ value, most, least }: Figure): boolean {
  if (value === null) return true;
  return !Number.isNaN(value) && value <= (most ?? value) && value >= (least ?? value);
}

/** `not evaluated` where a value with a limit is missing and no other is beyond its own. */
export function verdictOf(figures: readonly Figure[]): string {
  const limited = figures.filter((figure) => limitOf(figure) !== null);
  if (!limited.every(isWithin)) return 'not reached';
  return limited.some(({ value }) => value === null) ? 'not evaluated' : 'reached';
}

export function summaryOf({
  figures,
  otherShare = 0,
  warnings = [],
}: Pick<BenchmarkResult, 'figures' | 'otherShare' | 'warnings'>): string {
  const parts = figures
    .filter((figure) => limitOf(figure) !== null)
    .map((figure) => `${figure.name}: ${figure.value ?? 'not measured'} (${limitOf(figure)})`);
  parts.push(...warnings);
  if (otherShare > QUIET_SHARE) {
    parts.push(`under ${rounded(otherShare * 100)} % other load: repeat on an idle machine`);
  }
  return parts.join('; ');
}

function limitOf({ most, least }: Figure): string | null {
  if (most !== undefined) return most === least ? `exactly ${most}` : `at most ${most}`;
  return least === undefined ? null : `at least ${least}`;
}

/** How many times as much, to two decimals. */
export function ratio(value: number, than: number | undefined): number | null {
  return than === undefined || than === 0 ? null : rounded(value / than, 2);
}

/** Prints to the terminal. */
export function print(line: string): void {
  console.log(line);
}

export type Row = Record<string, string | number | null | undefined>;

/** Prints a Markdown table, for docs/benchmarks.md; the columns are the keys of the first row. */
export function printRows(rows: readonly Row[]): void {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly unknown[]) => `| ${cells.join(' | ')} |`;
  print(line(columns));
  print(line(columns.map((_, i) => (i === 0 ? '---' : '--:'))));
  for (const row of rows) print(line(columns.map((column) => row[column] ?? '–')));
}

/** Measures in rounds and prints them, each as a row. Returns the median of each column. */
export async function inRounds<Column extends string>(
  many: number,
  measure: (round: number) => Promise<Record<Column, number | null>>,
): Promise<Record<Column, number | null>> {
  const rows: Record<Column, number | null>[] = [];
  for (let round = 0; round < many; round += 1) rows.push(await measure(round));
  return printRounds(rows);
}

/** Prints the rows with their number, and a last one with the median of each column, which it returns. */
export function printRounds<Column extends string>(
  rows: readonly Record<Column, number | null>[],
): Record<Column, number | null> {
  const medians = mediansOf(rows);
  const numbered = rows.map((row, i): Row => ({ round: i + 1, ...row }));
  printRows([...numbered, { round: '**median**', ...medians }]);
  return medians;
}

/** The median of each column; for a ratio, the median of the rounds' ratios. */
export function mediansOf<Column extends string>(
  rows: readonly Record<Column, number | null>[],
): Record<Column, number | null> {
  const columns = Object.keys(rows[0] ?? {}) as Column[];
  const medians = columns.map((column) => {
    const values = rows.map((row) => row[column]).filter((value) => value !== null);
    return [column, values.length === 0 ? null : median(values)];
  });
  return Object.fromEntries(medians);
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** To run.mjs, or to the terminal when the benchmark was started directly. */
function sendVerdict(verdict: string): void {
  if (process.send) process.send(verdict);
  else print(`\n${verdict}`);
}
