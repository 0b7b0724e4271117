import { type BenchmarkResult, conclude, print, printTable, sized } from '../benchmark.ts';
import { describeMachine } from '../machine.ts';
import { rounded } from '../statistics.ts';
import { type LoadedServer, loadedServer } from './loaded-server.ts';
import { type Figure, measurePage, type Portal, totalOf } from './measure.ts';
import { watchOtherLoad } from './other-load.ts';
import { allPages, flatPages, type Known } from './pages.ts';
import { streamReport } from './stream-report.ts';

const ATTEMPTS = sized({ few: 10_000, all: 100_000 }, { few: 300, all: 600 });
const TIMES = sized(40, 2);
/** Flat pages are measured more often: a ratio of two 95th percentiles varies more than either. */
const FLAT_TIMES = sized(200, 2);
/** Targets: p95 of each page at the server, growth of flat pages, memory of the report. */
const MOST_P95_MS = 100;
const MOST_GROWTH = 2;
const MOST_REPORT_MEGABYTES = 100;
const QUIET_SHARE = 0.1;

await conclude('admin-scale', async (): Promise<BenchmarkResult> => {
  await using server = await loadedServer();
  const { portal } = server;

  const loadSeconds = [await server.load({ from: 0, to: ATTEMPTS.few, all: ATTEMPTS.all })];
  const few = await measureFlat(portal, await readKnown(server));
  loadSeconds.push(await server.load({ from: ATTEMPTS.few, to: ATTEMPTS.all, all: ATTEMPTS.all }));
  await server.requireValid();
  const answers = await server.count('answers');
  const papers = await server.count('paper_questions');
  print(`\n${answers} answers, ${papers} rows of papers.\n`);

  const known = await readKnown(server);
  const other = watchOtherLoad(portal.processes);
  const all = await measureFlat(portal, known);
  const pages: Figure[] = [];
  for (const page of allPages(known)) pages.push(await measurePage(portal, page, TIMES));
  const otherShare = other.end();
  const report = await streamReport(portal, portal.processes.app);

  printTable(
    ['page', 'p50 ms', 'p95 ms', 'longest ms', 'processor ms', 'p95 ÷ target'],
    pages.map((f) => [
      f.page,
      f.p50Ms,
      f.p95Ms,
      f.longestMs,
      f.processorMs ?? '–',
      f.group === 'deep' ? 'no target' : rounded(f.p95Ms / MOST_P95_MS, 2),
    ]),
  );
  print(`\nThe same pages at ${ATTEMPTS.few} and at ${ATTEMPTS.all} attempts:\n`);
  const growth = few.map((before, i) => {
    const after = all[i] ?? before;
    return {
      page: before.page,
      few: before,
      all: after,
      ratio: rounded(after.p95Ms / before.p95Ms, 2),
    };
  });
  printTable(
    [
      'page',
      `p50 at ${ATTEMPTS.few}`,
      `p50 at ${ATTEMPTS.all}`,
      `p95 at ${ATTEMPTS.few}`,
      `p95 at ${ATTEMPTS.all}`,
      'ratio of p95',
    ],
    growth.map((g) => [g.page, g.few.p50Ms, g.all.p50Ms, g.few.p95Ms, g.all.p95Ms, g.ratio]),
  );
  print(
    `\nThe report of all attempts: ${report.rows} rows, ${report.megabytes} MB, ${report.seconds} s, ` +
      `${report.extraMegabytes ?? '–'} MB of extra memory at its peak.`,
  );
  print(`Other load while the pages were measured: ${Math.round((otherShare ?? 0) * 100)} %.`);

  const withTarget = pages.filter((f) => f.group !== 'deep');
  const slow = withTarget.filter((f) => f.p95Ms > MOST_P95_MS);
  const slowest = withTarget.reduce((a, b) => (a.p95Ms > b.p95Ms ? a : b));
  const mostGrowth = Math.max(...growth.map((g) => g.ratio));
  const beside =
    (otherShare ?? 0) > QUIET_SHARE
      ? `; measured under ${Math.round((otherShare ?? 0) * 100)} % other load: repeat on an idle machine`
      : '';
  return {
    reached:
      slow.length === 0 &&
      mostGrowth <= MOST_GROWTH &&
      (report.extraMegabytes ?? 0) < MOST_REPORT_MEGABYTES,
    summary:
      `${withTarget.length - slow.length} of ${withTarget.length} pages within ${MOST_P95_MS} ms (p95), slowest ` +
      `"${slowest.page}" ${slowest.p95Ms} ms; first page and record at most ${mostGrowth} times ` +
      `as long at ten times the rows (target: ${MOST_GROWTH}); report with ${report.extraMegabytes ?? '–'} MB ` +
      `of extra memory (target: under ${MOST_REPORT_MEGABYTES})${beside}`,
    machine: {
      ...describeMachine(),
      disk: server.disk,
      versions: { PostgreSQL: server.version },
    },
    figures: {
      attempts: ATTEMPTS,
      answers,
      papers,
      loadSeconds,
      pages,
      growth,
      report,
      otherShare,
    },
  };
});

/** Ids and totals that page requests use. */
async function readKnown(server: LoadedServer): Promise<Known> {
  const { portal } = server;
  const totals = {
    participants: await totalOf(portal, '/api/participants'),
    outbox: await totalOf(portal, '/api/outbox'),
    audit: await totalOf(portal, '/api/audit'),
  };
  return {
    attempts: await server.ids('participants', 'replaced_at is null'),
    quizzes: await server.ids('quizzes', 'archived_at is null'),
    totals,
  };
}

async function measureFlat(portal: Portal, known: Known): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const page of flatPages(known)) figures.push(await measurePage(portal, page, FLAT_TIMES));
  return figures;
}
