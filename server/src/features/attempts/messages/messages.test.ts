import {
  type BegunAttempt,
  beginAttempt,
  passTime,
  setUpAppWithAdmin,
} from '@invigil/testkit/factories';
import { afterGrace } from '@invigil/testkit/fake-clock';
import { beforeAll, describe, expect, it } from 'vitest';

describe('messages to a candidate', () => {
  const app = setUpAppWithAdmin();
  let attempt: BegunAttempt;
  let id: string;

  beforeAll(async () => {
    attempt = await beginAttempt(app, app.admin);
    id = attempt.id;
  });
  const send = (text: unknown, to = id) =>
    app.call('sendMessage', { as: app.admin, params: { id: to }, body: { text } });
  const read = (as: string) => app.call('listMessages', { as, params: { id } });

  it.each([
    ['', 'Write a message'],
    ['  ', 'Write a message'],
    [undefined, 'Write a message'],
    ['x'.repeat(1_001), 'At most 1,000 characters'],
  ])('are refused for %j', async (text, message) => {
    expect(await send(text)).toMatchObject({
      status: 400,
      body: { issues: [{ path: 'text', message }] },
    });
    expect((await read(app.admin)).body).toEqual([]);
  });

  it('reach the candidate unchanged, counted by the heartbeat, and audited by id', async () => {
    expect((await attempt.heartbeat()).body.messageCount).toBe(0);
    const first = await send(' <b>Please</b> close the window ');
    expect(first).toMatchObject({ status: 201, body: { text: '<b>Please</b> close the window' } });
    app.clock.advance({ seconds: 1 });
    const second = await send('Thank you');
    expect((await attempt.heartbeat()).body.messageCount).toBe(2);
    expect((await read(attempt.candidate.cookie)).body).toEqual([first.body, second.body]);
    expect((await read(app.admin)).body).toEqual([first.body, second.body]);
    const log = await app.call('listAudit', { as: app.admin, query: { search: 'messaged' } });
    expect(log.body).toMatchObject([
      { subjectId: id, details: { message: second.body.id } },
      { subjectId: id, details: { message: first.body.id } },
    ]);
    expect(JSON.stringify(log.body)).not.toContain('window');
    expect((await attempt.record()).body.messages).toEqual([first.body, second.body]);
  });

  it('are refused after the end, and are erased with the person', async () => {
    await passTime(app, afterGrace({ minutes: 25 }));
    expect(await read(attempt.candidate.cookie)).toMatchObject({
      status: 403,
      body: { code: 'ATTEMPT_CLOSED' },
    });
    expect(await send('Too late')).toMatchObject({ status: 409, body: { code: 'NOT_RUNNING' } });
    await app.call('erasePerson', {
      as: app.admin,
      params: { id: attempt.candidate.userId },
      body: { reason: 'Asked for it' },
    });
    expect((await read(app.admin)).body.map((message: { text: string }) => message.text)).toEqual([
      '',
      '',
    ]);
  });
});
