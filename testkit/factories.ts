import { BUDGET_LIMITS, TOTP_LIMITS } from '@invigil/core/domain/limits';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import type { App } from '../server/src/boot/app.ts';
import { insertAdmin } from '../server/src/db/queries/admins.ts';
import { pageOutbox } from '../server/src/db/queries/outbox.ts';
import { openMessage } from '../server/src/features/invitations/outbox.ts';
import { newAdmin } from '../server/src/features/sign-in/check-password.ts';
import { closeDueParticipants } from '../server/src/jobs/close-due-participants.ts';
import { hashPassword } from '../server/src/security/secrets/passwords.ts';
import { type Reply, startTestApp, type TestApp } from './app.ts';
import { ADMIN } from './http-person.ts';
import {
  codeIn,
  type MadeQuiz,
  type Must,
  makeQuizBy,
  plainQuestions,
  type QuestionInput,
} from './made-quiz.ts';
import { type SmtpSink, startSmtpSink } from './mail-servers.ts';
import { startOtherProcess } from './other-process.ts';

export { ADMIN, type MadeQuiz, plainQuestions, type QuestionInput };

let adminHash: Promise<string> | undefined;

/** An administrator's session cookie, from a sign-in. */
export async function signInAdmin(app: TestApp, email = ADMIN.email): Promise<string> {
  adminHash ??= hashPassword(ADMIN.password);
  const now = app.clock.now();
  const row = newAdmin(app.context.keys, { email, passwordHash: await adminHash, now });
  await insertAdmin(app.context.db, row);
  const reply = await app.call('login', { body: { email, password: ADMIN.password } });
  if (reply.cookie === undefined) throw new Error(`admin sign-in failed: ${reply.text}`);
  return reply.cookie;
}

/** Confirms the administrator's password, for sensitive actions long after the sign-in. */
export async function confirmPassword(app: TestApp, as: string): Promise<void> {
  await mustOf(app, as)('confirmPassword', { body: { currentPassword: ADMIN.password } });
}

/** The body of a success of a call by the administrator. */
const mustOf =
  (app: TestApp, as: string): Must =>
  async (name, input) => {
    const { status, body, text } = await app.call(name, { as, ...input });
    if (status < 300) return body;
    throw new Error(`${name} returned ${status}: ${text}`);
  };

/** An open quiz with questions, created through the API. */
export const makeQuiz = (
  app: TestApp,
  admin: string,
  options?: Parameters<typeof makeQuizBy>[1],
): Promise<MadeQuiz> => makeQuizBy(mustOf(app, admin), options);

/** Invites people and returns their one-time passwords, read from the outbox as the mail job does. */
export async function inviteForCodes(
  app: TestApp,
  admin: string,
  quizId: string,
  emails: string[],
): Promise<string[]> {
  await mustOf(app, admin)('inviteToQuiz', { params: { id: quizId }, body: { emails } });
  return newestCodes(app, emails);
}

/** The one-time passwords of people's newest waiting messages. */
export async function newestCodes(app: TestApp, emails: string[]): Promise<string[]> {
  const { rows } = await pageOutbox(app.context.db, { limit: 1_000, offset: 0 });
  const codes: string[] = [];
  for (const email of emails) {
    const row = rows.find((r) => r.recipient === email && r.sealedCode !== null);
    const message = row ? await openMessage(app.context, row) : undefined;
    codes.push(codeIn(message?.text));
  }
  return codes;
}

/** A candidate who is signed in. */
export interface Candidate {
  email: string;
  code: string;
  cookie: string;
  userId: string;
}

export async function inviteCandidate(
  app: TestApp,
  admin: string,
  quizId: string,
  email = 'a.rahman@example.org',
): Promise<Candidate> {
  const [code = ''] = await inviteForCodes(app, admin, quizId, [email]);
  return signInCandidate(app, email, code);
}

export async function signInCandidate(
  app: TestApp,
  email: string,
  code: string,
): Promise<Candidate> {
  const reply = await app.call('login', { body: { email, password: code } });
  if (reply.cookie === undefined) throw new Error(`sign-in failed: ${reply.text}`);
  return { email, code, cookie: reply.cookie, userId: reply.body.user.id };
}

