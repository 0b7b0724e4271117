import { setTimeout as delay } from 'node:timers/promises';
import type { HttpPerson } from '@invigil/testkit/http-person';
import type { Browser } from '@playwright/test';
import { print, printRows, ratio, sized } from '../benchmark.ts';
import { launchChromium } from '../chromium.ts';
import { troublesOf } from '../load/figures.ts';
import type { LoadClients } from '../load/load-clients.ts';
import { createSessions, seat } from '../load/people.ts';
import { spentDuring } from '../load/processor-time.ts';
import { type LoadSystem, scenario } from '../load/system.ts';
import { evenly } from '../load/timetable.ts';
import { median, rounded } from '../statistics.ts';

const IN_PROGRESS = sized({ few: 10, all: 500 }, { few: 5, all: 20 });
const WATCHERS = sized([0, 1, 5], [0, 1]);
const MEASURED_MS = sized(20_000, 2_000);
/** Time for the first frame, which is complete, and the first heartbeats. */
const SETTLE_MS = sized(12_000, 1_000);
/** The page is used by keyboard and wheel, one step each second. */
const STEPS = sized(20, 2);
const STEP_MS = 1_000;

await scenario('live-board', { database: 'embedded', web: true }, async (system) => {
  await using browser = await launchChromium();
  const admin = await system.signIn();
  const { quiz, clients } = await seat(system, { questions: 25, many: IN_PROGRESS.few });
  const few = await measurePage(clients, browser, admin, IN_PROGRESS.few);
  const others = IN_PROGRESS.all - IN_PROGRESS.few;
  await clients.add(await createSessions(system, quiz.quizId, others));
  const many = await measurePage(clients, browser, admin, IN_PROGRESS.all);
  const costs: ServerCost[] = [];
  for (const watchers of WATCHERS) {
    costs.push(await measureServer(system, clients, admin, watchers));
  }
  const [none = costs[0]] = costs;
  const total = (cost: ServerCost | undefined) => (cost ? cost.appMs + cost.postgresMs : 0);
  print(`\n${IN_PROGRESS.all} in progress; cost of the server by number of administrators:\n`);
  printRows(
    costs.map((cost) => ({
      watchers: cost.watchers,
      'requests/s': rounded(cost.requests),
      'server, ms of processor a second': rounded(cost.appMs),
      'database, ms a second': rounded(cost.postgresMs),
      'both ÷ without watchers': ratio(total(cost), total(none)),
      ...cost.frames,
    })),
  );
  print('\nThe page in Chromium, used by keyboard and wheel:\n');
  printRows([
    { 'in progress': IN_PROGRESS.few, ...few },
    { 'in progress': IN_PROGRESS.all, ...many },
  ]);
  const five = costs.at(-1);
  return {
    figures: [
      {
        name: `longest task of the page with ${IN_PROGRESS.all} in progress, ms`,
        value: many['longest task, ms'],
        most: 100,
      },
      {
        name: 'frames a second and watcher',
        value: Math.max(...costs.map(({ frames }) => frames['frames/s and watcher'] ?? 0)),
        // One, with a margin for the last one.
        most: 1.02,
      },
      {
        name: 'steps after which an element had the focus',
        value: many['focus kept'],
        least: STEPS,
      },
      { name: 'scrolled by the wheel, px', value: many['scrolled, px'], least: 1 },
      {
        name: `server and database with ${five?.watchers} watchers ÷ without`,
        value: ratio(total(five), total(none)),
      },
    ],
  };
});

type ServerCost = Awaited<ReturnType<typeof measureServer>>;

/** A save and a heartbeat each ten seconds by each candidate, for `ms`. */
async function traffic(clients: LoadClients, seed: string, ms: number) {
  const part = await clients.sit(
    evenly({ seed, seconds: ms / 1_000, thinkMs: 10_000, reportEveryMs: 1_000_000 }),
  );
  const { first } = troublesOf([part]);
  if (first !== null) throw new Error(`a request was refused: ${first}`);
  return Object.values(part.kinds).reduce((n, { ok }) => n + ok, 0);
}

async function measureServer(
  system: LoadSystem,
  clients: LoadClients,
  admin: HttpPerson,
  watchers: number,
) {
  const sent = traffic(clients, `${watchers} watchers`, SETTLE_MS + MEASURED_MS);
  const readers = Array.from({ length: watchers }, () => readFrames(admin));
  await delay(SETTLE_MS);
  const { spent } = await spentDuring(system.processes, () => delay(MEASURED_MS));
  const frames = framesOf(await Promise.all(readers.map((end) => end())));
  const perSecond = (micros = 0) => micros / MEASURED_MS;
  return {
    watchers,
    appMs: perSecond(spent?.app),
    postgresMs: perSecond(spent?.postgres),
    requests: (await sent) / ((SETTLE_MS + MEASURED_MS) / 1_000),
    frames,
  };
}

