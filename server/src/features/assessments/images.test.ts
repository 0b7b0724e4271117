import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Reply, startTestApp, type TestApp } from '@invigil/testkit/app';
import {
  type BegunAttempt,
  beginAttempt,
  inviteCandidate,
  makeQuiz,
  passTime,
  setUpApp,
  signInAdmin,
} from '@invigil/testkit/factories';
import { leave, portOf, requestOf } from '@invigil/testkit/left-requests';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { StorageAway } from '../../storage/storage.ts';
import { deleteExpired } from '../review/delete-expired.ts';

let n = 0;

/** A drawing that no other test has. */
function drawing(): Buffer {
  n += 1;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="${n}" height="9"/></svg>`,
  );
}

const upload = (app: TestApp, as: string | undefined, body: Buffer, type = 'image/svg+xml') =>
  app.call('uploadImage', { as, body, headers: { 'content-type': type } });
const read = (app: TestApp, as: string | undefined, hash: string) =>
  app.call('readImage', { as, params: { hash } });

/** Starts an attempt whose questions, or one option, show an image; others are as given. */
async function attemptWith(
  app: TestApp,
  admin: string,
  hash: string,
  {
    where = 'question',
    format = 'markdown',
  }: { where?: 'question' | 'option'; format?: string } = {},
): Promise<BegunAttempt> {
  const quiz = await makeQuiz(app, admin);
  const text = `![A figure](image:${hash} "Figure 1")`;
  await app.pool.query(
    `update question_versions v set
       details = $2::jsonb,
       ${where === 'question' ? 'question = question || $3' : 'option_texts[2] = option_texts[2] || $3'}
     from questions q where q.id = v.question_id and q.quiz_id = $1`,
    [
      quiz.id,
      JSON.stringify({
        type: 'multiple_choice',
        format,
        points: 1,
        rule: 'all_or_nothing',
        options: Array.from({ length: 4 }, (_, i) => ({ isCorrect: i === 1 })),
      }),
      text,
    ],
  );
  return beginAttempt(app, admin, quiz);
}

describe('images of questions', () => {
  const app = setUpApp();
  let folder: string;
  let admin: string;

  beforeAll(async () => {
    folder = app.context.config.dataDir;
    admin = await signInAdmin(app);
  });

  const made = async (): Promise<string> => (await upload(app, admin, drawing())).body.hash;
  const files = () => {
    try {
      return readdirSync(join(folder, 'images'), { recursive: true }).filter(
        (name) => String(name).length > 2,
      );
    } catch {
      return [];
    }
  };
  const rows = async () => (await app.pool.query('select * from images order by hash')).rows;
  const expectMissing = (reply: Reply) => {
    expect([reply.status, reply.body?.code]).toEqual([404, 'NOT_FOUND']);
    expect(reply.headers['cache-control']).toBe('no-store');
  };

  it('of six megabytes may follow each other: their bytes cost an administrator nothing', async () => {
    // With the budget of an installation.
    const own = await startTestApp({ REQUEST_BUDGET: '1' });
    try {
      const as = await signInAdmin(own);
      for (let i = 0; i < 3; i += 1) {
        const { status, body } = await upload(own, as, Buffer.alloc(6_000_000), 'image/png');
        expect([status, body.code]).toEqual([400, 'NOT_AN_IMAGE']);
      }
    } finally {
      await own.stop();
    }
  });

  describe('are refused', () => {
    it.each([
      ['nothing', Buffer.alloc(0), 'image/png', 400, 'NOT_AN_IMAGE'],
      ['a file that is no image', Buffer.from('no image'), 'image/png', 400, 'NOT_AN_IMAGE'],
      ['JSON', Buffer.from('{}'), 'application/json', 400, 'INVALID_INPUT'],
      ['a form', drawing(), 'multipart/form-data; boundary=x', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['a web page', drawing(), 'text/html', 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['more than 10 MiB', Buffer.alloc(10_485_761), 'image/png', 413, 'TOO_LARGE'],
      [
        'a HEIC photo',
        Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
        'image/heic',
        400,
        'HEIC_IMAGE',
      ],
      [
        'an image of too many pixels',
        Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1000000" height="9"/>'),
        'image/png',
        400,
        'IMAGE_TOO_LARGE',
      ],
    ] as const)('as %s', async (_, body, type, status, code) => {
      const before = [await rows(), files()];
      const reply = await upload(app, admin, body, type);
      expect([reply.status, reply.body.code]).toEqual([status, code]);
      expect(reply.body.message).toMatch(/^[A-Z].{10,}/);
      expect([await rows(), files()]).toEqual(before);
    });

    it('while the disk is low, in a sentence', async () => {
      const low = vi.spyOn(app.context.disk, 'isLow', 'get').mockReturnValue(true);
      const before = [await rows(), files()];
      const reply = await upload(app, admin, drawing());
      low.mockRestore();
      expect(reply).toMatchObject({
        status: 503,
        body: { code: 'DISK_LOW', message: expect.stringContaining('no image can be stored') },
      });
      expect([await rows(), files()]).toEqual(before);
      expect((await upload(app, admin, drawing())).status).toBe(201);
    });

    it('while the storage is away, and leave nothing behind', async () => {
      const body = drawing();
      const before = [await rows(), files()];
      const put = vi.spyOn(app.context.images, 'put').mockRejectedValue(new StorageAway('away'));
      const reply = await upload(app, admin, body);
      put.mockRestore();
      expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect([await rows(), files()]).toEqual(before);
      expect((await upload(app, admin, body)).status).toBe(201);
    });

    it('where their row cannot be written; the file is used by the next upload', async () => {
      const body = drawing();
      await app.pool.query('alter table images rename to elsewhere');
      const refused = await upload(app, admin, body);
      await app.pool.query('alter table elsewhere rename to images');
      expect(refused.status).toBe(500);
      const { status, body: image } = await upload(app, admin, body);
      expect(status).toBe(201);
      expect(files().filter((name) => String(name).endsWith(image.hash))).toHaveLength(1);
    });
  });

  it('are stored under the hash of what they became', async () => {
    const { status, body } = await upload(app, admin, drawing());
    expect(status).toBe(201);
    expect(body).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      mediaType: 'image/webp',
      width: 120,
      height: 80,
      bytes: expect.any(Number),
    });
    const path = join(folder, 'images', body.hash.slice(0, 2), body.hash);
    const bytes = readFileSync(path);
    expect(bytes.length).toBe(body.bytes);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(body.hash);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 120, height: 80 });
    expect((await rows()).find(({ hash }) => hash === body.hash)).toMatchObject({
      media_type: 'image/webp',
      created_at: app.clock.now(),
    });
  });

  it('are recognized by their bytes, whatever their type says', async () => {
    const png = await sharp(drawing()).png().toBuffer();
    const types = ['image/png', 'image/jpeg', 'image/svg+xml', 'application/octet-stream'];
    const replies = await Promise.all(types.map((type) => upload(app, admin, png, type)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(replies.map(({ body }) => body.hash)).size).toBe(1);
  });

  it('are stored once, however often they come', async () => {
    const body = drawing();
    const before = (await rows()).length;
    const replies = await Promise.all([1, 2, 3].map(() => upload(app, admin, body)));
    replies.push(await upload(app, admin, body));
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    expect((await rows()).length).toBe(before + 1);
    const { hash } = replies[0]?.body ?? {};
    expect(files().filter((name) => String(name).includes(hash))).toHaveLength(1);
  });

  it('are converted for no one who has left, and for others at once', async () => {
    const port = await portOf(app);
    const convert = vi.spyOn(app.context.imageConverter, 'convert');
    const heavy = '<feGaussianBlur stdDeviation="90"/><feMorphology radius="99"/>'.repeat(200);
    const slow = (i: number) =>
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600">
        <filter id="f">${heavy}</filter><rect width="${i}" height="1500" filter="url(#f)"/></svg>`);
    const as = await signInAdmin(app, 'leaving@example.org');
    await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        leave(
          port,
          requestOf('uploadImage', { as, body: slow(1_400 + i) }),
          i % 2 ? () => delay(500) : undefined,
        ),
      ),
    );
    // Each would take half a minute.
    const cpu = process.cpuUsage();
    expect((await upload(app, admin, drawing())).status).toBe(201);
    await expect.poll(() => app.context.budgets.callerOf(as)?.inFlight).toBe(0);
    const results = await Promise.allSettled(convert.mock.results.map(({ value }) => value));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(process.cpuUsage(cpu).user).toBeLessThan(20_000_000);
    expect(app.context.queues.images.size).toBe(0);
  });

  it('keep their hash when they come back as they were stored, also after a loss', async () => {
    const first = await upload(
      app,
      admin,
      await sharp(drawing()).resize(300).jpeg().toBuffer(),
      'image/jpeg',
    );
    const path = join(folder, 'images', first.body.hash.slice(0, 2), first.body.hash);
    const stored = readFileSync(path);
    rmSync(path);
    const again = await upload(app, admin, stored, 'image/webp');
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(readFileSync(path).equals(stored)).toBe(true);
  });

  it('are shown to administrators, cached until their session ends, and nothing executable', async () => {
    const hash = await made();
    const { status, headers } = await read(app, admin, hash);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=43200, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cross-origin-resource-policy': 'same-origin',
    });
    const response = await app.fastify.inject({
      url: `/api/images/${hash}`,
      cookies: { invigil_session: admin },
    });
    const digest = createHash('sha256').update(response.rawPayload).digest('hex');
    expect(digest).toBe(hash);
    expectMissing(await read(app, admin, 'f'.repeat(64)));
    expectMissing(await read(app, admin, hash.toUpperCase()));
  });

  describe('are shown to a candidate', () => {
    it.each(['question', 'option'] as const)(
      'of their own paper, in a %s, while the attempt is in progress',
      async (where) => {
        const hash = await made();
        const attempt = await attemptWith(app, admin, hash, { where });
        const as = attempt.candidate.cookie;
        const reply = await read(app, as, hash);
        expect(reply.status).toBe(200);
        // Not longer than the attempt: 25 minutes and the grace after its deadline.
        const { max } = /^private, max-age=(?<max>\d+), immutable$/.exec(
          String(reply.headers['cache-control']),
        )?.groups ?? { max: '' };
        const { close_at: closeAt } = await attempt.row();
        const leftMs = Number(closeAt) - app.clock.now().getTime();
        expect(Number(max)).toBe(Math.floor(leftMs / 1_000));
        expect(reply.headers['content-type']).toBe('image/webp');
        await attempt.submit();
        expectMissing(await read(app, as, hash));
      },
    );

    it('not before the start', async () => {
      const hash = await made();
      const { quiz } = await attemptWith(app, admin, hash);
      const waiting = await inviteCandidate(app, admin, quiz.id, `before${n}@example.org`);
      expectMissing(await read(app, waiting.cookie, hash));
      await app.call('startParticipant', { as: waiting.cookie, body: {} });
      expect((await read(app, waiting.cookie, hash)).status).toBe(200);
    });

    it('not after the time is up, before and after the attempt is closed', async () => {
      const hash = await made();
      const attempt = await attemptWith(app, admin, hash);
      const as = attempt.candidate.cookie;
      const { close_at: closeAt } = await attempt.row();
      app.clock.advance({ ms: (closeAt as Date).getTime() - app.clock.now().getTime() });
      expect((await read(app, as, hash)).status).toBe(200);
      app.clock.advance({ ms: 1 });
      expectMissing(await read(app, as, hash));
      await passTime(app, { minutes: 1 });
      expectMissing(await read(app, as, hash));
      admin = await signInAdmin(app);
    });

    it('not of another paper, of none, of a plain text, or of part of a hash', async () => {
      const [own, foreign, unused, plain] = [
        await made(),
        await made(),
        await made(),
        await made(),
      ];
      const attempt = await attemptWith(app, admin, own);
      await attemptWith(app, admin, foreign);
      const other = await attemptWith(app, admin, plain, { format: 'plain' });
      const as = attempt.candidate.cookie;
      for (const hash of [foreign, unused, plain, 'e'.repeat(64), own.slice(1), `${own}0`, '..']) {
        expectMissing(await read(app, as, hash));
      }
      expectMissing(await read(app, other.candidate.cookie, plain));
      expectMissing(await read(app, other.candidate.cookie, own));
      expect((await read(app, as, own)).status).toBe(200);
    });

    it('not to one whose session was replaced, or to nobody', async () => {
      const hash = await made();
      const attempt = await attemptWith(app, admin, hash);
      const old = attempt.candidate.cookie;
      await attempt.signIn();
      expect((await read(app, old, hash)).body.code).toBe('SESSION_REPLACED');
      expect((await read(app, attempt.candidate.cookie, hash)).status).toBe(200);
      expect((await read(app, undefined, hash)).status).toBe(401);
    });

    it('with the version that their paper has, not a later one', async () => {
      const [before, after] = [await made(), await made()];
      const attempt = await attemptWith(app, admin, before);
      const later = await attemptWith(app, admin, after);
      await app.pool.query(
        `insert into question_versions
           (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
         select q.id, 2, w.question, v.option_ids, v.option_texts, v.correct_option_id, v.created_at
         from questions q join question_versions v on v.question_id = q.id and v.version = 1,
           lateral (select question from question_versions x join questions y on y.id = x.question_id
             where y.quiz_id = $2 limit 1) w
         where q.quiz_id = $1`,
        [attempt.quiz.id, later.quiz.id],
      );
      expectMissing(await read(app, attempt.candidate.cookie, after));
      expect((await read(app, attempt.candidate.cookie, before)).status).toBe(200);
    });
  });

  it('outlive the retention', async () => {
    const hash = await made();
    const attempt = await attemptWith(app, admin, hash);
    await attempt.submit();
    const before = await rows();
    app.clock.advance({ days: 4_000 });
    await deleteExpired(app.context, app.clock.now());
    expect(await rows()).toEqual(before);
    admin = await signInAdmin(app);
    expect((await read(app, admin, hash)).status).toBe(200);
  });
});
