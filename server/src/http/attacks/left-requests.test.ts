import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { type BegunAttempt, beginAttempt, setUpApp } from '@invigil/testkit/factories';
import { type FuzzStage, openFuzzStage } from '@invigil/testkit/fuzz/fuzz-stage';
import { valuesOf } from '@invigil/testkit/fuzz/schema-values';
import { leave, portOf, requestOf } from '@invigil/testkit/left-requests';
import { openRawConnection } from '@invigil/testkit/raw-connection';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { z } from 'zod';

const NAMES = inForm({
  short: [
    ...['getQuizStatistics', 'exportQuizStatistics', 'uploadImage', 'readImport', 'importFile'],
    ...['readPeopleSheet', 'checkExport', 'exportQuestions', 'exportAudit', 'listParticipants'],
    ...['getCertificate', 'printCertificate', 'heartbeat', 'me'],
  ] as EndpointName[],
  long: Object.keys(ENDPOINTS) as EndpointName[],
});
/** Requests to a call; a person can have 64 in progress, and the rest are refused. */
const REQUESTS = inForm({ short: 100, long: 1_000 });
const AT_ONCE = 100;
/** Processor time of the process after the last request was left, until it has nothing to do. */
const MOST_MS = 10_000;
/** The same in wall-clock time, for a busy machine. */
const LONGEST_MS = 100_000;
const WINDOW_MS = 100;
const QUIET_SHARE = 0.5;
const MOST_KEPT_BYTES = 67_108_864;