let people = 0;

/** A candidate in the middle of an assessment, with the actions of candidate and administrator. */
export interface BegunAttempt {
  quiz: MadeQuiz;
  candidate: Candidate;
  id: string;
  startedAt: Date;
  deadlineAt: Date;
  /** Selects an option of a question, both by their original position. */
  save(question: number, option: number, revision: number, isFlagged?: boolean): Promise<Reply>;
  heartbeat(): Promise<Reply>;
  submit(body?: object): Promise<Reply>;
  start(): Promise<Reply>;
  /** Reports that something was detected. */
  report(violationType: string, more?: object): Promise<Reply>;
  /** Signs in again with the same code and continues with that session. */
  signIn(): Promise<void>;
  record(): Promise<Reply>;
  /** The attempt's row. */
  row(): Promise<Record<string, unknown>>;
}

/** Creates a quiz (or uses one), invites a person, and starts. */
export async function beginAttempt(
  app: TestApp,
  admin: string,
  made?: MadeQuiz,
): Promise<BegunAttempt> {
  people += 1;
  const quiz = made ?? (await makeQuiz(app, admin, { duration: 25 }));
  const candidate = await inviteCandidate(app, admin, quiz.id, `person${people}@example.org`);
  const start = () =>
    app.call('startParticipant', {
      as: candidate.cookie,
      body: { consent: { textVersion: '1' }, deviceCheck: { browser: 'Test', camera: true } },
    });
  const { body } = await start();
  const begun: BegunAttempt = {
    quiz,
    candidate,
    id: body.id,
    startedAt: new Date(body.startedAt),
    deadlineAt: new Date(body.deadlineAt),
    save(question, option, revision, isFlagged = false) {
      const { id: questionId = '', options = [] } = quiz.questions[question] ?? {};
      const answers = [{ questionId, selectedOption: options[option] ?? '', isFlagged, revision }];
      const params = { id: begun.id };
      return app.call('saveAnswers', { as: candidate.cookie, params, body: { answers } });
    },
    heartbeat: () =>
      app.call('heartbeat', { as: candidate.cookie, params: { id: begun.id }, body: { seq: 1 } }),
    submit: (body = {}) =>
      app.call('submitParticipant', { as: candidate.cookie, params: { id: begun.id }, body }),
    start,
    report: (violationType, more) =>
      app.call('reportViolation', {
        as: candidate.cookie,
        body: { participantId: begun.id, violationType, notes: null, ...more },
      }),
    async signIn() {
      candidate.cookie = (await signInCandidate(app, candidate.email, candidate.code)).cookie;
    },
    record: () => app.call('getParticipantRecord', { as: admin, params: { id: begun.id } }),
    row: async () =>
      (await app.pool.query('select * from participants where id = $1', [begun.id])).rows[0],
  };
  return begun;
}

/** Advances the clock and runs the closing job. */
export async function passTime(app: TestApp, by: Parameters<TestApp['clock']['advance']>[0]) {
  app.clock.advance(by);
  await closeDueParticipants(app.context);
}

/** An open assessment with questions of its own, made through the API. */
interface ScoredQuiz {
  id: string;
  /** Sorted like the definitions. */
  questionIds: string[];
}

export async function makeScoredQuiz(
  app: TestApp,
  admin: string,
  definitions: readonly QuestionDefinition[],
  negativeMarks: NegativeMarks | null = null,
): Promise<ScoredQuiz> {
  const must = mustOf(app, admin);
  const { id } = await makeQuizBy(must, {
    questions: [],
    totalQuestions: Math.max(5, definitions.length),
  });
  const questionIds: string[] = [];
  for (const definition of definitions) {
    const { id: questionId } = await must('addToBank', { body: { definition, quizId: id } });
    questionIds.push(questionId);
  }
  await setNegativeMarks(app, admin, id, negativeMarks);
  return { id, questionIds };
}

export async function setNegativeMarks(
  app: TestApp,
  admin: string,
  quizId: string,
  negativeMarks: NegativeMarks | null,
): Promise<void> {
  const body = { structure: null, negativeMarks };
  await mustOf(app, admin)('setStructure', { params: { id: quizId }, body });
}

