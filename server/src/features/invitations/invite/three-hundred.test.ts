import type { InvitationCounts } from '@invigil/core/contract/invitations/invitations';
import { mailServer, makeQuiz, setUpAppWithAdmin, setUpSmtpSink } from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import { beforeAll, describe, expect, it } from 'vitest';
import { deliverMail } from '../../../jobs/deliver-mail.ts';

const COUNT = inForm({ short: 40, long: 300 });
const person = (n: number) => `person${n}@example.org`;
const PEOPLE = Array.from({ length: COUNT }, (_, n) => person(n));
const REFUSED = PEOPLE.slice(0, 9);
const DELAYED = PEOPLE.slice(10, 20);
const DROPPED = person(30);

describe(`${COUNT} invitations and a mail server that refuses nine, delays ten and drops one`, () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();
  let quiz: string;

  beforeAll(async () => {
    quiz = (await makeQuiz(app, app.admin)).id;
  });

  const counts = async (): Promise<InvitationCounts> =>
    (await app.call('countInvitations', { as: app.admin, params: { id: quiz } })).body;
  const who = async (state: string): Promise<string[]> => {
    const query = { state, limit: 1_000 };
    const reply = await app.call('listInvitations', { as: app.admin, params: { id: quiz }, query });
    return reply.body.map((row: { email: string }) => row.email).sort();
  };
  const configure = () =>
    app.call('putSmtpSettings', {
      as: app.admin,
      body: mailServer(sink.port),
    });

  /** Delivers what is due, and compares the list with what the mail server saw throughout. */
  async function deliverWatched(): Promise<number> {
    const delivery = deliverMail(app.context);
    let isOver = false;
    void delivery.finally(() => {
      isOver = true;
    });
    let samples = 0;
    while (!isOver) {
      const [now, sent, failed] = await Promise.all([counts(), who('sent'), who('failed')]);
      const taken = new Set(sink.mails.flatMap(({ to }) => to));
      expect(sent.filter((email) => !taken.has(email))).toEqual([]);
      expect(failed.filter((email) => !REFUSED.includes(email))).toEqual([]);
      expect(now.queued + now.sent + now.uncertain + now.failed).toBe(COUNT);
      expect(now).toMatchObject({ all: COUNT, not_started: COUNT });
      samples += 1;
    }
    await delivery;
    return samples;
  }

  it('are listed correctly at every moment', async () => {
    const invited = await app.call('inviteToQuiz', {
      as: app.admin,
      params: { id: quiz },
      body: { emails: PEOPLE },
    });
    expect(invited.body.invitations).toHaveLength(COUNT);
    // Without a mail server everything waits, and nothing is listed as being sent.
    await deliverMail(app.context);
    expect(await counts()).toMatchObject({ all: COUNT, queued: COUNT, sent: 0, failed: 0 });

    await configure();
    sink.faults.push(
      ...REFUSED.map((to) => ({ to, at: 'rcpt', code: 550, text: '5.1.1 Unknown' }) as const),
      ...[...DELAYED, ...DELAYED].map(
        (to) => ({ to, at: 'rcpt', code: 451, text: '4.7.1 Try later' }) as const,
      ),
      { to: DROPPED, at: 'after-data', drop: true },
    );
    expect(await deliverWatched()).toBeGreaterThan(3);
    expect(await counts()).toMatchObject({ queued: 10, sent: COUNT - 20, uncertain: 1, failed: 9 });
    expect(await who('failed')).toEqual(REFUSED.toSorted());
    expect(await who('queued')).toEqual(DELAYED.toSorted());
    expect(await who('uncertain')).toEqual([DROPPED]);

    app.clock.advance({ seconds: 5 });
    await deliverWatched();
    expect(await counts()).toMatchObject({ queued: 10, sent: COUNT - 19, uncertain: 0, failed: 9 });
    app.clock.advance({ seconds: 10 });
    await deliverWatched();
    expect(await counts()).toMatchObject({ queued: 0, sent: COUNT - 9, uncertain: 0, failed: 9 });
    expect(sink.faults).toEqual([]);

    // One message each, and one exact duplicate: its connection dropped after it was accepted.
    const taken = sink.mails.map(({ to: [to], mail }) => ({ to, id: mail.messageId }));
    expect(taken).toHaveLength(COUNT - 8);
    expect(new Set(taken.map(({ id }) => id)).size).toBe(COUNT - 9);
    expect(taken.filter(({ to }) => to === DROPPED)).toHaveLength(2);
  });
});
