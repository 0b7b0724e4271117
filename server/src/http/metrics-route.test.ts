import { readFileSync } from 'node:fs';
import { startTestApp, type TestApp } from '@invigil/testkit/app';
import { beginAttempt, makeQuiz, setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const TOKEN = 'a-token-for-metrics';

async function read(app: TestApp, headers: Record<string, string> = {}, remoteAddress?: string) {
  const reply = await app.fastify.inject({
    url: '/metrics',
    headers,
    ...(remoteAddress === undefined ? {} : { remoteAddress }),
  });
  return { status: reply.statusCode, text: reply.body, type: reply.headers['content-type'] };
}

/** The value of a line, by its prefix. */
function readValue(text: string, name: string): number | undefined {
  const line = text.split('\n').find((l) => l.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length + 1));
}

describe('who may read /metrics', () => {
  const apps: TestApp[] = [];
  const start = async (env: Record<string, string>) => {
    const app = await startTestApp(env);
    apps.push(app);
    return app;
  };
  afterEach(async () => {
    for (const app of apps.splice(0)) await app.stop();
  });

  it('without a token only the machine itself', async () => {
    const app = await start({});
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '128.0.0.1', 'fe80::1']) {
      expect(await read(app, {}, address)).toMatchObject({ status: 404 });
    }
    // Behind a proxy on this machine, all requests come from loopback.
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']) {
      expect(await read(app, { [name]: '1.2.3.4' })).toMatchObject({ status: 404 });
    }
    for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8']) {
      expect(await read(app, {}, address)).toMatchObject({ status: 200 });
    }
  });

  it('no one without a token when others can reach the installation', async () => {
    const app = await start({ PUBLIC_URL: 'https://invigil.example.org' });
    expect(await read(app)).toMatchObject({ status: 404 });
  });

  it('only with the token, from anywhere', async () => {
    const app = await start({ METRICS_TOKEN: TOKEN, PUBLIC_URL: 'https://invigil.example.org' });
    for (const authorization of ['', TOKEN, `Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`]) {
      expect(await read(app, { authorization })).toMatchObject({ status: 404 });
    }
    const authorization = `Bearer ${TOKEN}`;
    const reply = await read(app, { authorization, 'x-forwarded-for': '1.2.3.4' }, '10.0.0.7');
    expect(reply).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/plain/) });
  });
});

