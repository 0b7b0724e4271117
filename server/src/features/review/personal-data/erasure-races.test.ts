import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Reply, startTestApp, type TestApp } from '@invigil/testkit/app';
import { type BegunAttempt, beginAttempt, signInAdmin } from '@invigil/testkit/factories';
import { STILL } from '@invigil/testkit/stills';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../db/new-id.ts';

describe('a request during the erasure of a person', () => {
  let app: TestApp;
  let admin: string;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'invigil-erasure-'));
    app = await startTestApp({ DATA_DIR: folder });
    admin = await signInAdmin(app);
  });
  afterAll(async () => {
    await app.stop();
    rmSync(folder, { recursive: true });
  });

  const waiting = async () =>
    (
      await app.pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
    ).rows.length;

  /** Locks the attempt, so that the erasure waits for it and the call waits for the erasure. */
  async function callDuringErasure(attempt: BegunAttempt, call: () => Promise<Reply>) {
    const holder = await app.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select from participants where id = $1 for update', [attempt.id]);
      const erasing = app.call('erasePerson', {
        as: admin,
        params: { id: attempt.candidate.userId },
        body: { reason: 'Asked for it' },
      });
      await expect.poll(waiting).toBe(1);
      const calling = call();
      await expect.poll(waiting).toBe(2);
      await holder.query('rollback');
      expect((await erasing).status).toBe(204);
      return await calling;
    } finally {
      holder.release();
    }
  }

  async function ended(): Promise<{ attempt: BegunAttempt; violation: string }> {
    const attempt = await beginAttempt(app, admin);
    const violation = (await attempt.report('looking_away')).body.id;
    await attempt.submit();
    return { attempt, violation };
  }

  it.each<[string, (attempt: BegunAttempt, violation: string) => Promise<Reply>, string]>([
    [
      'a note on a violation',
      ({ candidate }, violation) =>
        app.call('noteViolation', {
          as: candidate.cookie,
          params: { id: violation },
          body: { note: 'I, Frida' },
        }),
      'select from violations where participant_id = $1 and candidate_note is not null',
    ],
    [
      'feedback',
      ({ candidate, id }) =>
        app.call('giveFeedback', {
          as: candidate.cookie,
          body: { participantId: id, emoji: 'sad', text: 'I, Frida' },
        }),
      'select from feedback where participant_id = $1',
    ],
    [
      'a last report of the page',
      (attempt) => attempt.report('manual_submit', { notes: 'I, Frida' }),
      'select from violations where participant_id = $1 and notes is not null',
    ],
    [
      'evidence, where there was none before',
      ({ candidate, id }, violation) =>
        app.call('uploadEvidence', {
          as: candidate.cookie,
          params: { id },
          body: {
            id: newId(),
            violationId: violation,
            stills: [{ offsetMs: 0, jpeg: STILL }],
          },
        }),
      'select from evidence where participant_id = $1',
    ],
  ])('stores nothing: %s', async (_, call, kept) => {
    const { attempt, violation } = await ended();
    const reply = await callDuringErasure(attempt, () => call(attempt, violation));
    expect(reply).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
    expect((await app.pool.query(kept, [attempt.id])).rows).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});
