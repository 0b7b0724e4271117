import { readFileSync } from 'node:fs';
import { OWNER } from '@invigil/core/domain/rights';
import type { TestApp } from '@invigil/testkit/app';
import { ADMIN, signInCandidate } from '@invigil/testkit/factories';
import { findings, startUpgradedApp, type Written } from '@invigil/testkit/upgraded-app';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedSubject } from '../../deliveries/mails.ts';
import { openMessage } from '../../features/invitations/outbox.ts';
import { newId } from '../new-id.ts';
import { pageOutbox } from '../queries/outbox.ts';

/**
 * All rows of a database of version 898a50e9, the last one without roles and people, as its server wrote them:
 * two administrators who are signed in; an attempt that has ended with a verdict, one that is running with two
 * answers and a violation, an invitation that no one has used.
 */
const WRITTEN: Written & {
  sessions: [string, string];
  ended: { id: string; score: number };
  running: { id: string; email: string; code: string; cookie: string; userId: string };
  waits: { email: string; code: string };
  quizId: string;
} = JSON.parse(readFileSync(new URL('rows-before-roles.json', import.meta.url), 'utf8'));
const MIGRATIONS_THEN = 5;
/** The content of a message that is not an invitation, as versions before named mails stored it. */
const NOTICE = { subject: 'Your password was changed', paragraphs: ['It was changed.', 'By you?'] };
const [QUEUED = {}] = WRITTEN.tables.outbox ?? [];
WRITTEN.tables.outbox?.push({
  ...{ ...QUEUED, ...{ id: newId(), kind: 'notice', message_id: '<notice@localhost>' } },
  ...{ recipient: ADMIN.email, subject: NOTICE.subject, variables: NOTICE },
  ...{ invitation_id: null, code_id: null, sealed_code: null },
});

let app: TestApp;
let lost: string[];

beforeAll(async () => {
  ({ app, lost } = await startUpgradedApp(WRITTEN, MIGRATIONS_THEN));
});
afterAll(() => app.stop());

it('an upgrade keeps every row and every seal', async () => {
  expect(lost).toEqual([]);
  expect(await findings(app)).toEqual([]);
});

it('administrators stay signed in, and are owners who can give roles', async () => {
  const [as, other] = WRITTEN.sessions;
  for (const session of WRITTEN.sessions) {
    const { body } = await app.call('me', { as: session });
    expect(body.role).toBe('admin');
  }
  const admins = (await app.call('listAdmins', { as })).body;
  expect(admins).toMatchObject([
    { name: '', grants: OWNER },
    { name: '', grants: OWNER },
  ]);
  const login = await app.call('login', { body: ADMIN });
  expect(login.status).toBe(200);
  const { id } = (await app.call('me', { as: other })).body.user;
  const grants = [{ role: 'author', quizId: WRITTEN.quizId }];
  const given = await app.call('setGrants', {
    as: login.cookie,
    params: { id },
    body: { grants },
  });
  expect(given.body.grants).toEqual(grants);
  expect((await app.call('listQuizzes', { as: other })).body).toMatchObject([
    { id: WRITTEN.quizId },
  ]);
  expect((await app.call('listParticipants', { as: other })).status).toBe(403);
  expect(await findings(app)).toEqual([]);
});

it('a running attempt stays in English where other languages are offered since', async () => {
  const [as] = WRITTEN.sessions;
  const languageOf = async (cookie: string) => {
    const headers = { cookie: `invigil_session=${cookie}`, 'accept-language': 'de' };
    return (await app.call('me', { headers })).body.language;
  };
  const { running, waits } = WRITTEN;
  expect(await languageOf(running.cookie)).toBeUndefined();
  const body = { name: null, timeZone: null, publicUrl: null, languages: ['de', 'en'] };
  expect((await app.call('putInstitution', { as, body })).status).toBe(200);
  expect(await languageOf(running.cookie)).toBe('en');
  expect(await languageOf((await signInCandidate(app, waits.email, waits.code)).cookie)).toBe('de');
});

it('queued messages are sent as they were written', async () => {
  const { rows: all } = await pageOutbox(app.context.db, { limit: 10, offset: 0 });
  const rows = all.filter(({ kind }) => kind !== 'roles_changed');
  const opened = await Promise.all(rows.map((row) => openMessage(app.context, row)));
  expect(opened.map((message) => message?.subject)).toEqual(rows.map(({ subject }) => subject));
  expect(rows.map(storedSubject)).toEqual(rows.map(({ subject }) => subject));
  const pages = opened.map((message) => message?.html ?? '');
  expect(pages.filter((html) => !html.includes('<html lang="en">'))).toEqual([]);
  const texts = opened.map((message) => message?.text ?? '');
  expect(texts).toContain('It was changed.\n\nBy you?');
  const rule = '- Keep your face in view: 2 seconds out of view count.';
  expect(texts.filter((text) => text.includes(rule))).toHaveLength(3);
});

it('a running attempt goes on, and ends with what was answered before and after', async () => {
  const { id, email, code, cookie } = WRITTEN.running;
  const params = { id };
  expect((await app.call('heartbeat', { as: cookie, params, body: { seq: 2 } })).status).toBe(200);
  const [as] = WRITTEN.sessions;
  expect((await app.call('listAnswers', { as, params })).body).toHaveLength(2);
  // Another browser takes over.
  const { cookie: later } = await signInCandidate(app, email, code);
  const start = await app.call('startParticipant', { as: later, body: {} });
  expect(start.body).toMatchObject({ id, answeredCount: 2 });
  const query = { forAssessment: 'true' };
  const paper = await app.call('listQuestions', {
    as: later,
    params: { id: WRITTEN.quizId },
    query,
  });
  const third = paper.body.find(({ question }: { question: string }) => question === 'Q3');
  const answers = [{ questionId: third.id, selectedOption: 'Q3 b', isFlagged: false, revision: 1 }];
  const submit = await app.call('submitParticipant', { as: later, params, body: { answers } });
  expect(submit.status).toBe(200);
  const list = (await app.call('listParticipants', { as })).body;
  expect(list.find((one: { id: string }) => one.id === id)).toMatchObject({
    ...{ status: 'completed', score: 2, answeredCount: 3, violationCount: 1 },
  });
  expect(list.find((one: { id: string }) => one.id === WRITTEN.ended.id)).toMatchObject({
    ...{ score: WRITTEN.ended.score, verdict: 'no_concern' },
  });
  expect(await findings(app)).toEqual([]);
});

it('someone who was invited signs in with the same password, and gets a name', async () => {
  const { email, code } = WRITTEN.waits;
  const { cookie } = await signInCandidate(app, email, code);
  expect((await app.call('startParticipant', { as: cookie, body: {} })).status).toBe(201);
  const [as] = WRITTEN.sessions;
  const people = (await app.call('listPeople', { as })).body;
  expect(people).toHaveLength(3);
  const named = [{ email, givenName: 'Ada', familyName: 'Lovelace', externalId: 'S1' }];
  const body = { people: named, dryRun: false };
  const imported = await app.call('importPeople', { as, body });
  expect(imported.body.outcomes).toMatchObject([{ status: 'changed' }]);
  const found = await app.call('listParticipants', { as, query: { search: 'lovelace' } });
  expect(found.body).toMatchObject([{ userEmail: email, userName: 'Ada Lovelace' }]);
});
