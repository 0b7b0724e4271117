import type { AddressInfo } from 'node:net';
import {
  type Grant,
  isOwner,
  may,
  OWNER,
  PERMISSIONS,
  type Place,
  ROLES,
} from '@invigil/core/domain/rights';
import {
  ADMIN,
  confirmPassword,
  inviteCandidate,
  type MadeQuiz,
  mailServer,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { openFrames } from '@invigil/testkit/open-frames';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageOutbox } from '../../../db/queries/outbox.ts';
import { storedSubject } from '../../../deliveries/mails.ts';
import { openMessage } from '../../invitations/outbox.ts';

const UNKNOWN = '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c';
const PASSWORD = 'granite lantern otter';

describe('roles', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let admin: string;
  let ownId: string;
  let quiz: MadeQuiz;
  let other: MadeQuiz;
  let categoryId: string;

  beforeAll(async () => {
    ownId = (await app.call('me', { as: app.admin })).body.user.id;
    quiz = await makeQuiz(app, app.admin, { title: 'Fire safety' });
    other = await makeQuiz(app, app.admin, { title: 'First aid' });
    const quizzes = (await app.call('listQuizzes', { as: app.admin })).body;
    categoryId = quizzes.find(({ id }: { id: string }) => id === quiz.id).categoryId;
  });
  // The clock moves: an earlier session may be over.
  beforeEach(async () => {
    admin = await signInAdmin(app);
  });
  afterEach(async () => {
    await app.pool.query('delete from admins where id <> $1', [ownId]);
    await app.pool.query('delete from sign_in_failures; delete from outbox');
  });

  let people = 0;
  async function colleague(grants?: Grant[]) {
    people += 1;
    const email = `colleague${people}@example.org`;
    const cookie = await signInAdmin(app, email);
    const { id } = (await app.call('me', { as: cookie })).body.user;
    if (grants) expect((await give(id, grants)).status).toBe(200);
    return { id, email, cookie };
  }
  const give = (id: string, grants: unknown, as = admin) =>
    app.call('setGrants', { as, params: { id }, body: { grants } });
  const add = (body: object, as = admin) => app.call('createAdmin', { as, body });
  async function follow(path: string, cookie: string) {
    const { server } = app.fastify;
    if (!server.listening) await app.fastify.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    return openFrames(`http://127.0.0.1:${port}/api/${path}`, cookie);
  }
  const team = async (as = admin) => (await app.call('listAdmins', { as })).body;

  describe('are not given', () => {
    it.each([
      ['that there is not', [{ role: 'dean' }], 400],
      ['on two places at once', [{ role: 'author', quizId: UNKNOWN, categoryId: UNKNOWN }], 400],
      ['on an unknown assessment', [{ role: 'author', quizId: UNKNOWN }], 404],
      ['on an unknown category', [{ role: 'author', categoryId: UNKNOWN }], 404],
    ])('%s', async (_, grants, status) => {
      const { id } = await colleague();
      expect((await give(id, grants)).status).toBe(status);
      expect((await give(UNKNOWN, [{ role: 'author' }])).status).toBe(404);
    });

    it('by an old password, nor without an entry in the log', async () => {
      const { id } = await colleague();
      app.clock.advance({ minutes: 16 });
      expect((await give(id, [])).body.code).toBe('CONFIRM_PASSWORD');
      await confirmPassword(app, admin);
      const grants = [{ role: 'reviewer', quizId: quiz.id }, { role: 'author' }];
      expect((await give(id, [...grants, ...grants])).body.grants).toEqual(grants);
      const { rows } = await app.pool.query(
        "select details from audit_entries where action = 'admin.roles_changed' order by at desc, id desc limit 1",
      );
      expect(rows).toEqual([{ details: { added: grants, removed: OWNER } }]);
    });

    it('by a form that was opened before another change, which stays', async () => {
      const [author, reviewer] = [{ role: 'author' as const }, { role: 'reviewer' as const }];
      const { id } = await colleague([author, reviewer]);
      const support = { role: 'support' as const, quizId: quiz.id };
      await give(id, [author, support]);
      const analyst = { role: 'analyst' as const };
      const reply = await app.call('setGrants', {
        ...{ as: admin, params: { id } },
        body: { grants: [reviewer, analyst], before: [author, reviewer] },
      });
      expect(reply.body.grants).toEqual([support, analyst]);
      expect(await grantsOf(id)).toEqual([support, analyst]);
    });

    it('so that no owner of everything remains', async () => {
      expect((await give(ownId, [{ role: 'author' }])).body.code).toBe('LAST_OWNER');
      expect((await give(ownId, [{ role: 'owner', quizId: quiz.id }])).status).toBe(409);
      const { id, cookie } = await colleague();
      const both = await Promise.all([give(ownId, [], cookie), give(id, [])]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 403]);
      const winner = both[0]?.status === 200 ? cookie : admin;
      expect((await give(ownId, OWNER, winner)).status).toBe(200);
      const other = await colleague();
      const params = { id: other.id };
      await Promise.all([
        give(ownId, [], other.cookie),
        app.call('deleteAdmin', { as: admin, params }),
      ]);
      const isLeft = (await app.call('listAdmins', { as: other.cookie })).status === 200;
      expect(isOwner(await grantsOf(ownId))).toBe(!isLeft);
      if (isLeft) expect((await give(ownId, OWNER, other.cookie)).status).toBe(200);
    });
  });

  it('of an owner of one assessment are given there, and seen as far as they reach there', async () => {
    const lead = await colleague([{ role: 'owner', quizId: quiz.id }]);
    const tutor = await colleague([{ role: 'author', quizId: other.id }]);
    const helper = await colleague([{ role: 'invigilator', categoryId }]);
    const seen = await team(lead.cookie);
    expect(seen.map(({ email }: { email: string }) => email)).toEqual([
      expect.any(String),
      lead.email,
      helper.email,
    ]);
    for (const grant of [
      { role: 'reviewer' },
      { role: 'reviewer', categoryId },
      { role: 'reviewer', quizId: other.id },
    ]) {
      const reply = await give(tutor.id, [grant], lead.cookie);
      expect(reply.status).toBe(403);
    }
    const given = [{ role: 'reviewer', quizId: quiz.id }];
    expect((await give(tutor.id, given, lead.cookie)).body.grants).toEqual(given);
    const all = await team();
    const { grants } = all.find(({ id }: { id: string }) => id === tutor.id);
    expect(grants).toEqual([{ role: 'author', quizId: other.id }, ...given]);
    // Others stay when the lead takes theirs.
    await give(tutor.id, [], lead.cookie);
    const later = (await team()).find(({ id }: { id: string }) => id === tutor.id);
    expect(later.grants).toEqual([{ role: 'author', quizId: other.id }]);
    // Nor an account in someone's address with a password that they know.
    const own = { email: 'dean@example.org', grants: [{ role: 'reviewer', quizId: quiz.id }] };
    expect((await add({ ...own, password: PASSWORD }, lead.cookie)).status).toBe(403);
    // The answer does not reveal who has one.
    const known = { ...own, email: tutor.email, password: PASSWORD };
    expect((await add(known, lead.cookie)).status).toBe(403);
    expect((await add({ email: 'boss@example.org', password: PASSWORD }, lead.cookie)).status).toBe(
      403,
    );
    const remove = await app.call('deleteAdmin', { as: lead.cookie, params: { id: tutor.id } });
    expect(remove.status).toBe(403);
  });

  it('show an owner of one assessment nothing of the account of a colleague', async () => {
    const known = await colleague([{ role: 'support' }]);
    const lead = await colleague([{ role: 'owner', quizId: quiz.id }]);
    const grants = [{ role: 'author', quizId: quiz.id }];
    const replies = [
      await add({ email: known.email, grants }, lead.cookie),
      await give(known.id, grants, lead.cookie),
      await app.call('listAdmins', { as: lead.cookie }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const { text } of replies) expect(text).not.toMatch(/lastSignInAt|hasTotp|createdAt/);
    expect((await add({ email: known.email, grants })).body).toMatchObject({ hasTotp: false });
    const own = await app.call('setOwnName', { as: lead.cookie, body: { name: 'Lead' } });
    expect(own.body.lastSignInAt).toEqual(expect.any(String));
  });

  it('that are taken from oneself are taken', async () => {
    const second = await colleague();
    expect((await give(second.id, [{ role: 'author' }], second.cookie)).status).toBe(200);
    expect((await give(second.id, OWNER, second.cookie)).status).toBe(403);
  });

  it('in a category that was deleted stay until they are taken, and block nothing', async () => {
    const made = await app.call('createCategory', { as: admin, body: { name: 'Short-lived' } });
    const old = { role: 'author', categoryId: made.body.id } as const;
    const { id } = await colleague([old]);
    await app.call('deleteCategory', { as: admin, params: { id: old.categoryId } });
    const both = await give(id, [old, { role: 'support' }]);
    expect(both.body.grants).toEqual([old, { role: 'support' }]);
    expect((await give(id, [{ role: 'support' }])).body.grants).toEqual([{ role: 'support' }]);
  });

  it('of an author hide no points of questions, and no address of a test invitation', async () => {
    const author = await colleague([{ role: 'author', quizId: quiz.id }]);
    const as = author.cookie;
    const id = quiz.questions[0]?.id ?? '';
    const read = await app.call('getBankQuestion', { as, params: { id } });
    expect(read.body.definition.points).toBe(1);
    const sent = await app.call('sendTestInvitation', { as, params: { id: quiz.id }, body: {} });
    expect(sent.body).toEqual({ email: author.email });
  });

  describe('a colleague', () => {
    const inbox = async (email: string) => {
      const { rows } = await pageOutbox(app.context.db, { limit: 100, offset: 0 });
      const [found] = rows.filter(({ recipient }) => recipient === email);
      return found && openMessage(app.context, found);
    };
    const body = () => ({
      email: 'new@example.org',
      name: 'Åsa',
      grants: [{ role: 'author', quizId: quiz.id }],
    });

    it('is invited by an email whose link sets the password, once and for seven days', async () => {
      expect((await add(body())).body.code).toBe('SMTP_NOT_CONFIGURED');
      expect(await team()).toHaveLength(1);
      await app.call('putSmtpSettings', { as: admin, body: mailServer(1) });
      expect((await add(body())).body).toMatchObject(body());
      const { title } = (await app.call('getQuiz', { as: admin, params: { id: quiz.id } })).body;
      const text = (await inbox('new@example.org'))?.text ?? '';
      expect(text).toContain('within 7 days');
      expect(text).toContain(`${ADMIN.email} invites you to work on the assessments`);
      expect(text).toContain(`Your part: Author in ${title}.`);
      expect(text).not.toContain('It opens');
      const token = /\/reset-password#(\S+)/.exec(text)?.[1] ?? '';
      const set = () => app.call('setResetPassword', { body: { token, newPassword: PASSWORD } });
      app.clock.advance({ days: 6 });
      // The first password leads to the only assessment of the roles.
      expect((await set()).body).toMatchObject({ opens: `/admin/quizzes/${quiz.id}` });
      expect((await set()).body.code).toBe('RESET_LINK_EXPIRED');
      const login = await app.call('login', {
        body: { email: 'new@example.org', password: PASSWORD },
      });
      expect(login.body).toMatchObject({ name: 'Åsa', grants: body().grants });
    });

    it('who has an account gets the roles in addition', async () => {
      const known = await colleague([{ role: 'support' }]);
      const { title } = (await app.call('getQuiz', { as: admin, params: { id: quiz.id } })).body;
      const more = { email: known.email, grants: body().grants };
      const reply = await add(more);
      expect(reply.body).toMatchObject({
        id: known.id,
        grants: [{ role: 'support' }, ...more.grants],
      });
      const { rows } = await pageOutbox(app.context.db, { limit: 1_000, offset: 0 });
      const told = rows.filter(({ recipient }) => recipient === known.email);
      expect(told.map(storedSubject)).toContain('Your roles were changed');
      const text = (await inbox(known.email))?.text;
      expect(text).toContain(`${ADMIN.email} has changed what you may do`);
      expect(text).toContain(`Your roles now: Support everywhere, Author in ${title}.`);
      const again = await add({ ...more, password: PASSWORD });
      expect(again.body.code).toBe('ADMIN_EXISTS');
      expect((await add({ email: known.email, password: PASSWORD })).status).toBe(409);
    });
  });

  it('of oneself are seen, with one’s name and sign-ins, each of which can be ended', async () => {
    const { email, cookie } = await colleague([{ role: 'author', quizId: quiz.id }]);
    const named = await app.call('setOwnName', { as: cookie, body: { name: ' Åsa Öberg ' } });
    expect(named.body).toMatchObject({ name: 'Åsa Öberg', grants: [{ role: 'author' }] });
    const second = await signInAdmin(app, email);
    const list = async () => (await app.call('listOwnSessions', { as: cookie })).body;
    const [latest, first] = (await list()).toSorted((a: { isThis: boolean }) =>
      a.isThis ? 1 : -1,
    );
    expect([latest.isThis, first.isThis]).toEqual([false, true]);
    const end = (as: string) => app.call('endOwnSession', { as, params: { id: latest.id } });
    expect((await end(admin)).status).toBe(404);
    expect((await end(cookie)).status).toBe(204);
    expect((await app.call('me', { as: second })).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  it('that were changed in the database admit no one', async () => {
    const { id, cookie } = await colleague([{ role: 'author', quizId: quiz.id }]);
    for (const forged of ['[]', JSON.stringify(OWNER)]) {
      await app.pool.query('update admins set grants = $1 where id = $2', [forged, id]);
      expect((await app.call('listQuizzes', { as: cookie })).status).toBe(401);
    }
    expect(app.context.trust.brokenSeals.administrator).toBeGreaterThan(0);
  });

  it('once taken, admit to nothing, and end a stream within a second', async () => {
    const { id, cookie } = await colleague([{ role: 'invigilator', quizId: quiz.id }]);
    const frames = await follow('live', cookie);
    expect(await frames.next()).toMatchObject({ isWhole: true });
    await give(id, []);
    expect((await app.call('listQuizzes', { as: cookie })).status).toBe(403);
    const from = performance.now();
    while (await frames.next());
    // SESSION_EVERY_MS says how long it takes on an idle machine.
    expect(performance.now() - from).toBeLessThan(30_000);
  });

  it('end the streams of an assessment that is moved out of reach', { tags: 'long' }, async () => {
    const moved = await makeQuiz(app, admin, { title: 'Moved' });
    const quizzes = (await app.call('listQuizzes', { as: admin })).body;
    const { categoryId } = quizzes.find((one: { id: string }) => one.id === moved.id);
    const person = await inviteCandidate(app, admin, moved.id, 'moved@example.org');
    const { id } = (await app.call('startParticipant', { as: person.cookie, body: {} })).body;
    const { cookie } = await colleague([{ role: 'invigilator', categoryId }]);
    const streams = [
      await follow('live', cookie),
      await follow(`participants/${id}/watch`, cookie),
    ];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    for (const frames of streams) expect(await frames.next()).toBeDefined();
    const { body } = await app.call('createCategory', { as: admin, body: { name: 'Elsewhere' } });
    const move = 'update quizzes set category_id = $1 where id = $2';
    await app.pool.query(move, [body.id, moved.id]);
    for (const frames of streams) while (await frames.next());
    const again = await follow('live', cookie);
    expect(JSON.stringify(await again.next())).not.toContain(moved.id);
    again.close();
  });

  it('show on the live board what is theirs', async () => {
    const attempts = [];
    for (const [i, at] of [quiz, other].entries()) {
      const person = await inviteCandidate(app, admin, at.id, `writes${i}@example.org`);
      const started = await app.call('startParticipant', { as: person.cookie, body: {} });
      attempts.push(started.body.id);
    }
    const { cookie } = await colleague([{ role: 'invigilator', quizId: quiz.id }]);
    const frames = await follow('live', cookie);
    const frame = await frames.next();
    frames.close();
    expect(frame).toMatchObject({ writing: 1, attempts: [{ id: attempts[0] }] });
    expect(JSON.stringify(frame)).not.toContain(other.id);
    expect((await app.call('getLiveCount', { as: cookie })).body).toEqual({ writing: 1 });
    const act = { id: UNKNOWN, ids: attempts, action: { kind: 'message', text: 'Hello' } };
    const many = await app.call('applyToMany', { as: cookie, body: act });
    expect(many.body.code).toBe('NOT_FOUND');
  });

  it('hide scores from an invigilator, and who the candidates are from an analyst', async () => {
    const person = await inviteCandidate(app, admin, quiz.id, 'secret.name@example.org');
    const params = {
      id: (await app.call('startParticipant', { as: person.cookie, body: {} })).body.id,
    };
    const key = quiz.questions.map(({ id, correctAnswer }) => ({
      ...{ questionId: id, selectedOption: correctAnswer, isFlagged: false, revision: 1 },
    }));
    const body = { answers: key };
    expect((await app.call('submitParticipant', { as: person.cookie, params, body })).status).toBe(
      200,
    );
    const list = async (as: string) =>
      (await app.call('listInvitations', { as, params: { id: quiz.id } })).body.find(
        ({ participantId }: { participantId: string }) => participantId === params.id,
      );
    expect((await list(admin)).attempt.score).toBe(5);
    const invigilator = await colleague([{ role: 'invigilator' }]);
    expect(await list(invigilator.cookie)).toMatchObject({
      email: 'secret.name@example.org',
      attempt: { score: null },
    });
    const analyst = await colleague([{ role: 'analyst' }]);
    const as = analyst.cookie;
    for (const format of ['csv', 'xlsx']) {
      const report = await app.call('exportParticipants', { as, query: { format } });
      expect(report.status).toBe(200);
      expect(report.bytes.includes('secret.name')).toBe(false);
    }
    const csv = (await app.call('exportParticipants', { as })).text;
    expect(csv).toContain(params.id);
    for (const name of ['getStats', 'getStatsCharts', 'listQuizFigures', 'listQuizzes'] as const) {
      const reply = await app.call(name, { as });
      expect([name, reply.status]).toEqual([name, 200]);
      expect(reply.text).not.toMatch(/secret\.name|@example\.org/);
    }
    const search = await app.call('exportParticipants', { as, query: { search: 'secret' } });
    expect(search.status).toBe(403);
  });

  it('of a blind reviewer show neither name nor address nor picture of anyone', async () => {
    const email = 'unseen.name@example.org';
    const known = { email, givenName: 'Unseen', familyName: 'Name', externalId: 'U-9' };
    const people = [{ ...known, groups: ['Unseen group'] }];
    const params = { id: quiz.id };
    await app.call('inviteToQuiz', { as: admin, params, body: { people } });
    const person = await inviteCandidate(app, admin, quiz.id, email);
    const body = { consent: { textVersion: '1' }, deviceCheck: { cameraLabel: 'Unseen’s camera' } };
    const started = await app.call('startParticipant', { as: person.cookie, body });
    const { id } = started.body;
    const message = { text: 'Dear Unseen' };
    await app.call('sendMessage', { as: admin, params: { id }, body: message });
    // From another network.
    const moved = { participantId: id, violationType: 'clipboard' };
    await app.call('reportViolation', { as: person.cookie, address: '198.51.100.7', body: moved });
    const { cookie: as } = await colleague([{ role: 'blind_reviewer', quizId: quiz.id }]);
    const record = await app.call('getParticipantRecord', { as, params: { id } });
    expect(record.body).toMatchObject({
      participant: { id },
      messages: [],
      consent: { address: '' },
      events: expect.arrayContaining([expect.objectContaining({ kind: 'device_changed' })]),
    });
    const list = await app.call('listParticipants', { as });
    expect(list.body.map((row: { id: string }) => row.id)).toContain(id);
    const answers = await app.call('listAnswers', { as, params: { id } });
    for (const reply of [record, list, answers]) {
      expect(reply.status).toBe(200);
      expect(reply.text).not.toMatch(/unseen|U-9|127\.0|198\.51/i);
    }
    const { userId } = person;
    const sorts = [{ sort: 'userEmail' }, { sort: 'userName' }];
    for (const query of [{ search: 'unseen' }, { userId }, ...sorts]) {
      expect((await app.call('listParticipants', { as, query })).status).toBe(403);
    }
    for (const name of ['listMessages', 'exportParticipants', 'getPerson'] as const) {
      expect((await app.call(name, { as, params: { id } })).status).toBe(403);
    }
    const evidence = await app.call('readEvidence', { as, query: { participantId: id } });
    expect(evidence.status).toBe(403);
    await app.call('submitParticipant', { as: person.cookie, params: { id }, body: {} });
    const verdict = { verdict: 'no_concern', reason: 'Nothing was detected' };
    const given = await app.call('giveVerdict', { as, params: { id }, body: verdict });
    expect([given.status, /unseen/i.test(given.text)]).toEqual([200, false]);
  });

  it('show who the candidates of one assessment are, whatever a further role is for', async () => {
    const email = 'seen.name@example.org';
    const person = await inviteCandidate(app, admin, quiz.id, email);
    await app.call('startParticipant', { as: person.cookie, body: {} });
    const ofOne = { quizId: quiz.id };
    const { cookie: as } = await colleague([
      ...[{ role: 'analyst' as const }, { role: 'blind_reviewer' as const }],
      { role: 'reviewer', ...ofOne },
    ]);
    const search = { ...ofOne, search: 'seen.name' };
    for (const name of ['listParticipants', 'exportParticipants'] as const) {
      for (const query of [ofOne, search]) {
        const reply = await app.call(name, { as, query });
        expect([reply.status, reply.text.includes(email)]).toEqual([200, true]);
      }
      for (const query of [{}, { quizId: other.id }]) {
        const reply = await app.call(name, { as, query });
        expect([reply.status, reply.text.includes('@example.org')]).toEqual([200, false]);
      }
    }
    // A call that does not take an assessment returns those of all.
    const all = await app.call('getStats', { as, query: ofOne });
    expect([all.status, all.text.includes('@example.org')]).toEqual([200, false]);
  });

  it('never leave no owner, and never let anyone raise their own', async () => {
    const places: Place[] = [{}, { quizId: quiz.id }, { quizId: other.id }, { categoryId }];
    const grant = fc
      .record({ role: fc.constantFrom(...ROLES), place: fc.constantFrom(...places) })
      .map(({ role, place }) => ({ role, ...place }) as Grant);
    const step = fc.record({
      by: fc.nat(3),
      of: fc.nat(3),
      grants: fc.array(grant, { maxLength: 3 }),
    });
    // An assessment with its category: a role there reaches it as well.
    const objects: Place[] = [
      ...[{}, { categoryId }, { quizId: quiz.id, categoryId }],
      { quizId: other.id, categoryId: UNKNOWN },
    ];
    const rightsOf = (grants: readonly Grant[]) =>
      PERMISSIONS.flatMap((permission) => objects.map((place) => may(grants, permission, place)));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await app.pool.query('delete from admins where id <> $1', [ownId]);
        const members = [{ id: ownId, cookie: admin }];
        while (members.length < 4) members.push(await colleague());
        for (const { by, of, grants } of steps) {
          const [actor, target] = [members[by], members[of]];
          if (!actor || !target) continue;
          const before = await grantsOf(actor.id);
          await give(target.id, grants, actor.cookie);
          const after = await grantsOf(actor.id);
          const raised = rightsOf(after).filter((is, i) => is && !rightsOf(before)[i]);
          expect(raised).toEqual([]);
          const all = await Promise.all(members.map(({ id }) => grantsOf(id)));
          expect(all.some(isOwner)).toBe(true);
        }
        await restore();
      }),
      { numRuns: inForm({ short: 5, long: 60 }) },
    );
  });

  async function grantsOf(id: string): Promise<Grant[]> {
    const { rows } = await app.pool.query('select grants from admins where id = $1', [id]);
    return rows[0]?.grants ?? [...OWNER];
  }
  /** Makes the first administrator an owner again, by one who is. */
  async function restore(): Promise<void> {
    const { cookie } = await colleague();
    expect((await give(ownId, OWNER, cookie)).status).toBe(200);
  }
});
