import { closeDueParticipants } from '../jobs/close-due-participants.ts';
import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  signInCandidate,
} from './factories.ts';
import type { Reply, TestApp } from './test-app.ts';

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
  submit(): Promise<Reply>;
  start(): Promise<Reply>;
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
    submit: () =>
      app.call('submitParticipant', { as: candidate.cookie, params: { id: begun.id }, body: {} }),
    start,
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