describe('the metrics', () => {
  const app = setUpApp();
  let admin: string;
  const figure = async (name: string) => readValue((await read(app)).text, name);
  beforeEach(async () => {
    admin = await signInAdmin(app, `${crypto.randomUUID()}@example.org`);
  });
  it('count saves by outcome, their time and their batches', async () => {
    const attempt = await beginAttempt(app, admin, await makeQuiz(app, admin));
    const before = (await read(app)).text;
    await attempt.save(0, 1, 1);
    await Promise.all([attempt.save(1, 1, 1), attempt.save(2, 1, 1)]);
    await attempt.save(0, 2, 1);
    const after = (await read(app)).text;
    const grown = (name: string) => (readValue(after, name) ?? 0) - (readValue(before, name) ?? 0);
    expect(grown('invigil_saves_total{outcome="saved"}')).toBe(3);
    expect(grown('invigil_saves_total{outcome="conflict"}')).toBe(1);
    expect(grown('invigil_save_seconds_count')).toBe(4);
    expect(grown('invigil_save_seconds_bucket{le="+Inf"}')).toBe(4);
    expect(grown('invigil_save_seconds_bucket{le="15"}')).toBe(4);
    expect(grown('invigil_save_seconds_sum')).toBeGreaterThan(0);
    expect(grown('invigil_save_batch_size_sum')).toBe(4);
    expect(grown('invigil_responses_total{class="2xx"}')).toBe(3);
    expect(grown('invigil_responses_total{class="4xx"}')).toBe(1);
    await attempt.submit();
  });

  it('report attempts that are open and those that should have ended', async () => {
    expect(await figure('invigil_attempts_open')).toBe(0);
    const attempt = await beginAttempt(app, admin, await makeQuiz(app, admin, { duration: 1 }));
    expect(await figure('invigil_attempts_open')).toBe(1);
    expect(await figure('invigil_attempts_due')).toBe(0);
    // Many attempts that end together are closed within some seconds.
    app.clock.advance({ seconds: 78 });
    expect(await figure('invigil_attempts_due')).toBe(0);
    app.clock.advance({ seconds: 3 });
    expect(await figure('invigil_attempts_due')).toBe(1);
    expect(attempt.id).not.toBe('');
  });

  it('report for how long delivery has been failing, and nothing for untried mail', async () => {
    const waiting = 'invigil_outbox_retrying_seconds';
    expect(await figure('invigil_outbox_messages{state="queued"}')).toBeGreaterThan(0);
    expect(await figure(waiting)).toBe(0);
    const ago = (ms: number) => new Date(app.clock.now().getTime() - ms);
    await app.pool.query('update outbox set first_tried_at = $1', [ago(60_000)]);
    await app.pool.query(
      'update outbox set first_tried_at = $1 where id = (select id from outbox limit 1)',
      [ago(1_900_000)],
    );
    expect(await figure(waiting)).toBe(1_900);
    await app.pool.query(
      "update outbox set state = 'failed', next_attempt_at = null where first_tried_at = $1",
      [ago(1_900_000)],
    );
    expect(await figure(waiting)).toBe(60);
    await app.pool.query(
      "update outbox set state = 'queued', next_attempt_at = $1, first_tried_at = null",
      [app.clock.now()],
    );
  });

  it('include every series that deploy/alerts.yml uses', async () => {
    app.context.metrics.watchProcess();
    const rules = readFileSync(new URL('../../../deploy/alerts.yml', import.meta.url), 'utf8');
    const expressions = [...rules.matchAll(/^\s+expr: (.+)$/gm)].map(
      ([, expression = '']) => expression,
    );
    expect(expressions.length).toBeGreaterThan(15);
    // With its labels: a series that first appears with its first event would miss that event.
    const series = expressions.flatMap((expression) => [
      ...expression.matchAll(/\b((?:invigil|nodejs|process)_\w+)(?:\{([^}]*)\})?/g),
    ]);
    expect(series.length).toBeGreaterThan(14);
    const lines = (await read(app)).text.split('\n');
    const missing = series.filter(
      ([, name, labels = '']) =>
        !lines.some((line) => line.split(/[ {]/, 1)[0] === name && line.includes(labels)),
    );
    expect(missing.map(([text]) => text)).toEqual([]);
    // `up` is Prometheus's own.
    const others = expressions.filter(
      (expression) => !/(?:invigil|nodejs|process)_/.test(expression),
    );
    expect(others).toEqual(['up{job="invigil"} == 0']);
  });

  it('report violations by type and whether they counted, without people', async () => {
    const attempt = await beginAttempt(app, admin, await makeQuiz(app, admin));
    const report = (id: string) =>
      app.call('reportViolation', {
        as: attempt.candidate.cookie,
        body: { participantId: attempt.id, violationType: 'tab_hidden', notes: null, id },
      });
    const id = crypto.randomUUID();
    await report(id);
    await report(id);
    const { text } = await read(app);
    expect(readValue(text, 'invigil_violations_total{type="tab_hidden",counted="true"}')).toBe(1);
    expect(text).not.toContain('@');
    expect(text).not.toContain(attempt.id);
  });

  it('report the free disk space once it is known, and that there is little', async () => {
    expect(await figure('invigil_disk_alarm')).toBe(0);
    expect(await figure('invigil_disk_free_bytes')).toBeUndefined();
    vi.spyOn(app.context.disk, 'isLow', 'get').mockReturnValue(true);
    vi.spyOn(app.context.disk, 'freeBytes', 'get').mockReturnValue(17);
    expect(await figure('invigil_disk_alarm')).toBe(1);
    expect(await figure('invigil_disk_free_bytes')).toBe(17);
  });

  it('raise the clock alarm, and report when the database does not answer', {
    tags: 'long',
  }, async () => {
    expect(await figure('invigil_clock_alarm')).toBe(0);
    app.clock.trusted = false;
    expect(await figure('invigil_clock_alarm')).toBe(1);
    app.clock.trusted = true;
    expect(await figure('invigil_machine_clock_alarm')).toBe(0);
    vi.spyOn(app.clock, 'machineAgrees').mockReturnValue(false);
    expect(await figure('invigil_machine_clock_alarm')).toBe(1);
    expect(await figure('invigil_database_up')).toBe(1);
    const holder = await app.pool.connect();
    await holder.query('begin; lock table participants in access exclusive mode');
    const { text } = await read(app);
    // A slow figure is left out without affecting others.
    expect(readValue(text, 'invigil_attempts_open')).toBeUndefined();
    expect(readValue(text, 'invigil_database_up')).toBe(1);
    expect(readValue(text, 'invigil_outbox_messages{state="failed"}')).toBeDefined();
    expect(readValue(text, 'invigil_audit_unsealed')).toBeDefined();
    expect(readValue(text, 'invigil_pool_busy')).toBeGreaterThan(0);
    await holder.query('rollback; begin; lock table outbox in access exclusive mode');
    expect(await figure('invigil_attempts_due')).toBeDefined();
    await holder.query('rollback');
    holder.release();
    const all = Array.from({ length: app.pool.options.max ?? 0 }, () => app.pool.connect());
    const held = await Promise.all(all);
    const away = (await read(app)).text;
    expect(readValue(away, 'invigil_database_up')).toBe(0);
    expect(readValue(away, 'invigil_attempts_open')).toBeUndefined();
    for (const client of held) client.release();
  });

  it('count mail sent within a day, and all unsent mail, without reading the rest', async () => {
    await app.pool.query(
      `update outbox set state = 'sent', sealed_code = null, next_attempt_at = null, claimed_until = null, sent_at = $1`,
      [new Date(app.clock.now().getTime() - 86_400_000)],
    );
    expect(await figure('invigil_outbox_messages{state="sent"}')).toBe(0);
    await app.pool.query('update outbox set sent_at = $1', [app.clock.now()]);
    const { rows } = await app.pool.query('select count(*)::int as n from outbox');
    expect(await figure('invigil_outbox_messages{state="sent"}')).toBe(rows[0].n);
    const plan = async (statement: string) =>
      (await app.pool.query(`explain ${statement}`)).rows.map((r) => r['QUERY PLAN']).join('\n');
    await app.pool.query('set enable_seqscan = off');
    const open = await plan("select state, count(*) from outbox where state <> 'sent' group by 1");
    expect(open).toContain('outbox_not_sent');
  });
});
