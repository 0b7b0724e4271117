import {
  type BegunAttempt,
  beginAttempt,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { recordAlive } from '../../db/queries/liveness.ts';
import { closeDueParticipants } from '../../jobs/close-due-participants.ts';
import { recordAliveAndRecover } from '../../jobs/liveness/liveness.ts';

const MINUTES = 30;

describe('time that an outage cost', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let admin = '';

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin, { duration: MINUTES });
    admin = app.admin;
  });
  const begin = () => beginAttempt(app, admin, quiz);
  const note = () => recordAliveAndRecover(app.context, app.clock.now());
  const list = async () => (await app.call('listOutages', { as: admin })).body;
  const grant = (id: string) =>
    app.call('grantLostTime', { as: admin, params: { id }, body: { reason: 'Power cut' } });
  const leftOf = async (one: BegunAttempt): Promise<number> =>
    (await one.heartbeat()).body.remainingMs;
  /** The service is down for some minutes; then these are heard of at once. */
  async function outage(minutes: number, back: readonly BegunAttempt[] = []) {
    await recordAlive(app.context.db, app.clock.now());
    app.clock.advance({ minutes });
    await app.rebuild();
    await note();
    for (const one of back) await one.heartbeat();
  }

  it('is the silence of each in it, and is given back once', async () => {
    const [back, paused, away] = [await begin(), await begin(), await begin()];
    app.clock.advance({ minutes: 1 });
    for (const one of [back, paused, away]) await one.heartbeat();
    await app.call('applyToMany', {
      as: admin,
      body: {
        ...{ id: newId(), ids: [paused.id], action: { kind: 'pause', minutes: 6 } },
        reason: 'Fire alarm',
      },
    });
    await outage(7, [back, paused]);
    const later = await begin();
    // Not heard of for longer than pages need to come back.
    app.clock.advance({ minutes: 3 });
    const [found] = await list();
    expect(found.attempts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ participantId: back.id, minutes: 7, hasEnded: false }),
        expect.objectContaining({ participantId: paused.id, minutes: 1 }),
        expect.objectContaining({ participantId: away.id, minutes: 8 }),
      ]),
    );
    expect(found.attempts).toHaveLength(3);
    const before = await leftOf(back);
    expect((await grant(found.id)).body).toMatchObject({ refused: [] });
    expect(await leftOf(back)).toBe(before + 7 * 60_000);
    expect(await leftOf(later)).toBe((MINUTES - 3) * 60_000);
    // Again gives nothing more.
    expect((await grant(found.id)).body).toEqual({ done: [], refused: [] });
    expect(await leftOf(back)).toBe(before + 7 * 60_000);
    expect(await list()).toEqual([]);
    const { body } = await app.call('getParticipantRecord', { as: admin, params: { id: away.id } });
    expect(body.actions).toMatchObject([{ action: 'participant.extended', reason: 'Power cut' }]);
  });

  it('reinstates whose time ran out in it, and leaves whoever submitted', async () => {
    const [over, submitted] = [await begin(), await begin()];
    app.clock.advance({ minutes: MINUTES - 5 });
    for (const one of [over, submitted]) await one.heartbeat();
    await outage(10);
    await submitted.submit();
    app.clock.advance({ seconds: 61 });
    await recordAlive(app.context.db, app.clock.now());
    await closeDueParticipants(app.context);
    admin = await signInAdmin(app, 'second@example.org');
    const [found] = await list();
    const lost = new Map(
      found.attempts.map((one: { participantId: string }) => [one.participantId, one]),
    );
    expect(lost.get(over.id)).toMatchObject({ minutes: 5, hasEnded: true });
    expect(lost.has(submitted.id)).toBe(false);
    expect((await grant(found.id)).body.done).toContain(over.id);
    await over.signIn();
    expect((await over.start()).body).toMatchObject({ remainingMs: 5 * 60_000 });
  });

  it('is nothing where nobody was silent, and is forgotten after a day', async () => {
    const one = await begin();
    await one.submit();
    await outage(5);
    const ids = (await list()).flatMap(({ attempts }: { attempts: { participantId: string }[] }) =>
      attempts.map(({ participantId }) => participantId),
    );
    expect(ids).not.toContain(one.id);
    app.clock.advance({ days: 1, minutes: 1 });
    await recordAlive(app.context.db, app.clock.now());
    admin = await signInAdmin(app, 'third@example.org');
    expect(await list()).toEqual([]);
    expect(await grant(newId())).toMatchObject({ status: 404 });
  });
});
