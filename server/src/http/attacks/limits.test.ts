import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { BUDGET_LIMITS, LIVE_LIMITS, TOTP_LIMITS } from '@invigil/core/domain/limits';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import {
  type BegunAttempt,
  beginAttempt,
  makeQuiz,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { STILL, stillOf, stillOfBytes } from '@invigil/testkit/stills';
import { storeAttempts } from '@invigil/testkit/stored';
import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { secondsBlocked } from '../../db/queries/throttle.ts';
import { listBoardEnded } from '../../features/review/live/board-queries.ts';
import { requireReservedTry } from '../../features/sign-in/check-password.ts';
import { Turns } from '../admission/admission.ts';
import { TokenBucket } from '../admission/budgets.ts';

const MIB = 1_048_576;

const withStills = (stillEveryMs: number) => ({ ...STRICT_POLICY, preset: 'custom', stillEveryMs });

/*
 * Limits that no other test exceeds by a little, each at its number and one beyond: what is refused leaves
 * no row, and costs little processor time and memory. The numbers are literals, so that a limit that is
 * raised by mistake is noticed.
 */
describe('a limit that is exceeded', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;
  beforeEach(async () => {
    attempt = await beginAttempt(
      app,
      app.admin,
      await makeQuiz(app, app.admin, { policy: withStills(60_000) }),
    );
  });

  interface Answered {
    status: number;
    code: string | undefined;
  }

  /** Runs a request and returns what it left. */
  async function measured(run: () => Promise<Answered>) {
    const rows = await countRows();
    const cpu = process.cpuUsage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const answered = await run();
    const { user, system } = process.cpuUsage(cpu);
    const after = process.memoryUsage();
    return {
      ...answered,
      rows: (await countRows()) - rows,
      milliseconds: (user + system) / 1_000,
      bytes: after.heapUsed - heapUsed + after.arrayBuffers - arrayBuffers,
    };
  }

  async function countRows(): Promise<number> {
    const { rows } = await app.pool.query<{ sum: string }>(
      `select sum((xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %I', table_name),
         false, true, '')))[1]::text::bigint) as sum
       from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    );
    return Number(rows[0]?.sum);
  }

  const refused = (status: number, code: string, most: { bytes: number }) => ({
    status,
    code,
    rows: 0,
    milliseconds: expect.toSatisfy((n) => n < 1_000),
    bytes: expect.toSatisfy((n) => n < most.bytes),
  });

  async function call(
    name: EndpointName,
    as: string,
    body: unknown,
    ids: Record<string, string> = {},
  ): Promise<Answered> {
    const reply = await app.call(name, { as, body, params: { id: attempt.quiz.id, ...ids } });
    return { status: reply.status, code: reply.body?.code };
  }

  describe('by a body', () => {
    it.each([
      ['createCategory', 65_536],
      ['login', 4_096],
      ['createQuestion', 262_144],
      ['deleteQuestions', 1_048_576],
      ['importQuestions', 4_194_304],
      ['uploadEvidence', 1_048_576],
      ['sendThumbnail', 40_960],
    ] as const)('of %s is refused from %i bytes on', async (name, most) => {
      const { method, path, access }: Endpoint = ENDPOINTS[name];
      const isCandidates = access.includes('participant');
      const id = isCandidates ? attempt.id : attempt.quiz.id;
      const as = isCandidates ? attempt.candidate.cookie : app.admin;
      const send = async (bytes: number): Promise<Answered> => {
        const { statusCode, body } = await app.fastify.inject({
          method,
          url: path.replace(':id', id),
          headers: { cookie: `invigil_session=${as}`, 'content-type': 'application/json' },
          // Spaces are read like everything else.
          payload: '{}'.padEnd(bytes),
        });
        return { status: statusCode, code: JSON.parse(body || '{}').code };
      };
      expect((await send(most)).code).toBe('INVALID_INPUT');
      const above = await measured(() => send(most + 1));
      expect(above).toEqual(refused(413, 'TOO_LARGE', { bytes: 8 * MIB }));
    });
  });

  describe('by a question', () => {
    const base = { format: 'plain', points: 1, rule: 'all_or_nothing', options: [] };
    const several = (characters: number) => ({
      ...base,
      type: 'multiple_response',
      question: 'Q',
      options: Array.from({ length: 4 }, (_, i) => ({
        text: `${i}`.padEnd(characters / 4, 'x'),
        isCorrect: i === 0,
      })),
    });
    const text = (accepted: string[]) => ({
      ...base,
      type: 'short_text',
      question: 'Q',
      shortText: {
        accepted: accepted.map((one) => ({ text: one })),
      },
    });
    const number = (units: number) => ({
      ...base,
      type: 'numeric',
      question: 'Q',
      numeric: {
        accepted: [{ value: '1' }],
        units: Array.from({ length: units }, (_, i) => ({ unit: `u${i}`, factor: '1' })),
      },
    });
    const many = (n: number) => Array.from({ length: n }, (_, i) => `answer ${i}`);

    it.each([
      ['8,000 characters of options together', several(8_000), several(8_004)],
      ['100 accepted texts', text(many(100)), text(many(101))],
      ['100 units', number(100), number(101)],
      ['500 characters of an accepted text', text(['x'.repeat(500)]), text(['x'.repeat(501)])],
    ])('with %s at most', async (_, just, over) => {
      const add = (definition: object) => call('addToBank', app.admin, { definition });
      expect(await add(just)).toEqual({ status: 201, code: undefined });
      const above = await measured(() => add(over));
      expect(above).toEqual(refused(400, 'INVALID_INPUT', { bytes: 16 * MIB }));
    });
  });

  describe('by what a candidate sends', () => {
    const upload = (body: object) => ({
      id: newId(),
      violationId: null,
      stills: [{ offsetMs: 0, jpeg: STILL }],
      ...body,
    });
    const violation = (body: object) => ({
      participantId: attempt.id,
      violationType: 'window_blur',
      notes: null,
      ...body,
    });
    const still = (jpeg: string) => upload({ stills: [{ offsetMs: 0, jpeg }] });
    const away = (offsetMs: number) => upload({ stills: [{ offsetMs, jpeg: STILL }] });

    it.each<[string, EndpointName, () => object, () => object, string]>([
      [
        'a still 320 wide',
        'uploadEvidence',
        () => still(stillOf(320, 1)),
        () => still(stillOf(321, 1)),
        'NOT_A_STILL',
      ],
      [
        'a still 240 high',
        'uploadEvidence',
        () => still(stillOf(1, 240)),
        () => still(stillOf(1, 241)),
        'NOT_A_STILL',
      ],
      [
        'a still a minute before',
        'uploadEvidence',
        () => away(-60_000),
        () => away(-60_001),
        'INVALID_INPUT',
      ],
      [
        'a still a minute later',
        'uploadEvidence',
        () => away(60_000),
        () => away(60_001),
        'INVALID_INPUT',
      ],
      [
        'a moment a day ago',
        'uploadEvidence',
        () => upload({ ageMs: 86_400_000 }),
        () => upload({ ageMs: 86_400_001 }),
        'INVALID_INPUT',
      ],
      [
        'a live picture',
        'sendThumbnail',
        () => ({ jpeg: stillOfBytes(24_000) }),
        () => ({ jpeg: stillOfBytes(24_001) }),
        'INVALID_INPUT',
      ],
      [
        'the name of a detector',
        'reportViolation',
        () => violation({ engine: 'e'.repeat(60) }),
        () => violation({ engine: 'e'.repeat(61) }),
        'INVALID_INPUT',
      ],
    ])('in %s', async (_, name, just, over, code) => {
      const as = attempt.candidate.cookie;
      const send = (body: object) => call(name, as, body, { id: attempt.id });
      expect((await send(just())).status).toBeLessThan(300);
      expect(await measured(() => send(over()))).toEqual(refused(400, code, { bytes: 16 * MIB }));
    });
  });

  it.each([
    ['30 s', 30_000, 29_999],
    ['an hour', 3_600_000, 3_600_001],
  ])('by pictures in between, at %s', async (_, just, over) => {
    const category = await app.call('createCategory', { as: app.admin, body: { name: 'C' } });
    const make = (stillEveryMs: number) =>
      call('createQuiz', app.admin, {
        title: 'T',
        categoryId: category.body.id,
        duration: 30,
        totalQuestions: 5,
        policy: withStills(stillEveryMs),
      });
    expect((await make(just)).status).toBe(201);
    const above = await measured(() => make(over));
    expect(above).toEqual(refused(400, 'INVALID_INPUT', { bytes: 16 * MIB }));
  });

  it('by wrong codes of the second step waits a quarter of an hour at most', async () => {
    const { db } = app.context;
    const key = randomBytes(32);
    let now = app.clock.now();
    for (let i = 0; i < 15; i += 1) {
      await requireReservedTry(db, key, now, TOTP_LIMITS.throttleMaxSeconds);
      const seconds = await secondsBlocked(db, key, now);
      expect(seconds).toBe(Math.min(2 ** i, 900));
      now = new Date(now.getTime() + seconds * 1_000);
    }
  });

  it('by ends: the board lists 40 of each assessment', async () => {
    const at = app.clock.now().getTime();
    await storeAttempts(
      app,
      attempt.quiz.id,
      Array.from({ length: 60 }, (_, i) => ({
        email: `end${i}@example.org`,
        startedAt: new Date(at - 60_000),
        endedAfter: i + 1,
      })),
    );
    const since = new Date(at - LIVE_LIMITS.endedMs);
    const listed = await listBoardEnded(app.context.db, since, LIVE_LIMITS.endedMax);
    expect(listed).toHaveLength(40);
    // The ends of another assessment are listed, although they came before all of these.
    const other = await makeQuiz(app, app.admin);
    const earlier = {
      email: 'earlier@example.org',
      startedAt: new Date(at - 60_000),
      endedAfter: 0,
    };
    await storeAttempts(app, other.id, [earlier]);
    const all = await listBoardEnded(app.context.db, since, LIVE_LIMITS.endedMax);
    expect(all.filter(({ quizId }) => quizId === other.id)).toHaveLength(1);
  });

  it.each([
    ['a stranger', false, 1],
    ['an administrator', true, 32],
  ])(
    'by %s whose body was refused, of which so many MiB are read',
    async (_, isAdmin, mebibytes) => {
      if (!app.fastify.server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.fastify.server.address() as AddressInfo;
      const accepted = once(app.fastify.server, 'connection');
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      const [ours] = (await accepted) as [Socket];
      const cookie = isAdmin ? `Cookie: invigil_session=${app.admin}\r\n` : '';
      socket.write(
        `POST /api/images HTTP/1.1\r\nHost: localhost\r\n${cookie}Content-Type: text/html\r\nContent-Length: ${100 * MIB}\r\n\r\n`,
      );
      const closed = once(ours, 'close');
      const chunk = Buffer.alloc(65_536);
      const fill = () => {
        while (socket.writable && socket.write(chunk));
      };
      socket.on('drain', fill);
      fill();
      await closed;
      socket.destroy();
      expect(ours.bytesRead).toBeGreaterThan(0.9 * mebibytes * MIB);
      expect(ours.bytesRead).toBeLessThan((mebibytes + 1) * MIB);
    },
  );

  it('by a save of 64 KiB and a submit of 2 MiB, also where the paper is larger', async () => {
    const options = Array.from({ length: 4 }, (_, i) => ({
      text: `${i}`.padEnd(2_000, 'x'),
      isCorrect: i === 0,
    }));
    const quiz = await makeQuiz(app, app.admin, { questions: [], totalQuestions: 70 });
    for (let i = 0; i < 70; i += 1) {
      const definition = {
        type: 'multiple_response',
        format: 'plain',
        question: `Q${i}`,
        options,
        points: 1,
        rule: 'all_or_nothing',
      };
      await app.call('addToBank', { as: app.admin, body: { definition, quizId: quiz.id } });
    }
    const large = await beginAttempt(app, app.admin, quiz);
    const send = async (name: 'saveAnswers' | 'submitParticipant', bytes: number) => {
      const { method, path } = ENDPOINTS[name];
      const { statusCode, body } = await app.fastify.inject({
        method,
        url: path.replace(':id', large.id),
        headers: {
          cookie: `invigil_session=${large.candidate.cookie}`,
          'content-type': 'application/json',
        },
        payload: '[]'.padEnd(bytes),
      });
      return { status: statusCode, code: JSON.parse(body || '{}').code };
    };
    for (const [name, most] of [
      ['saveAnswers', 65_536],
      ['submitParticipant', 2_097_152],
    ] as const) {
      expect((await send(name, most)).code).toBe('INVALID_INPUT');
      const above = await measured(() => send(name, most + 1));
      expect(above).toEqual(refused(413, 'TOO_LARGE', { bytes: 16 * MIB }));
    }
  });

  it('by coming back again and again leaves 500 events', async () => {
    await app.pool.query(
      `insert into participant_events (id, participant_id, kind, at)
       select gen_random_uuid(), $1, 'resumed', now() from generate_series(1, 498)`,
      [attempt.id],
    );
    for (let i = 0; i < 5; i += 1) expect((await attempt.start()).status).toBe(200);
    const { rows } = await app.pool.query(
      `select count(*)::int as n from participant_events
       where participant_id = $1 and kind in ('resumed', 'signed_in', 'gap')`,
      [attempt.id],
    );
    expect(rows).toEqual([{ n: 500 }]);
  });

  it('by strangers at the same moment: four begin in each turn of the event loop', async () => {
    const turns = new Turns(BUDGET_LIMITS.strangersPerTurn);
    let begun = 0;
    for (let i = 0; i < 10; i += 1) void turns.take().then(() => (begun += 1));
    // All that may begin at once has begun before the next turn.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const inTurns = [begun];
    for (let i = 0; i < 2; i += 1) {
      await nextTurn();
      inTurns.push(begun);
    }
    expect(inTurns).toEqual([4, 8, 10]);
  });

  it.each([
    ['a session', BUDGET_LIMITS.session, 1_000, 200],
    ['a network', BUDGET_LIMITS.network, 20_000, 1_000],
  ])(
    'by the requests of %s: so many at once, and so many a second',
    (_, rate, burst, perSecond) => {
      const bucket = new TokenBucket(rate, 0);
      const admittedAt = (now: number) => {
        let n = 0;
        while (bucket.take(1, now) === 0) n += 1;
        return n;
      };
      expect([admittedAt(0), admittedAt(1_000), admittedAt(3_000)]).toEqual([
        burst,
        perSecond,
        2 * perSecond,
      ]);
    },
  );
});
