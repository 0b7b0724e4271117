import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Asked } from './asked.ts';
import { Connection } from './connection.ts';
import { followTimetable } from './follow-timetable.ts';
import { sumParts } from './load-clients.ts';
import { headersOf, requestOf } from './requests.ts';

it('acts on schedule although earlier responses are pending', async () => {
  const begun: number[] = [];
  await followTimetable(Float64Array.from([0, 5, 5, 20]), (entry) => {
    begun.push(entry);
  });
  expect(begun).toEqual([0, 1, 2, 3]);
});

it('a request queued behind a slow one is measured from its scheduled moment', async () => {
  const slowMs = 300;
  const server = createServer((request, response) => {
    const body = 'ok';
    const answer = () => response.setHeader('content-length', body.length).end(body);
    if (request.url === '/slow') setTimeout(answer, slowMs);
    else answer();
  }).listen(0, '127.0.0.1');
  await delay(10);
  const { port } = server.address() as AddressInfo;
  const line = new Connection(port);
  const asked = new Asked();
  const send = (path: string, kind: 'save' | 'heartbeat') => (scheduled: number) =>
    asked.ask(line, kind, scheduled, () => requestOf('GET', path, headersOf(port)));
  const sends = [send('/slow', 'save'), send('/quick', 'heartbeat')];
  const counted = await asked.during(
    0.1,
    () => [line],
    () => followTimetable(Float64Array.from([0, 10]), (entry, at) => sends[entry]?.(at)),
  );
  line.close();
  server.close();
  const { kinds } = sumParts([counted]);
  expect(kinds.save?.p50Ms).toBeGreaterThan(slowMs * 0.9);
  expect(kinds.heartbeat?.p50Ms).toBeGreaterThan(slowMs * 0.9 - 20);
});

it('a connection closed by the server loses its request and is reopened for the next', async () => {
  let turn = 0;
  const server = createServer((request, response) => {
    turn += 1;
    if (turn === 1) request.socket.destroy();
    else response.setHeader('content-length', 0).end();
  }).listen(0, '127.0.0.1');
  await delay(10);
  const { port } = server.address() as AddressInfo;
  const line = new Connection(port);
  const asked = new Asked();
  const counted = await asked.during(
    0.1,
    () => [line],
    () =>
      followTimetable(Float64Array.from([0, 1]), (_, at) =>
        asked.ask(line, 'save', at, () => requestOf('GET', '/', headersOf(port))),
      ),
  );
  line.close();
  server.close();
  expect(sumParts([counted]).kinds.save).toMatchObject({ ok: 1, unanswered: 1 });
});

it('resends a request that coincides with the close of an idle connection', async () => {
  let turn = 0;
  const server = createServer((request, response) => {
    turn += 1;
    if (turn === 1) request.socket.end('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n');
    else response.setHeader('content-length', 0).end();
  }).listen(0, '127.0.0.1');
  await delay(10);
  const { port } = server.address() as AddressInfo;
  const line = new Connection(port);
  const asked = new Asked();
  const counted = await asked.during(
    0.1,
    () => [line],
    () =>
      followTimetable(Float64Array.from([0]), (_, at) =>
        asked.ask(line, 'save', at, () => requestOf('GET', '/', headersOf(port))),
      ),
  );
  line.close();
  server.close();
  expect(sumParts([counted]).kinds.save).toMatchObject({ ok: 1, unanswered: 0 });
});
