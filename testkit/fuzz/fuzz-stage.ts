import type { TestApp } from '../app.ts';
import { uploadEvidence } from '../evidence.ts';
import { beginAttempt, makeQuiz, signInAdmin } from '../factories.ts';

/** Signed-in people, and one of everything that an id can refer to. */
export interface FuzzStage {
  admin: string;
  candidate: string;
  /** By the second part of the path under /api. */
  ids: Record<string, string>;
  questionId: string;
  allIds: string[];
}

let stages = 0;

export async function openFuzzStage(app: TestApp): Promise<FuzzStage> {
  stages += 1;
  // The invented sign-ins took tries of this network: a minute gives them back.
  app.clock.advance({ minutes: 1 });
  const admin = await signInAdmin(app, `fuzz${stages}@example.org`);
  const spare = await signInAdmin(app, `spare${stages}@example.org`);
  const quiz = await makeQuiz(app, admin);
  const attempt = await beginAttempt(app, admin, quiz);
  const as = attempt.candidate.cookie;
  const { id: evidence, violationId } = await uploadEvidence(app, attempt);
  const first = async (name: 'listCategories' | 'listOutbox') =>
    (await app.call(name, { as: admin })).body[0].id as string;
  const invitations = await app.call('listInvitations', { as: admin, params: { id: quiz.id } });
  const ids = {
    quizzes: quiz.id,
    categories: await first('listCategories'),
    outbox: await first('listOutbox'),
    invitations: invitations.body[0].id,
    participants: attempt.id,
    users: attempt.candidate.userId,
    violations: violationId,
    evidence,
    admins: (await app.call('me', { as: spare })).body.user.id,
  };
  const questionId = quiz.questions[0]?.id ?? '';
  return { admin, candidate: as, ids, questionId, allIds: [...Object.values(ids), questionId] };
}
