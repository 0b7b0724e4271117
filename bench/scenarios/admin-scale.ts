import { readFileSync, writeFileSync } from 'node:fs';
import { print, printRows, ratio, sized } from '../benchmark.ts';
import { allPages, flatPages } from '../load/pages.ts';
import { type PageFigure, Portal } from '../load/portal.ts';
import { scenario } from '../load/system.ts';
import { rounded } from '../statistics.ts';

const ATTEMPTS = sized({ few: 10_000, all: 100_000 }, { few: 300, all: 600 });
const TIMES = sized(40, 2);
/** Flat pages are measured more often: a ratio of two 95th percentiles varies more than either. */
const FLAT_TIMES = sized(200, 2);
const MOST_P95_MS = 100;

await scenario('admin-scale', { database: 'embedded' }, async (system) => {
  const portal = await Portal.open(system);
  const flat = async () => {
    const figures: PageFigure[] = [];
    for (const page of flatPages(await portal.known())) {
      figures.push(await portal.measure(page, FLAT_TIMES));
    }
    return figures;
  };
  await portal.load({ from: 0, to: ATTEMPTS.few, all: ATTEMPTS.all });
  const few = await flat();
  await portal.load({ from: ATTEMPTS.few, to: ATTEMPTS.all, all: ATTEMPTS.all });
  await portal.requireValid();
  const known = await portal.known();
  const all = await flat();
  const pages: PageFigure[] = [];
  for (const page of allPages(known)) pages.push(await portal.measure(page, TIMES));
  const report = await streamReport(portal, system.processes.app);

  print('');
  printRows(
    pages.map((f) => ({
      page: f.page,
      'p50 ms': f.p50Ms,
      'p95 ms': f.p95Ms,
      'longest ms': f.longestMs,
      'processor ms': f.processorMs,
      'p95 ÷ target': f.isDeep ? 'no target' : ratio(f.p95Ms, MOST_P95_MS),
    })),
  );
  print(`\nThe same pages at ${ATTEMPTS.few} and at ${ATTEMPTS.all} attempts:\n`);
  const growth = few.map((before, i) => {
    const after = all[i] ?? before;
    return {
      page: before.page,
      [`p50 at ${ATTEMPTS.few}`]: before.p50Ms,
      [`p50 at ${ATTEMPTS.all}`]: after.p50Ms,
      [`p95 at ${ATTEMPTS.few}`]: before.p95Ms,
      [`p95 at ${ATTEMPTS.all}`]: after.p95Ms,
      'ratio of p95': rounded(after.p95Ms / before.p95Ms, 2),
    };
  });
  printRows(growth);
  const { rows, megabytes, seconds } = report;
  print(`\nThe report of all attempts: ${rows} rows, ${megabytes} MB, ${seconds} s.`);

  const withLimit = pages.filter(({ isDeep }) => !isDeep);
  const slowest = withLimit.reduce((a, b) => (a.p95Ms > b.p95Ms ? a : b));
  return {
    figures: [
      {
        name: `p95 of the slowest of ${withLimit.length} pages ("${slowest.page}"), ms`,
        value: slowest.p95Ms,
        most: MOST_P95_MS,
      },
      {
        name: 'first page and record at ten times the rows, p95 ÷ before',
        value: Math.max(...growth.map((g) => g['ratio of p95'])),
        most: 2,
      },
      { name: 'extra memory for the report, MB', value: report.extraMegabytes, most: 100 },
    ],
  };
});

async function streamReport(portal: Portal, pid: number) {
  const memory = (what: 'VmRSS' | 'VmHWM') => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${what}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
  };
  // Resets the peak to the memory in use (proc(5): clear_refs).
  if (pid !== 0) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  const before = pid === 0 ? null : memory('VmRSS');
  const began = performance.now();
  const { body } = await portal.get('/api/participants/export');
  let rows = -1;
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) rows += 1;
  }
  return {
    seconds: rounded((performance.now() - began) / 1_000, 1),
    rows,
    megabytes: rounded(bytes / 1e6, 1),
    extraMegabytes: before === null ? null : rounded((memory('VmHWM') - before) / 1_024, 1),
  };
}
