import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Machine, machineLine } from './machine.ts';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

/** The result of a benchmark. */
export interface BenchmarkResult {
  /** `undefined` without a baseline to compare with. */
  reached: boolean | undefined;
  /** The decisive figures with their targets, in one line. */
  summary: string;
  machine: Machine;
  /** All measurements, for the result file. */
  figures: Record<string, unknown>;
}

const IS_TINY = process.env.BENCH_TINY === '1';
/** For the test of this file: the program is loaded and measures nothing. */
const IS_LOADED_ONLY = process.env.BENCH_LOAD_ONLY === '1';

/** A size of a benchmark; `tiny` is for `npm run bench -- --tiny`, which only shows that it runs. */
export function sized<T>(usual: T, tiny: T): T {
  return IS_TINY ? tiny : usual;
}

/** Why a benchmark cannot run here, in one line. Not counted as a crash. */
export class CannotRun extends Error {}

/**
 * Runs one benchmark: prints the machine, writes `results/<name>.json` and sends the verdict to run.mjs.
 * A benchmark that cannot run keeps the earlier result.
 */
export async function conclude(
  name: string,
  measure: () => Promise<BenchmarkResult>,
): Promise<void> {
  if (IS_LOADED_ONLY) return sendVerdict('loaded');
  try {
    const { reached, summary, machine, figures } = await measure();
    const word = reached === undefined ? 'not evaluated' : reached ? 'reached' : 'not reached';
    print(`\n${machineLine(machine)}`);
    writeResult(name, { verdict: word, summary, machine, figures });
    sendVerdict(`${word}: ${summary}`);
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    sendVerdict(`cannot run: ${error.message}`);
  }
}

/** Writes `results/<name>.json`, with today's date; nothing after a tiny run. */
export function writeResult(
  name: string,
  { verdict, summary, machine, figures }: Omit<BenchmarkResult, 'reached'> & { verdict: string },
): void {
  if (IS_TINY) return;
  const result = { verdict, summary, measuredAt: today(), machine, figures };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

/** Prints to the terminal. */
export function print(line: string): void {
  console.log(line);
}

/** Prints a Markdown table, for docs/benchmarks.md. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  print(line(head));
  print(line(head.map((_, i) => (i === 0 ? '---' : '--:'))));
  for (const row of rows) print(line(row));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** To run.mjs, or to the terminal when the benchmark was started directly. */
function sendVerdict(verdict: string): void {
  if (process.send) process.send(verdict);
  else print(`\n${verdict}`);
}