/** An attempt that has answered, by the order of the questions; '' leaves a question blank. */
export async function sitScoredQuiz(
  app: TestApp,
  admin: string,
  quiz: ScoredQuiz,
  selected: readonly string[],
): Promise<BegunAttempt> {
  const attempt = await beginAttempt(app, admin, { id: quiz.id, questions: [] });
  const answers = selected.map((selectedOption, i) => ({
    questionId: quiz.questionIds[i] ?? '',
    selectedOption,
    isFlagged: false,
    revision: 1,
  }));
  const must = mustOf(app, attempt.candidate.cookie);
  await must('saveAnswers', { params: { id: attempt.id }, body: { answers } });
  return attempt;
}

/**
 * Uses up the budget of a session, by its cookie, or of a network, by an address. Time stands still, so that
 * nothing is refilled until the end of the test.
 */
export function useUpBudget(
  { context: { budgets } }: TestApp,
  of: { session: string } | { network: string },
): void {
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now);
  const isSession = 'session' in of;
  const bucket = isSession ? budgets.callerOf(of.session)?.bucket : budgets.networkOf(of.network);
  if (!bucket) throw new Error('no such budget');
  while (bucket.take(1, now) === 0);
  const { burst } = isSession ? BUDGET_LIMITS.session : BUDGET_LIMITS.network;
  onTestFinished(() => void bucket.take(-burst, performance.now()));
}

/**
 * The code that a person's app shows for a secret.
 *
 * @param periods how many periods from now; the app's clock may be wrong
 */
export function shownCode(secret: string, at: Date, periods = 0): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: at.getTime() + periods * TOTP_LIMITS.periodSeconds * 1_000 });
}

/** Sets up an administrator's second step through the endpoints, and returns its secret; the code is spent. */
export async function setUpTotp(app: TestApp, as: string): Promise<string> {
  const must = mustOf(app, as);
  const { secret } = await must('beginTotp', { body: { currentPassword: ADMIN.password } });
  await must('confirmTotp', { body: { code: shownCode(secret, app.clock.now()) } });
  return secret;
}

/** An app with a signed-in administrator. */
export interface AppWithAdmin extends TestApp {
  /** The administrator's session cookie; a test may sign in again. */
  admin: string;
}

/** An app for the tests that follow in this file or block: started before them, stopped after them. */
export function setUpApp(env: Record<string, string> = {}): TestApp {
  return setUp(() => startTestApp(env), stopApp);
}

/** The same, with an administrator who has signed in. */
export function setUpAppWithAdmin(env: Record<string, string> = {}): AppWithAdmin {
  return setUp(async () => {
    const app = await startTestApp(env);
    return withAdmin(app, await signInAdmin(app));
  }, stopApp);
}

/** Another process on the database of an app, for the same tests. */
export const setUpOtherProcess = (app: TestApp): App =>
  setUp(
    () => startOtherProcess(app),
    (other) => other.close(),
  );

/** A mail server for the same tests; see {@link mailServer}. */
export const setUpSmtpSink = (): SmtpSink => setUp(startSmtpSink, (sink) => sink.close());

/** Settings of a mail server on this machine, as the page for them sends them. */
export const mailServer = (port: number, more: object = {}) => ({
  ...{ host: '127.0.0.1', port, username: 'u', password: 'p', fromEmail: 'tests@example.org' },
  ...more,
});

/** Keeps the getters of the app, which change with `rebuild`. */
function withAdmin(app: TestApp, admin: string): AppWithAdmin {
  return Object.defineProperties({ admin } as AppWithAdmin, Object.getOwnPropertyDescriptors(app));
}

const stopApp = (app: TestApp) => app.stop();

function setUp<T extends object>(start: () => Promise<T>, stop: (started: T) => Promise<void>): T {
  let started: T | undefined;
  beforeAll(async () => {
    started = await start();
  });
  afterAll(() => started && stop(started));
  const get = (): T => {
    if (started === undefined) throw new Error('it starts before the first test, not earlier');
    return started;
  };
  return new Proxy({} as T, {
    get: (_, key) => Reflect.get(get(), key),
    set: (_, key, value) => Reflect.set(get(), key, value),
  });
}
