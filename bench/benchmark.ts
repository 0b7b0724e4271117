import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Machine, machineLine } from './machine.ts';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

/** What a benchmark found. */
export interface Finding {
  /** `undefined` where nothing can be said, for want of something to compare with. */
  reached: boolean | undefined;
  /** The decisive figures beside their aims, in one line. */
  summary: string;
  machine: Machine;
  /** For the result file: everything that was measured. */
  figures: Record<string, unknown>;
}

const IS_TINY = process.env.BENCH_TINY === '1';

/** A size of a benchmark, and the one of `npm run bench -- --tiny`, which only shows that it runs. */
export function sized<T>(usual: T, tiny: T): T {
  return IS_TINY ? tiny : usual;
}

/** Why a benchmark cannot run here, in one line. It is no crash. */
export class CannotRun extends Error {}

/**
 * Runs one benchmark to its verdict: prints the machine, writes `results/<name>.json` and tells
 * run.mjs the verdict. A benchmark that cannot run leaves the earlier result alone.
 */
export async function conclude(name: string, measure: () => Promise<Finding>): Promise<void> {
  try {
    const { reached, summary, machine, figures } = await measure();
    const word = reached === undefined ? 'not judged' : reached ? 'reached' : 'not reached';
    print(`\n${machineLine(machine)}`);
    keepResult(name, { verdict: word, summary, machine, figures });
    tell(`${word}: ${summary}`);
  } catch (error) {
    if (!(error instanceof CannotRun)) throw error;
    tell(`cannot run: ${error.message}`);
  }
}

/** Writes `results/<name>.json`, with today's date; nothing after a tiny run. */
export function keepResult(
  name: string,
  { verdict, summary, machine, figures }: Omit<Finding, 'reached'> & { verdict: string },
): void {
  if (IS_TINY) return;
  const result = { verdict, summary, measuredAt: today(), machine, figures };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

/** A benchmark speaks to the person at the terminal. */
export function print(line: string): void {
  console.log(line);
}

/** A Markdown table: docs/benchmarks.md holds them as they are printed. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  print(line(head));
  print(line(head.map((_, i) => (i === 0 ? '---' : '--:'))));
  for (const row of rows) print(line(row));
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** To run.mjs, or to the terminal when the benchmark was started by itself. */
function tell(verdict: string): void {
  if (process.send) process.send(verdict);
  else print(`\n${verdict}`);
}
