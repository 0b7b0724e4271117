import { partsOf, permissionsOf, type Subject } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { Grant } from '@invigil/core/domain/rights';
import { newId } from '../server/src/db/new-id.ts';
import type { Reply } from './app.ts';
import { callOf } from './calls.ts';
import {
  type AppWithAdmin,
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  signInAdmin,
} from './factories.ts';

/** An assessment with a person who has started it. */
export interface Side {
  quiz: MadeQuiz;
  candidate: Candidate;
  attempt: string;
  ids: Record<Exclude<Subject, 'installation' | 'anywhere'>, string>;
}

/** Calls that would end or change the objects of other calls, or take long. */
export const CHANGES_TOO_MUCH: ReadonlySet<string> = new Set([
  ...['deleteQuiz', 'deleteQuestion', 'deleteQuestions', 'endParticipant', 'applyToMany'],
  ...['replaceParticipant', 'revokeInvitations', 'resendInvitations', 'makePasswords'],
  ...['exportPasswords', 'setStructure', 'putSmtpSettings', 'putSignInPolicy', 'changeOwnPassword'],
  ...['erasePerson', 'updateQuiz', 'importFile', 'beginTotp', 'remindInvitations', 'inviteToQuiz'],
  ...['readImport', 'exportQuestions', 'testSmtpSettings', 'checkPublicUrl'],
]);

/** Parts of a body by which a call creates something at a side. */
export const MADE_AT: Partial<Record<EndpointName, (side: Side) => object>> = {
  createQuiz: ({ ids }) => ({ categoryId: ids.category }),
  addToBank: ({ ids }) => ({ quizId: ids.quiz }),
  createAdmin: ({ ids }) => ({
    email: `${newId()}@example.org`,
    grants: [{ role: 'author', quizId: ids.quiz }],
    password: undefined,
  }),
};

export async function makeSide(
  app: AppWithAdmin,
  name: string,
  definitions?: readonly QuestionDefinition[],
): Promise<Side> {
  const quiz = await makeQuiz(app, app.admin, {
    title: `${name} assessment`,
    ...(definitions ? { questions: [] } : {}),
  });
  for (const definition of definitions ?? []) {
    const body = { definition, quizId: quiz.id };
    const { id } = (await app.call('addToBank', { as: app.admin, body })).body;
    const { question, options } = definition;
    const right = options.find(({ isCorrect }) => isCorrect);
    const texts = options.map(({ text }) => text);
    quiz.questions.push({ id, question, options: texts, correctAnswer: right?.text ?? '' });
  }
  const email = `${name.toLowerCase()}.person@example.org`;
  const candidate = await inviteCandidate(app, app.admin, quiz.id, email);
  const attempt = (await app.call('startParticipant', { as: candidate.cookie, body: {} })).body.id;
  const params = { id: quiz.id };
  const { categoryId } = (await app.call('getQuiz', { as: app.admin, params })).body;
  const [invitation] = (await app.call('listInvitations', { as: app.admin, params })).body;
  return {
    quiz,
    candidate,
    attempt,
    ids: {
      quiz: quiz.id,
      category: categoryId,
      question: quiz.questions[0]?.id ?? '',
      invitation: invitation.id,
      participant: attempt,
      person: candidate.userId,
    },
  };
}

let people = 0;
/** Signs in an administrator with some grants; the password is confirmed now. */
export async function withGrants(app: AppWithAdmin, grants: Grant[]): Promise<string> {
  people += 1;
  const cookie = await signInAdmin(app, `staff${people}@example.org`);
  const { id } = (await app.call('me', { as: cookie })).body.user;
  const reply = await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
  if (reply.status !== 200) throw new Error(`roles were not given: ${reply.text}`);
  return cookie;
}

/** The subject that an endpoint's permission is about; 'self' like anywhere. */
export const subjectsOf = (name: EndpointName) =>
  permissionsOf(ENDPOINTS[name]).map((one) => partsOf(one)?.on ?? 'anywhere');

/** Calls an endpoint about one side. */
export function callOn(
  app: AppWithAdmin,
  name: EndpointName,
  side: Side,
  as: string | undefined,
): Promise<Reply> {
  const call = callOf(name, { ...side, violation: newId() });
  const [on] = subjectsOf(name).filter((one) => one !== 'installation' && one !== 'anywhere');
  const id = on && side.ids[on as keyof Side['ids']];
  const params = call.params && { ...call.params, ...(id ? { id } : {}) };
  const body = { ...(call.body as object), ...MADE_AT[name]?.(side) };
  return app.call(name, {
    ...call,
    ...(params ? { params } : {}),
    ...(MADE_AT[name] ? { body } : {}),
    as,
  });
}
