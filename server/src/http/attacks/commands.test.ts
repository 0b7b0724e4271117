import { actionsOf, type Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { CallInput } from '@invigil/testkit/app';
import { digests } from '@invigil/testkit/digests';
import { uploadEvidence } from '@invigil/testkit/evidence';
import {
  ADMIN,
  beginAttempt,
  confirmPassword,
  type MadeQuiz,
  mailServer,
  makeQuiz,
  setUpAppWithAdmin,
  setUpSmtpSink,
  setUpTotp,
  shownCode,
  signInAdmin,
} from '@invigil/testkit/factories';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { ruleVersionOf } from '../../runtime/language.ts';

const rowOf = (name: EndpointName): Endpoint => ENDPOINTS[name];
const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
/** Calls with actions, except streams, which do not end by themselves. */
const COMMANDS = NAMES.filter(
  (name) => actionsOf(rowOf(name)).length > 0 && rowOf(name).produces !== 'text/event-stream',
);

const reason = 'They asked for it';
const IMAGE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
const TIMES = [{ group: 'A', minutes: 45 }];
const MARKS = { passMark: { percent: 1 }, sectionMarks: [], grades: [] };
const RELEASE = {
  ...{ parts: ['outcome', 'score', 'certificate'], openDays: 30 },
  when: { kind: 'by_hand' },
};
const FIELD = { id: newId(), name: 'One', kind: 'text', choices: [], isPersonal: false };
const definition = plainDefinition('Of the bank?', ['a', 'b'], 'a');

it('every call that can change something names its entries, or says why it leaves none', () => {
  const unsaid = NAMES.filter((name) => rowOf(name).method !== 'GET' && !rowOf(name).audit);
  expect(unsaid).toEqual([]);
  const takers = NAMES.filter((name) => {
    const { body } = rowOf(name);
    return body && 'shape' in body && 'before' in (body.shape as object);
  });
  // Merges what differs with what is stored.
  const merging: EndpointName[] = ['setGrants'];
  const silent = takers.filter((name) => !rowOf(name).errors.includes('STALE'));
  expect(silent).toEqual(merging);
});

type Sent = Pick<CallInput, 'params' | 'query' | 'body' | 'headers'> & {
  /** Sent as what was read, which another person has changed since. */
  stale?: object | undefined;
};

describe('a command', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  const sink = setUpSmtpSink();
  let quiz: MadeQuiz;
  let ids: Record<string, string>;
  /** The secret of the own second step, once there is one. */
  let secret = '';

  const owner = async (name: EndpointName, input: object = {}) => {
    const reply = await app.call(name, { as: app.admin, ...input });
    if (reply.status >= 300) throw new Error(`${name}: ${reply.text}`);
    return reply.body;
  };

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    const startTogether = { by: 'button', lateMinutes: 15 };
    const unused = await makeQuiz(app, app.admin, { startTogether });
    const spare = await makeQuiz(app, app.admin);
    const running = await beginAttempt(app, app.admin, quiz);
    const watched = await beginAttempt(app, app.admin, quiz);
    const [passed, judged] = await Promise.all(
      [0, 1].map(async () => {
        const attempt = await beginAttempt(app, app.admin, quiz);
        for (const i of quiz.questions.keys()) await attempt.save(i, 1, 1);
        await attempt.submit();
        return attempt;
      }),
    );
    const emails = ['waits@example.org', 'second@example.org'];
    await owner('inviteToQuiz', { params: { id: unused.id }, body: { emails } });
    const invitations = await owner('listInvitations', { params: { id: unused.id } });
    const people = await owner('listPeople');
    const idOf = (email: string) => people.find((one: { email: string }) => one.email === email).id;
    const [message] = await owner('listOutbox');
    const { violationId } = await uploadEvidence(app, watched);
    const [{ categoryId }] = await owner('listQuizzes');
    const sessions = await owner('listOwnSessions');
    ids = {
      session: sessions.find(({ isThis }: { isThis: boolean }) => isThis).id,
      ...{ third: unused.questions[2]?.id ?? '', fourth: unused.questions[3]?.id ?? '' },
      ...{
        quiz: quiz.id,
        unused: unused.id,
        spare: spare.id,
        running: running.id,
        watched: watched.id,
      },
      ...{ passed: passed?.id ?? '', judged: judged?.id ?? '', message: message.id },
      ...{ waiting: invitations[0].id, second: invitations[1].id },
      ...{ person: idOf('waits@example.org'), erased: idOf('second@example.org') },
      ...{ violation: violationId, ofQuiz: categoryId },
      category: (await owner('createCategory', { body: { name: 'Unused' } })).id,
      question: (await owner('addToBank', { body: { definition } })).id,
      disposed: (await owner('addToBank', { body: { definition } })).id,
    };
    for (const name of ['colleague', 'deleted']) {
      const as = await signInAdmin(app, `${name}@example.org`);
      ids[name] = (await app.call('me', { as })).body.user.id;
      if (name === 'colleague') await setUpTotp(app, as);
    }
  });

  const of = (name: string, more: Sent = {}): Sent => ({
    params: { id: ids[name] ?? '' },
    ...more,
  });
  const body = (value: object, stale?: object): Sent => ({ body: value, stale });
  const unread = (before: unknown) => ({ before });
  const plain = (question: string) => ({
    ...{ type: 'multiple_choice', question, options: ['a', 'b', 'c', 'd'], correctAnswer: 'a' },
  });
  const own = (index: number, more: Sent = {}): Sent => ({
    params: { id: quiz.id, questionId: quiz.questions[index]?.id ?? '' },
    ...more,
  });
  const code = () => {
    app.clock.advance({ minutes: 1 });
    return shownCode(secret, app.clock.now());
  };
  const bothSteps = () => body({ currentPassword: ADMIN.password, code: code() });
  const settings = (title: string) => ({
    ...{ title, categoryId: ids.ofQuiz, duration: 30, totalQuestions: 5 },
  });

  /** One call of each that succeeds, in this order; what ends something comes late. */
  const CALLS: Partial<Record<EndpointName, () => Sent | Promise<Sent>>> = {
    readOutboxMessage: () => of('message'),
    revealOutboxMessage: () => of('message', body({ currentPassword: ADMIN.password })),
    putSmtpSettings: () => {
      const { password: _, ...read } = mailServer(sink.port);
      const entered = { ...mailServer(sink.port), isActive: true };
      return body(entered, unread({ ...read, isActive: true }));
    },
    testSmtpSettings: () => body({ to: 'ada@example.org' }),
    sendOutboxMessage: () => of('message'),
    setOwnName: () => body({ name: 'Ada' }),
    createAdmin: () => body({ email: 'new@example.org', grants: [{ role: 'analyst' }] }),
    setGrants: () => of('colleague', body({ grants: [{ role: 'owner' }] })),
    resetTotp: () => of('colleague'),
    deleteAdmin: () => of('deleted'),
    createCategory: () => body({ name: 'One more' }),
    updateCategory: () =>
      of('category', body({ name: 'Renamed' }, unread({ name: 'Other', description: null }))),
    deleteCategory: () => of('category'),
    addToBank: () => body({ definition }),
    uploadImage: () => ({ body: IMAGE, headers: { 'content-type': 'image/svg+xml' } }),
    importFile: () => ({
      body: Buffer.from('{"name":"a.gift"}\nTwo? {=2 ~3}'),
      headers: { 'content-type': 'application/octet-stream' },
    }),
    exportQuestions: () => ({ query: { format: 'gift' } }),
    changeBankQuestion: () =>
      of('question', body({ definition: { ...definition, question: 'Which?' } }, { version: 7 })),
    changeBankQuestions: () => body({ ids: [ids.question], addTags: ['one'] }),
    createQuestion: () => of('unused', body(plain('One more?'))),
    importQuestions: () => of('unused', body({ questions: [plain('Another?')] })),
    rescoreBankQuestion: () => of('question', body({ dryRun: false, reason })),
    rescoreQuestion: () => own(0, body({ dryRun: false, reason })),
    updateQuestion: () => own(1, body(plain('Changed?'), { version: 7 })),
    reorderQuestions: () =>
      of('quiz', body({ ids: quiz.questions.map(({ id }) => id).toReversed() }, { ids: [] })),
    setStructure: () => {
      const empty = { structure: null, negativeMarks: null };
      return of(
        'unused',
        body(empty, unread({ ...empty, negativeMarks: { percent: 50, floor: 'total' } })),
      );
    },
    createQuiz: () => body(settings('New')),
    updateQuiz: () => of('quiz', body(settings('Renamed'), { version: 7 })),
    duplicateQuiz: () => of('quiz'),
    putInstitution: () =>
      body(
        { name: 'Our school', timeZone: null, publicUrl: null },
        unread({ name: 'Other', timeZone: null, publicUrl: null }),
      ),
    checkTranslation: () => ({
      params: { language: 'de' },
      ...body({ version: ruleVersionOf('de'), checkedBy: 'Ada' }, { version: 'other' }),
    }),
    putRetention: () => body({ days: 30 }, unread(77)),
    exportInvitations: () => of('unused'),
    sendTestInvitation: () => of('unused', body({})),
    updateInvitation: () =>
      of('waiting', body({ extraTimeFactor: 1.5, reason }, unread({ extraTimeFactor: 2 }))),
    inviteToQuiz: () => of('unused', body({ emails: ['third@example.org'] })),
    resendInvitations: () => of('unused', body({ ids: [ids.waiting] })),
    remindInvitations: () => of('unused', body({ ids: [ids.waiting] })),
    makePasswords: () => of('unused', body({ ids: [ids.waiting] })),
    exportPasswords: () => of('unused', body({ ids: [ids.waiting] })),
    revokeInvitations: () => of('unused', body({ ids: [ids.second] })),
    importPeople: () => body({ people: [{ email: 'fourth@example.org' }], dryRun: false }),
    exportPeople: () => ({}),
    setPersonFields: () => body({ fields: [FIELD] }, unread([FIELD])),
    updatePerson: () =>
      of('person', body({ givenName: 'Grace' }, unread({ givenName: 'Another' }))),
    exportPerson: () => of('person'),
    erasePerson: () => of('erased', body({ reason })),
    readEvidence: () => ({
      query: { participantId: ids.watched ?? '', violationId: ids.violation ?? '' },
    }),
    sendMessage: () => of('running', body({ text: 'Hello' })),
    extendParticipant: () => of('running', body({ minutes: 5, reason })),
    async grantLostTime() {
      app.clock.advance({ minutes: 2 });
      const at = (secondsAgo: number) => new Date(app.clock.now().getTime() - secondsAgo * 1_000);
      await app.pool.query('insert into outages values ($1, $2, $3)', [newId(), at(90), at(30)]);
      const [{ id }] = await owner('listOutages');
      return { params: { id }, ...body({ reason }) };
    },
    noteParticipant: () => of('running', body({ note: 'Spoke' }, { from: 'Another' })),
    applyToMany: () =>
      body({ id: newId(), ids: [ids.running], action: { kind: 'message', text: 'Hi' }, reason }),
    endParticipant: () => of('running', body({ reason })),
    getParticipantRecord: () => of('passed'),
    giveVerdict: () =>
      of('judged', body({ verdict: 'talk', note: '' }, unread({ verdict: 'breach', note: '' }))),
    replaceParticipant: () => of('judged', body({ how: 'another', reason })),
    exportParticipants: () => ({}),
    exportQuizStatistics: () => of('quiz', { query: { format: 'csv' } }),
    setResultRules: () => of('quiz', body({ rules: MARKS, dryRun: false }, unread(MARKS))),
    setPractice: () => {
      const setting = { isPractice: true, practiceQuizId: null };
      return of('spare', body({ ...setting, dryRun: false }, unread(setting)));
    },
    startTogether: () => of('unused', body({ group: null })),
    setSchedule: () => of('quiz', body({ rules: TIMES, dryRun: false }, unread(TIMES))),
    setReleaseRules: () => of('quiz', body({ rules: RELEASE }, unread(RELEASE))),
    releaseResults: () => of('quiz', body({})),
    revokeCertificate: () => of('passed'),
    issueCertificate: () => of('passed'),
    exportAudit: () => ({}),
    deleteQuestion: () => ({ params: { id: ids.unused ?? '', questionId: ids.third ?? '' } }),
    deleteQuestions: () => of('unused', body({ ids: [ids.fourth] })),
    deleteQuiz: () => of('unused'),
    async endOwnSession() {
      await signInAdmin(app);
      const sessions = await owner('listOwnSessions');
      return { params: sessions.find(({ isThis }: { isThis: boolean }) => !isThis) };
    },
    async confirmTotp() {
      const begun = await owner('beginTotp', { body: { currentPassword: ADMIN.password } });
      secret = begun.secret;
      return body({ code: code() });
    },
    renewRecoveryCodes: bothSteps,
    switchOffTotp: bothSteps,
    putSignInPolicy: () => {
      const other = { totpRequired: true };
      return body({ totpRequired: false }, { ...other, ...unread(other) });
    },
    changeOwnPassword: () =>
      body({ currentPassword: ADMIN.password, newPassword: 'another quiet desk' }),
  };
  const TRIED = Object.keys(CALLS) as EndpointName[];

  it('is tried below for every call that leaves an entry', () => {
    expect(TRIED.toSorted()).toEqual(COMMANDS.toSorted());
  });

  /** A digest of each table, but for those that a refused call changes as well: when somebody was last seen … */
  async function stored(name: EndpointName): Promise<Record<string, string>> {
    const { sessions: _, sign_in_failures: __, ...kept } = await digests(app.pool);
    // … and the code that was used.
    const { admin_totp: ___, ...others } = kept;
    return name === 'renewRecoveryCodes' || name === 'switchOffTotp' ? others : kept;
  }

  async function inputOf(name: EndpointName): Promise<Sent> {
    const make = CALLS[name];
    if (!make) throw new Error(name);
    if (rowOf(name).freshPassword || name.includes('Smtp')) await confirmPassword(app, app.admin);
    return await make();
  }

  const send = (name: EndpointName, { stale: _, ...input }: Sent) =>
    app.call(name, { as: app.admin, ...input });

  const original = pg.Client.prototype.query;
  /** Does something before the first statement with a text. */
  function beforeFirst(
    isMeant: (text: string, client: pg.Client) => boolean,
    act: (client: pg.Client) => Promise<unknown>,
  ) {
    let isDone = false;
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
      this: pg.Client,
      ...args: unknown[]
    ) {
      const [first] = args;
      const text = typeof first === 'string' ? first : ((first as { text?: string })?.text ?? '');
      const go = () => Reflect.apply(original, this, args);
      if (isDone || !isMeant(text, this)) return go();
      isDone = true;
      return act(this).then(go);
    } as never);
    return () => isDone;
  }
  afterEach(() => vi.restoreAllMocks());

  const outside = async (text: string, values: unknown[] = []) => {
    const client = new pg.Client(app.pool.options);
    await client.connect();
    await Reflect.apply(original, client, [text, values]);
    await client.end();
  };

  describe.each(TRIED)('%s', (name) => {
    it('changes nothing by who has not read what is stored', async () => {
      const { stale, ...input } = await inputOf(name);
      if (!stale) return expect(rowOf(name).errors).not.toContain('STALE');
      const then = await stored(name);
      const reply = await send(name, { ...input, body: { ...(input.body as object), ...stale } });
      expect(reply).toMatchObject({ status: 409, body: { code: 'STALE' } });
      expect(await stored(name)).toEqual(then);
    });

    it('changes nothing, and leaves no entry, where its session ends meanwhile', async () => {
      const input = await inputOf(name);
      const then = await stored(name);
      const isAsked = /from "sessions" inner join "admins"/;
      const wasAsked = beforeFirst(
        (text) => isAsked.test(text),
        () =>
          outside("update sessions set ended_at = now(), end_reason = 'signed_out' where id = $1", [
            ids.session,
          ]),
      );
      const reply = await send(name, input);
      vi.restoreAllMocks();
      await app.pool.query('update sessions set ended_at = null, end_reason = null');
      expect(wasAsked()).toBe(true);
      expect(reply?.status).toBe(401);
      expect(await stored(name)).toEqual(then);
    });

    it('changes nothing, and leaves no entry, where the database is lost before the commit', async () => {
      const input = await inputOf(name);
      const then = await stored(name);
      const writers = new Set<pg.Client>();
      const wasLost = beforeFirst(
        (text, client) => {
          if (/insert into "audit_entries"/.test(text)) writers.add(client);
          return text === 'commit' && writers.has(client);
        },
        (client) =>
          outside('select pg_terminate_backend($1)', [
            (client as unknown as { processID: number }).processID,
          ]),
      );
      const reply = await send(name, input);
      vi.restoreAllMocks();
      expect(wasLost()).toBe(true);
      expect(reply?.status).toBe(503);
      expect(await stored(name)).toEqual(then);
    });

    it('leaves its entries', async () => {
      const input = await inputOf(name);
      const { rows: earlier } = await app.pool.query('select id from audit_entries');
      const known = earlier.map(({ id }) => id);
      const reply = await send(name, input);
      expect(reply?.status, reply?.text.slice(0, 300)).toBeLessThan(300);
      const { rows } = await app.pool.query(
        'select action from audit_entries where id <> all ($1)',
        [known],
      );
      expect(rows).not.toEqual([]);
      expect(actionsOf(rowOf(name))).toEqual(
        expect.arrayContaining(rows.map(({ action }) => action)),
      );
    });
  });
});
