import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Asked } from './asked.ts';
import { Connection } from './connection.ts';
import { newCounts, sumParts } from './figures.ts';
import { lostAnswers } from './read-back.ts';
import { headersOf, requestOf } from './requests.ts';
import { arrivalsOf, followTimetable, type Sitting, timetableOf } from './timetable.ts';

/** Sends a save at each of these moments, all on one connection to a server that responds so. */
async function save(at: number[], respond: RequestListener) {
  const server = createServer(respond).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const line = new Connection(port);
  const asked = new Asked();
  const request = requestOf('GET', '/', headersOf(port));
  const counted = await asked.during(
    0.1,
    () => [line],
    () =>
      followTimetable(Float64Array.from(at), (_, scheduled) =>
        asked.ask(line, 'save', scheduled, () => request),
      ),
  );
  line.close();
  server.close();
  return sumParts([counted]).kinds.save;
}

/** Responds to the first request in one way, and with an empty body to the others. */
function firstWith(first: RequestListener): RequestListener {
  let requests = 0;
  return (request, response) => {
    requests += 1;
    if (requests === 1) first(request, response);
    else response.setHeader('content-length', 0).end();
  };
}

it('acts on schedule although earlier responses are pending', async () => {
  const begun: number[] = [];
  await followTimetable(Float64Array.from([0, 5, 5, 20]), (entry) => {
    begun.push(entry);
  });
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('a request queued behind a slow one is measured from its scheduled moment', async () => {
  const slowMs = 300;
  const slow = firstWith((_, response) => {
    setTimeout(() => response.setHeader('content-length', 0).end(), slowMs);
  });
  const times = await save([0, 10], slow);
  expect(times?.p50Ms).toBeGreaterThan(slowMs * 0.9 - 20);
});

it('a connection closed by the server loses its request and is reopened for the next', async () => {
  const cut = firstWith((request) => request.socket.destroy());
  expect(await save([0, 1], cut)).toMatchObject({ ok: 1, unanswered: 1 });
});

it('resends a request that coincides with the close of an idle connection', async () => {
  const idle = firstWith((request) =>
    request.socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'),
  );
  expect(await save([0], idle)).toMatchObject({ ok: 1, unanswered: 0 });
});

it.each([
  [409, { ok: 1, refused: 1, failed: 0 }],
  [503, { ok: 1, refused: 0, failed: 1 }],
])('counts a response with %i separately and keeps its text', async (status, counts) => {
  const refuse = firstWith((_, response) =>
    response.writeHead(status, { 'content-length': 2 }).end('no'),
  );
  expect(await save([0, 1], refuse)).toMatchObject({ ...counts, firstTrouble: `${status} no` });
});

it('sums the counts of several load generators, with a p99 for each ten seconds', () => {
  const part = { wallSeconds: 1, plannedSeconds: 1, loadMicros: 1, latestMs: 0 };
  const counts = (at: number, ms: number) => ({
    ...newCounts(),
    ok: 99,
    at: [...Array<number>(98).fill(at), 30_500],
    ms: [...Array<number>(98).fill(ms), ms],
  });
  const cut = { ...counts(10_500, 20), unanswered: 1, firstTrouble: 'cut' };
  cut.ms[97] = 4_000;
  const { kinds } = sumParts(
    [counts(500, 10), cut].map((one) => ({ ...part, kinds: new Map([['save', one] as const]) })),
  );
  expect(kinds.save).toMatchObject({ ok: 198, unanswered: 1, firstTrouble: 'cut' });
  expect(kinds.save).toMatchObject({ p50Ms: 10, p99Ms: 20, longestMs: 4_000 });
  expect(kinds.save?.p99MsByTenSeconds).toEqual([10, 4_000, 0, 20]);
});

const QUESTIONS = ['q1', 'q2'];
const row = (questionId: string, revision: number, letter: string) => ({
  participantId: 'p',
  questionId,
  revision,
  letter,
});
const acknowledged = (revisions: number[]) => [{ participantId: 'p', revisions }];

it.each([
  ['nothing is stored', [], 'question 1: revision 5 was acknowledged, nothing is stored'],
  [
    'an older one is stored',
    [row('q1', 4, 'A')],
    'question 1: revision 5 was acknowledged, 4 is stored',
  ],
  [
    'another option is stored under the same revision',
    [row('q1', 5, 'C')],
    'question 1: revision 5 selected B, C is stored',
  ],
])('reports an acknowledged answer as lost when %s', (_, stored, expected) => {
  expect(lostAnswers(acknowledged([5, 0]), QUESTIONS, stored)).toEqual([`p, ${expected}`]);
});

it('reports no loss when the newest one is stored, or an unacknowledged newer one', () => {
  const stored = [row('q1', 5, 'B'), row('q2', 8, 'A')];
  expect(lostAnswers(acknowledged([5, 7]), QUESTIONS, stored)).toEqual([]);
});

const SITTING: Sitting = {
  seed: 'test',
  candidates: 500,
  seconds: 600,
  thinkMs: 14_000,
  burst: { seconds: 60, times: 2 },
  heartbeatEveryMs: 10_000,
  reportEveryMs: 600_000,
};

describe('a timetable', () => {
  const table = timetableOf(SITTING);
  const entries = Array.from(table.at, (at, i) => ({ at, who: table.who[i], what: table.what(i) }));
  const saves = entries.filter(({ what }) => what === 'save');

  it('is the same for the same seed, and different for another', () => {
    expect(timetableOf({ ...SITTING, seed: 'other' }).at).not.toEqual(table.at);
    const again = timetableOf(SITTING);
    expect([again.at, again.who]).toEqual([table.at, table.who]);
  });

  it('is sorted by time and stays within the duration', () => {
    expect(table.at).toEqual(table.at.toSorted());
    expect(entries[0]?.at).toBeGreaterThanOrEqual(0);
    expect(entries.at(-1)?.at).toBeLessThan(600_000);
  });

  it('lets each candidate save more often than every fifteen seconds', () => {
    expect(saves.length / SITTING.seconds).toBeGreaterThan(SITTING.candidates / 15);
    expect(new Set(saves.map(({ who }) => who)).size).toBe(SITTING.candidates);
  });

  it('has twice as many saves a second at the end', () => {
    const perSecond = (from: number, to: number) =>
      saves.filter(({ at }) => at >= from * 1_000 && at < to * 1_000).length / (to - from);
    const ratio = perSecond(545, 600) / perSecond(60, 540);
    expect(ratio).toBeGreaterThan(1.7);
    expect(ratio).toBeLessThan(2.3);
  });

  it('has a heartbeat per candidate every ten seconds, evenly spread', () => {
    const heartbeats = entries.filter(({ what }) => what === 'heartbeat');
    expect(heartbeats.length / (SITTING.candidates * 60)).toBeCloseTo(1, 1);
    const inFirstSecond = heartbeats.filter(({ at }) => at < 1_000).length;
    expect(inFirstSecond).toBeGreaterThan(20);
    expect(inFirstSecond).toBeLessThan(90);
  });

  it('has about one report per candidate', () => {
    const reports = entries.filter(({ what }) => what === 'report').length;
    expect(reports).toBeGreaterThan(400);
    expect(reports).toBeLessThan(600);
  });
});

it('arrivals are within the time, sorted, and differ by seed', () => {
  const at = arrivalsOf('test', 1_000, 20);
  expect(at).toHaveLength(1_000);
  expect(at).toEqual(at.toSorted());
  expect(at.at(-1)).toBeLessThan(20_000);
  expect(arrivalsOf('other', 1_000, 20)).not.toEqual(at);
});