/** A drawing that takes half a minute, and more than its limit. */
const SLOW_DRAWING =
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600">
  <filter id="f">${'<feGaussianBlur stdDeviation="90"/><feMorphology radius="99"/>'.repeat(200)}</filter>
  <rect width="1500" height="1500" filter="url(#f)"/></svg>`);
const FILE = `question,option1,option2,option3,option4,correctAnswer\n${'Q,a,b,c,d,a\n'.repeat(2_000)}`;
/** Bodies that no schema describes. */
const BYTES: Partial<Record<EndpointName, Buffer>> = {
  uploadImage: SLOW_DRAWING,
  readImport: Buffer.from(FILE),
  importFile: Buffer.from(`{"name":"a.csv"}\n${FILE}`),
  readPeopleSheet: Buffer.from('PK no workbook'),
};

/** A value of a schema without all that it can do without. */
function smallest(schema: z.ZodType, { allIds }: FuzzStage): unknown {
  const some = fc.sample(valuesOf(schema, allIds), { numRuns: 50, seed: 7 });
  const value: unknown = some.find((one) => schema.safeParse(one).success) ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.entries(value).reduce<Record<string, unknown>>(
    (all, [key]) => {
      const { [key]: _, ...without } = all;
      return schema.safeParse(without).success ? without : all;
    },
    { ...value },
  );
}

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

describe('requests whose senders have left', () => {
  // All of them are admitted: what is refused by its budget leaves nothing.
  const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1', REQUEST_BUDGET: '100' });
  let honest: BegunAttempt;
  let stage: FuzzStage;
  let port: number;
  beforeAll(async () => {
    await openStage();
    port = await portOf(app);
    // A first call loads and compiles what later calls would otherwise seem to keep.
    await afterLeaving('me');
  });

  /** Each takes a minute of the app's clock: an attempt is over before all calls had theirs. */
  async function openStage(): Promise<void> {
    stage = await openFuzzStage(app);
    honest = await beginAttempt(app, stage.admin);
  }

  /** A request as the contract has it, by someone who may make it. */
  function requestTo(name: EndpointName): Buffer {
    const row: Endpoint = ENDPOINTS[name];
    const isCandidates = row.access.includes('participant');
    const id = stage.ids[row.path.split('/')[2] ?? ''] ?? '';
    return requestOf(name, {
      ...(row.access === 'public' ? {} : { as: isCandidates ? stage.candidate : stage.admin }),
      params: {
        ...{ id, hash: '0'.repeat(64), questionId: stage.questionId },
        ...{ number: 'AAAAA-BBBBB-CCCCC', token: 'a'.repeat(22) },
      },
      query:
        name === 'readImport'
          ? { name: 'a.csv' }
          : row.query
            ? (smallest(row.query, stage) as Record<string, string>)
            : {},
      body: row.consumes
        ? (BYTES[name] ?? Buffer.from('x'))
        : row.body && smallest(row.body, stage),
    });
  }

  /** Work that still goes on for no one. */
  async function atWork(): Promise<string[]> {
    const cpu = process.cpuUsage();
    const loop = performance.eventLoopUtilization();
    const from = performance.now();
    await delay(WINDOW_MS);
    const { user, system } = process.cpuUsage(cpu);
    const { utilization } = performance.eventLoopUtilization(loop);
    // On a busy machine little processor time passes, also where the loop has much to do.
    const share = Math.max(utilization, (user + system) / 1_000 / (performance.now() - from));
    const { rows } = await app.pool.query(
      `select query from pg_stat_activity
       where datname = current_database() and state = 'active' and pid <> pg_backend_pid()`,
    );
    const waiting = Object.entries(app.context.queues).filter(([, { size }]) => size > 0);
    const callers = [stage.admin, stage.candidate].map((as) => app.context.budgets.callerOf(as));
    return [
      ...(share > QUIET_SHARE ? [`${share.toFixed(1)} of a core`] : []),
      ...rows.map(({ query }) => `a statement: ${query}`),
      ...waiting.map(([name, { size }]) => `${size} in the queue of ${name}`),
      ...(callers.some((caller) => (caller?.inFlight ?? 0) > 0) ? ['a handler'] : []),
    ];
  }

  function bytesHeld(): number {
    collectGarbage();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  }

  /** The problem after requests to a call were left; `null`: none. */
  async function afterLeaving(name: EndpointName, mostMs = MOST_MS): Promise<string | null> {
    const request = requestTo(name);
    const before = bytesHeld();
    for (let sent = 0; sent < REQUESTS; sent += AT_ONCE) {
      // Half before they are looked at; of the others some while they wait, are at work, and are answered.
      const later = async (ms: number) => {
        for (let i = 0; i < 3; i += 1) await honest.heartbeat();
        await delay(ms);
      };
      await Promise.all(
        Array.from({ length: AT_ONCE }, (_, i) =>
          leave(port, request, i % 2 === 0 ? undefined : () => later(i)),
        ),
      );
    }
    const cpu = process.cpuUsage();
    const from = performance.now();
    revision += 1;
    const save = await honest.save(0, 0, revision);
    if (save.status !== 200) return `${name}: an honest save was answered ${save.text}`;
    for (;;) {
      const working = await atWork();
      if (working.length === 0) break;
      const { user, system } = process.cpuUsage(cpu);
      if ((user + system) / 1_000 > mostMs || performance.now() - from > LONGEST_MS) {
        return `${name} goes on: ${working.join(', ')}`;
      }
    }
    const kept = bytesHeld() - before;
    return kept > MOST_KEPT_BYTES ? `${name}: ${kept} bytes are kept` : null;
  }
  let revision = 0;

  it.each(NAMES)('leave nothing that goes on: %s', async (name) => {
    expect(await afterLeaving(name)).toBeNull();
    // Who was signed out, or whose assessment is gone, needs another.
    if (inForm({ short: false, long: true }) && ENDPOINTS[name].method !== 'GET') {
      await openStage();
    }
  });

  it('are detected where work goes on without a bound', async () => {
    let chain: Promise<unknown> = Promise.resolve();
    const spin = async () => {
      const until = performance.now() + 100;
      while (performance.now() < until);
    };
    let isOver = false;
    const work = async () => {
      while (!isOver) await delay(1).then(spin);
    };
    const run = vi.spyOn(app.context.queues.statistics, 'run').mockImplementation(() => {
      // After its answer, as one that no handler waits for.
      chain = chain.then(work);
      return Promise.reject(new Error('planted'));
    });
    const problem = await afterLeaving('getQuizStatistics', 3_000);
    run.mockRestore();
    isOver = true;
    await chain;
    expect(problem).toMatch(/goes on: .* of a core/);
  });

  it('are detected where a handler goes on', async () => {
    const over = Promise.withResolvers<never>();
    const run = vi.spyOn(app.context.queues.statistics, 'run').mockReturnValue(over.promise);
    // No processor time passes once its sender has left.
    const { write, destroy } = openRawConnection(port);
    write(String(requestTo('getQuizStatistics')));
    await expect.poll(() => run.mock.calls.length).toBeGreaterThan(0);
    destroy();
    const working = await atWork();
    over.reject(new Error('planted'));
    run.mockRestore();
    expect(String(working)).toMatch(/a handler/);
  });
});
