import { randomUUID } from 'node:crypto';
import { inviteBy, makeQuizBy } from '@invigil/testkit/made-quiz';
import { sitDown } from '@invigil/testkit/running-server';
import { copyPerson } from '../copied-people.ts';
import type { Invited, TestSession } from './candidate.ts';
import { type LoadClients, startLoadClients } from './load-clients.ts';
import { BROWSER, type LoadQuestion, OPTION_LETTERS } from './requests.ts';
import type { LoadSystem } from './system.ts';

/** The assessment that candidates take. */
export interface LoadQuiz {
  quizId: string;
  questions: LoadQuestion[];
}

/** Creates an assessment; by default one in which reports never end an attempt. */
export async function makeQuiz(
  system: LoadSystem,
  questions: number,
  policy: Record<string, unknown> = { preset: 'review' },
): Promise<LoadQuiz> {
  const after = (i: number) => ` of question ${i + 1}, which has a usual length`;
  const { must } = await system.signIn();
  const category = await must('createCategory', { body: { name: `Load ${randomUUID()}` } });
  const quiz = await makeQuizBy(must, {
    ...{ title: 'Under load', categoryId: category.id, duration: 180, policy },
    totalQuestions: questions,
    questions: Array.from({ length: questions }, (_, i) => {
      const options = [...OPTION_LETTERS].map((letter) => `Option ${letter}${after(i)}`);
      const question = `Question ${i + 1}: which of these options is correct?`;
      return { question, options, correctAnswer: options[0] ?? '' };
    }),
  });
  const texts = (i: number) => ({ textBefore: 'Option ', textAfter: after(i) });
  return { quizId: quiz.id, questions: quiz.questions.map(({ id }, i) => ({ id, ...texts(i) })) };
}

/** Creates an assessment, and the load generator for it, with so many candidates in progress. */
export async function seat(
  system: LoadSystem,
  { questions, many = 0, processes = 1 }: { questions: number; many?: number; processes?: number },
): Promise<{ quiz: LoadQuiz; clients: LoadClients }> {
  const quiz = await makeQuiz(system, questions);
  const { port } = system.server;
  const clients = system.use(await startLoadClients({ port, ...quiz }, processes));
  await clients.add(await createSessions(system, quiz.quizId, many));
  return { quiz, clients };
}

/** Invites thousands of people, with known codes. */
export async function invite(system: LoadSystem, quizId: string, many: number): Promise<Invited[]> {
  const first = await inviteOne(system, quizId);
  return [first, ...(await copyPerson(system.postgres, system.keys, first.email, many - 1))];
}

/** Candidates in progress; or ended ones, who left every question blank. */
export async function createSessions(
  system: LoadSystem,
  quizId: string,
  many: number,
  { submit = false } = {},
): Promise<TestSession[]> {
  if (many === 0) return [];
  const { email, code } = await inviteOne(system, quizId);
  // The same device and network as those of the load generator: no change of device is recorded.
  const url = `http://127.0.0.1:${system.server.port}`;
  const { person, id } = await sitDown(url, { email, code }, BROWSER);
  if (submit) await person.must('submitParticipant', { params: { id }, body: {} });
  const { cookie } = person;
  const others = await copyPerson(system.postgres, system.keys, email, many - 1);
  return [{ cookie, participantId: id }, ...others];
}

async function inviteOne(system: LoadSystem, quizId: string): Promise<Invited> {
  const email = `first-${randomUUID().slice(0, 8)}@example.org`;
  const { must } = await system.signIn();
  const [code = ''] = await inviteBy(must, quizId, [email]);
  return { email, code };
}
