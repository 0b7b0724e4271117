/**
 * The server under ten thousand candidates; started by `npm run load`. Prints one verdict line per
 * promise; the exit code is 0 when all are kept.
 */
import { parseArgs } from 'node:util';
import { print, printTable, writeResult } from '../benchmark.ts';
import { machineLine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { type LoadRun, type LoadSettings, type MeasuredPart, runLoad } from './run-load.ts';
import { descriptorLimit, processesFor } from './system.ts';
import { evaluateLoad } from './verdicts.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** About a minute and 500 candidates. */
    short: { type: 'boolean', default: false },
    /** With the embedded database of `npm start`. */
    embedded: { type: 'boolean', default: false },
    /** All candidates have already started: skips sign-in. */
    started: { type: 'boolean', default: false },
    candidates: { type: 'string' },
    minutes: { type: 'string' },
    'think-seconds': { type: 'string', default: '14' },
  },
});
const candidates = Number(values.candidates ?? (values.short ? 500 : 10_000));
const minutes = Number(values.minutes ?? (values.short ? 0.4 : 10));
const signInSeconds = values.short ? 15 : 300;
// In proportion to 2,000 of ten thousand.
const rush = Math.ceil(candidates / 5);

const settings: LoadSettings = {
  seed: values.seed,
  database: values.embedded ? 'embedded' : 'external',
  candidates,
  // Each candidate has a connection, and open files per process are limited.
  processes: processesFor(candidates + rush),
  questions: 40,
  signInSeconds: values.started ? 0 : signInSeconds,
  rush: { people: rush, seconds: values.short ? 5 : 20 },
  sitting: {
    seconds: minutes * 60,
    // Below 15 s, so that at least 667 saves a second are scheduled for ten thousand.
    thinkMs: Number(values['think-seconds']) * 1_000,
    burst: { seconds: minutes * 6, times: 2 },
    heartbeatEveryMs: 10_000,
    reportEveryMs: 600_000,
  },
  submitSeconds: values.short ? 5 : 60,
  say: print,
};

print(
  `seed ${settings.seed}, ${candidates} candidates, ${minutes} minutes, ${settings.database} PostgreSQL, ` +
    `${settings.processes} serving process${settings.processes === 1 ? '' : 'es'}; open files: ${descriptorLimit() ?? 'unknown'} allowed`,
);
report(await runLoad(settings));

function report(run: LoadRun): void {
  const parts = [run.signIn, run.rush, run.sit, run.submit].filter((part) => part !== null);
  print('');
  printTable(
    ['what', 'request', 'answered', 'per second', 'p50 ms', 'p99 ms', 'p99.9 ms', 'longest ms'],
    parts.flatMap(rowsOf),
  );
  print('');
  printTable(
    ['of all processors', 'app', 'PostgreSQL', 'load generator', 'others', 'generator late, ms'],
    parts.map(({ name, shares, latestMs }) => [
      name,
      ...(['app', 'postgres', 'load', 'other'] as const).map((who) =>
        shares ? `${rounded(shares[who] * 100)} %` : '–',
      ),
      rounded(latestMs),
    ]),
  );
  print('\np99 in ms per ten seconds:');
  for (const { name, kinds } of parts) {
    for (const [kind, { p99MsByTenSeconds }] of Object.entries(kinds)) {
      print(`${name}, ${kind}: ${p99MsByTenSeconds.map((ms) => rounded(ms)).join(' ')}`);
    }
  }
  print(`\n${machineLine(run.machine)}\n`);
  const verdicts = evaluateLoad(run);
  for (const { promise, figure, kept } of verdicts) {
    print(`${kept ? 'kept  ' : 'BROKEN'} ${promise}: ${figure}`);
  }
  const broken = verdicts.filter(({ kept }) => !kept);
  if (broken.length > 0) process.exitCode = 1;
  const { machine, ...figures } = run;
  const { say, ...asked } = settings;
  // Short runs are not recorded.
  if (values.short) return;
  writeResult(values.embedded ? 'load-embedded' : 'load', {
    verdict: broken.length === 0 ? 'reached' : 'not reached',
    summary: `${verdicts.length - broken.length} of ${verdicts.length} promises kept; ${verdicts.map(({ promise, figure }) => `${promise}: ${figure}`).join('; ')}`,
    machine,
    figures: { settings: asked, verdicts, ...figures },
  });
}

function rowsOf({ name, kinds, plannedSeconds }: MeasuredPart): (string | number)[][] {
  return Object.entries(kinds).map(([kind, f]) => [
    name,
    kind,
    f.ok,
    rounded(f.ok / plannedSeconds),
    rounded(f.p50Ms, 1),
    rounded(f.p99Ms, 1),
    rounded(f.p999Ms, 1),
    rounded(f.longestMs, 1),
  ]);
}