interface Frames {
  bytes: number[];
  gaps: number[];
}

/** Reads the live board's stream until the returned function is called. */
function readFrames(admin: HttpPerson): () => Promise<Frames> {
  const end = new AbortController();
  const frames: Frames = { bytes: [], gaps: [] };
  const reading = (async () => {
    const { body } = await admin.read('/api/live', end.signal);
    let text = '';
    let last = 0;
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const events = (text + chunk).split('\n\n');
      text = events.pop() ?? '';
      for (const event of events.filter((one) => one.startsWith('event: board'))) {
        const now = performance.now();
        if (last > 0) frames.gaps.push(now - last);
        last = now;
        frames.bytes.push(Buffer.byteLength(event));
      }
    }
  })().catch((error: unknown) => {
    if (!end.signal.aborted) throw error;
  });
  return async () => {
    end.abort();
    await reading;
    return frames;
  };
}

function framesOf(frames: readonly Frames[]) {
  const gaps = frames.flatMap((one) => one.gaps);
  // The first frame is complete.
  const bytes = frames.flatMap((one) => one.bytes.slice(1));
  const first = frames.flatMap((one) => one.bytes.slice(0, 1));
  const isMeasured = gaps.length > 0 && bytes.length > 0;
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  return {
    'frames/s and watcher': isMeasured ? rounded(1_000 / mean, 2) : null,
    'shortest gap, ms': isMeasured ? rounded(Math.min(...gaps)) : null,
    'KB a frame': isMeasured ? rounded(median(bytes) / 1_000, 1) : null,
    'first frame, KB': isMeasured ? rounded(median(first) / 1_000) : null,
  };
}

async function measurePage(
  clients: LoadClients,
  browser: Browser,
  { url, cookie }: HttpPerson,
  inProgress: number,
) {
  const sent = traffic(clients, `page of ${inProgress}`, 2 * SETTLE_MS + STEPS * STEP_MS);
  const viewport = { width: 1_440, height: 900 };
  await using context = await browser.newContext({ baseURL: url, viewport });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto('/admin/live');
  const tiles = page.locator('main section li');
  await tiles.nth(inProgress - 1).waitFor({ state: 'attached' });
  await delay(SETTLE_MS);
  await page.evaluate(() => Reflect.set(window, 'boardCost', { tasks: [], inputs: [] }));
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  const metrics = async () => {
    const answer = await devtools.send('Performance.getMetrics');
    return new Map(answer.metrics.map((metric) => [metric.name, metric.value]));
  };
  const before = await metrics();
  let focused = 0;
  for (let step = 0; step < STEPS; step += 1) {
    if (step % 2 === 0) await page.keyboard.press('Tab');
    else await page.mouse.wheel(0, 240);
    await delay(STEP_MS);
    focused += await page.evaluate(() => Number(document.activeElement !== document.body));
  }
  const after = await metrics();
  const gained = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0);
  const perSecond = (...keys: string[]) =>
    rounded(keys.reduce((sum, key) => sum + gained(key) * 1_000, 0) / gained('Timestamp'));
  const seen = await page.evaluate(() => ({
    ...(Reflect.get(window, 'boardCost') as { tasks: number[]; inputs: number[] }),
    scrolledBy: document.scrollingElement?.scrollTop ?? 0,
  }));
  await sent;
  return {
    'script, ms a second': perSecond('ScriptDuration'),
    'style and layout, ms a second': perSecond('LayoutDuration', 'RecalcStyleDuration'),
    'longest task, ms': rounded(Math.max(0, ...seen.tasks)),
    'tasks over 50 ms': seen.tasks.length,
    'longest input to picture, ms': rounded(Math.max(0, ...seen.inputs)),
    'focus kept': focused,
    'scrolled, px': seen.scrolledBy,
  };
}

/** Runs in the page before its own code. Browsers report tasks from 50 ms on as long. */
function watch(): void {
  Reflect.set(window, 'boardCost', { tasks: [], inputs: [] });
  const record = (key: 'tasks' | 'inputs') => (list: PerformanceObserverEntryList) => {
    for (const { duration } of list.getEntries()) {
      (Reflect.get(window, 'boardCost') as Record<string, number[]>)[key]?.push(duration);
    }
  };
  new PerformanceObserver(record('tasks')).observe({ type: 'longtask' });
  const options = { type: 'event', durationThreshold: 16 } as PerformanceObserverInit;
  new PerformanceObserver(record('inputs')).observe(options);
}
