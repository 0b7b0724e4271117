import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { CallInput, TestApp } from '@invigil/testkit/app';
import {
  ADMIN,
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { STILL } from '@invigil/testkit/stills';
import { beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../db/database.ts';
import { newId } from '../../db/new-id.ts';
import { setTotpRequired } from '../../sessions/sign-in-policy.ts';

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
const accessOf = (name: EndpointName) => (ENDPOINTS[name] as Endpoint).access;

/** Candidate endpoints that are not about one attempt; all others must refuse another candidate's. */
const NOT_ABOUT_AN_ATTEMPT: ReadonlySet<string> = new Set([
  'me',
  'streamOpening',
  'listQuestions',
  'startParticipant',
  'listParticipants',
]);
const ABOUT_AN_ATTEMPT = NAMES.filter(
  (name) =>
    accessOf(name) !== 'public' &&
    accessOf(name).includes('participant') &&
    !NOT_ABOUT_AN_ATTEMPT.has(name),
);

/** Routes outside of the table: for machines, and the API documents. */
const BESIDES = [
  /^GET \/(healthz|readyz|metrics)$/,
  /^GET \/api\/openapi\.json$/,
  /^GET \/api\/docs(\/|$)/,
];
const IN_THE_TABLE: ReadonlySet<string> = new Set(
  NAMES.map((name) => `${ENDPOINTS[name].method} ${ENDPOINTS[name].path}`),
);

/** `METHOD path` of every route, read from the router's own tree; HEAD comes with each GET. */
function routesOf(app: TestApp): string[] {
  const above: string[] = [];
  return app.fastify
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = (above[depth - 1] ?? '') + part;
      above[depth] = path;
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}

describe('access to every endpoint', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let other: Candidate;
  let otherAttempt: string;
  /** Of the other candidate's attempt. */
  let violation: string;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    candidate = await inviteCandidate(app, app.admin, quiz.id, 'one@example.org');
    other = await inviteCandidate(app, app.admin, quiz.id, 'two@example.org');
    otherAttempt = (await app.call('startParticipant', { as: other.cookie, body: {} })).body.id;
    const report = { participantId: otherAttempt, violationType: 'face_not_detected', notes: null };
    violation = (await app.call('reportViolation', { as: other.cookie, body: report })).body.id;
  });

  /** A call in which everything is valid except perhaps the caller. */
  function validCall(name: EndpointName, attempt: string): CallInput {
    const [question] = quiz.questions;
    const params = { id: attempt };
    const change = {
      questionId: question?.id ?? '',
      selectedOption: question?.options[0] ?? '',
      isFlagged: false,
      revision: 1,
    };
    const quizBody = { title: 'T', categoryId: quiz.id, duration: 5, totalQuestions: 5 };
    const questionBody = { question: 'Q', options: ['a', 'b'], correctAnswer: 'a' };
    const definition = plainDefinition('Q', ['a', 'b'], 'a');
    const structure = { sections: [{ title: 'All', isShuffled: true, items: [] }] };
    const smtp = {
      host: 'mail.example.org',
      port: 587,
      username: 'u',
      password: 'p',
      fromEmail: 'a@example.org',
    };
    const calls: Record<EndpointName, CallInput> = {
      login: { body: { email: candidate.email, password: candidate.code } },
      getPasswordResetWays: {},
      requestPasswordReset: { body: { email: 'a@example.org' } },
      setResetPassword: { body: { token: 'x', newPassword: 'granite lantern otter' } },
      confirmPassword: { body: { currentPassword: ADMIN.password } },
      me: {},
      logout: {},
      listCategories: {},
      createCategory: { body: { name: 'N' } },
      updateCategory: { params, body: { name: 'N' } },
      deleteCategory: { params },
      listQuizzes: {},
      createQuiz: { body: quizBody },
      updateQuiz: { params: { id: quiz.id }, body: quizBody },
      deleteQuiz: { params: { id: quiz.id } },
      listQuestions: { params: { id: quiz.id }, query: { forAssessment: 'true' } },
      createQuestion: { params: { id: quiz.id }, body: questionBody },
      updateQuestion: {
        params: { id: quiz.id, questionId: question?.id ?? '' },
        body: questionBody,
      },
      deleteQuestions: { params: { id: quiz.id }, body: { ids: [question?.id ?? ''] } },
      deleteQuestion: { params: { id: quiz.id, questionId: question?.id ?? '' } },
      importQuestions: { params: { id: quiz.id }, body: { questions: [questionBody] } },
      inviteToQuiz: { params: { id: quiz.id }, body: { emails: ['x@example.org'] } },
      listOutbox: {},
      readOutboxMessage: { params },
      revealOutboxMessage: { params, body: { currentPassword: ADMIN.password } },
      sendOutboxMessage: { params },
      getMailProblems: {},
      startParticipant: { body: { quizId: quiz.id } },
      listParticipants: {},
      exportParticipants: {},
      getParticipant: { params },
      heartbeat: { params, body: { seq: 1 } },
      giveFeedback: { body: { participantId: attempt, emoji: 'smile' } },
      listAnswers: { params },
      saveAnswers: { params, body: { answers: [change] } },
      submitParticipant: { params, body: { answers: [change] } },
      listLateAnswers: { params },
      getSmtpSettings: {},
      putSmtpSettings: { body: smtp },
      getStats: {},
      getStatsCharts: {},
      listQuizFigures: {},
      getQuizActivity: { params: { id: quiz.id } },
      previewInvitation: { params: { id: quiz.id }, body: {} },
      listInvitations: { params: { id: quiz.id } },
      resendInvitations: { params: { id: quiz.id }, body: { ids: [attempt] } },
      remindInvitations: { params: { id: quiz.id }, body: { ids: [attempt] } },
      countInvitations: { params: { id: quiz.id } },
      listInvitationIds: { params: { id: quiz.id } },
      makePasswords: { params: { id: quiz.id }, body: { ids: [quiz.id] } },
      exportPasswords: { params: { id: quiz.id }, body: { ids: [quiz.id] } },
      checkInviting: { params: { id: quiz.id } },
      findInvited: { params: { id: quiz.id }, body: { emails: ['x@example.org'] } },
      exportInvitations: { params: { id: quiz.id } },
      readDelivery: { params: { id: quiz.id }, body: { ids: [attempt] } },
      revokeInvitations: { params: { id: quiz.id }, body: { ids: [attempt] } },
      updateInvitation: {
        params,
        body: { extraTimeFactor: 1, cameraEnabled: true, microphoneEnabled: true, reason: 'r' },
      },
      getParticipantRecord: { params },
      extendParticipant: { params, body: { minutes: 5, reason: 'r' } },
      endParticipant: { params, body: { reason: 'r' } },
      replaceParticipant: { params, body: { how: 'another', reason: 'r' } },
      noteParticipant: { params, body: { note: 'n' } },
      exportPerson: { params },
      erasePerson: { params, body: { reason: 'r' } },
      duplicateQuiz: { params: { id: quiz.id } },
      previewQuiz: { params: { id: quiz.id } },
      getPreviewPaper: {},
      sendTestInvitation: { params: { id: quiz.id }, body: {} },
      listBank: {},
      listTags: {},
      listDuplicates: {},
      addToBank: { body: { definition } },
      getBankQuestion: { params: { id: question?.id ?? '' } },
      changeBankQuestion: { params: { id: question?.id ?? '' }, body: { note: 'n' } },
      rescoreBankQuestion: { params: { id: question?.id ?? '' }, body: { dryRun: true } },
      changeBankQuestions: { body: { ids: [question?.id ?? ''], addTags: ['t'] } },
      readImport: { query: { name: 'a.csv' }, body: new Uint8Array([65]) },
      importFile: { body: new TextEncoder().encode('{"name":"a.csv"}\nA') },
      checkExport: { query: { format: 'csv' } },
      exportQuestions: { query: { format: 'csv' } },
      getStructure: { params: { id: quiz.id } },
      checkStructure: { params: { id: quiz.id }, body: { structure } },
      setStructure: { params: { id: quiz.id }, body: { structure, negativeMarks: null } },
      reorderQuestions: { params: { id: quiz.id }, body: { ids: [] } },
      rescoreQuestion: {
        params: { id: quiz.id, questionId: question?.id ?? '' },
        body: { dryRun: true },
      },
      testSmtpSettings: { body: { to: 'a@example.org' } },
      listAdmins: {},
      createAdmin: { body: { email: 'b@example.org', password: 'correct horse battery' } },
      deleteAdmin: { params },
      changeOwnPassword: {
        body: { currentPassword: 'x', newPassword: 'correct horse battery' },
      },
      listAudit: {},
      exportAudit: {},
      getSystemInformation: {},
      getRetention: {},
      getInstitution: {},
      putInstitution: { body: { name: 'N', timeZone: null, publicUrl: null } },
      checkPublicUrl: { body: { publicUrl: 'http://localhost:1' } },
      uploadImage: { body: Buffer.from('no image'), headers: { 'content-type': 'image/png' } },
      readImage: { params: { hash: 'a'.repeat(64) } },
      reportViolation: {
        body: { participantId: attempt, violationType: 'window_blur', notes: 'n' },
      },
      countViolation: { params },
      noteViolation: { params: { id: violation }, body: { note: 'n' } },
      getEndedAttempt: { params },
      noteAfterEnd: {
        params: { id: violation },
        body: { participantId: attempt, token: 'x'.repeat(43), note: 'n' },
      },
      uploadEvidence: {
        params,
        body: { id: newId(), violationId: violation, stills: [{ offsetMs: 0, jpeg: STILL }] },
      },
      sendThumbnail: { params, body: { jpeg: STILL } },
      readEvidence: { query: { participantId: attempt } },
      giveVerdict: { params, body: { verdict: 'no_concern', note: 'n' } },
      streamLive: {},
      getLiveCount: {},
      watchParticipant: { params },
      applyToMany: {
        body: { id: newId(), ids: [attempt], action: { kind: 'end' }, reason: 'r' },
      },
      getReceiptKey: {},
      verifyReceipt: { body: { receipt: 'a.b' } },
      listMessages: { params },
      sendMessage: { params, body: { text: 'm' } },
      streamParticipant: { params },
      streamOpening: {},
      putRetention: { body: { days: 30 } },
      secondStep: { body: { pending: 'x'.repeat(43), code: '000000' } },
      getTotp: {},
      beginTotp: { body: { currentPassword: 'x' } },
      confirmTotp: { body: { code: '000000' } },
      renewRecoveryCodes: { body: { currentPassword: 'x', code: '000000' } },
      switchOffTotp: { body: { currentPassword: 'x', code: '000000' } },
      resetTotp: { params },
      getSignInPolicy: {},
      putSignInPolicy: { body: { totpRequired: false } },
    };
    return calls[name];
  }

  it('is defined in the table, and no other route exists', () => {
    const besides = routesOf(app).filter((route) => !IN_THE_TABLE.has(route));
    expect(besides.filter((route) => !BESIDES.some((known) => known.test(route)))).toEqual([]);
    // The list is complete: every row of the table is in it.
    expect([...IN_THE_TABLE].filter((route) => !routesOf(app).includes(route))).toEqual([]);
  });

  it('is refused before the body is read, without any change of state', async () => {
    const due = await adminWithoutTotp();
    const before = await snapshot();
    expect(Object.keys(before).length).toBeGreaterThan(25);
    await requireTotp();
    for (const name of NAMES) {
      const access = accessOf(name);
      const call = validCall(name, otherAttempt);
      if (access === 'public') continue;
      const refused = (as: string | undefined) => app.call(name, { ...call, as });
      // Before its body is read.
      const stranger = await app.call(name, { ...call, body: { nonsense: true } });
      expect([name, stranger.status, stranger.body.code]).toEqual([name, 401, 'NOT_SIGNED_IN']);
      if (!access.includes('participant')) {
        const { status, body } = await refused(candidate.cookie);
        expect([name, status, body.code, body.message]).toEqual([
          name,
          403,
          'FORBIDDEN',
          'Unauthorized',
        ]);
      }
      if (!(ENDPOINTS[name] as Endpoint).beforeTotp) {
        const code = access.includes('admin') ? 'TOTP_NEEDED' : 'FORBIDDEN';
        expect([name, (await refused(due)).body.code]).toEqual([name, code]);
      }
    }
    await requireTotp(false);
    expect(await snapshot()).toEqual(before);
  });

  /** An administrator who has not set up two-step sign-in. */
  const adminWithoutTotp = () => signInAdmin(app, 'due@example.org');
  const requireTotp = (isRequired = true) =>
    inTransaction(app.context.db, (tx) =>
      setTotpRequired(tx, app.context, isRequired, app.clock.now()),
    );

  it.each(ABOUT_AN_ATTEMPT)(
    "%s answers 404 for someone else's attempt and changes nothing",
    async (name) => {
      const before = await snapshot();
      const reply = await app.call(name, {
        ...validCall(name, otherAttempt),
        as: candidate.cookie,
      });
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await snapshot()).toEqual(before);
    },
  );

  const WITH_IDS = NAMES.filter((name) => (ENDPOINTS[name] as Endpoint).path.includes(':'));

  it.each(WITH_IDS)('%s answers 404 for an unknown id and changes nothing', async (name) => {
    const before = await snapshot();
    const isForAdmins = accessOf(name).includes('admin');
    for (const id of [newId(), 'x', '../admins', '%00', `${otherAttempt}'--`]) {
      const { params = {}, ...call } = validCall(name, newId());
      const reply = await app.call(name, {
        ...call,
        params: Object.fromEntries(Object.keys(params).map((key) => [key, encodeURIComponent(id)])),
        as: isForAdmins ? app.admin : candidate.cookie,
      });
      // Lists may be empty; nothing else is.
      expect([name, id, reply.status]).toEqual([name, id, 404]);
    }
    expect(await snapshot()).toEqual(before);
  });

  /** Every row of every table, except what reading a session records. */
  async function snapshot(): Promise<Record<string, unknown[]>> {
    const { rows } = await app.pool.query(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    const tables = rows.map(({ name }) => String(name)).filter((name) => name !== 'sign_in_policy');
    return Object.fromEntries(
      await Promise.all(
        tables.map(async (name) => {
          const text = `select t::text as row from "${name}" t order by 1`;
          return [name, (await app.pool.query(text)).rows.map(({ row }) => row)] as const;
        }),
      ),
    );
  }

  it("filters by someone else's ids return an empty list, or only the caller's own row", async () => {
    const list = (query: Record<string, string>) =>
      app.call('listParticipants', { as: candidate.cookie, query });
    expect((await list({ userId: other.userId })).body).toEqual([]);
    expect((await list({ quizId: otherAttempt })).body).toEqual([]);
    expect((await list({})).body).toEqual([]);
    const theirs = await app.call('listParticipants', { as: other.cookie });
    expect(theirs.body.map((p: { id: string }) => p.id)).toEqual([otherAttempt]);
  });

  it('serves the whole endpoint table as OpenAPI 3.1', async () => {
    const document = (await app.fastify.inject('/api/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map((o) => o.operationId),
    );
    expect(operations.sort()).toEqual([...NAMES].sort());
  });
});
