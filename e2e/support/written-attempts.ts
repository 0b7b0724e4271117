import { randomUUID } from 'node:crypto';
import { type HttpPerson, sitDown } from '@invigil/testkit/running-server';
import type { AdminClient, PreparedQuiz } from './admin-client.ts';

/** A candidate over HTTP, with the id of the attempt and its paper. */
export interface Writer {
  person: HttpPerson;
  id: string;
  questions: { id: string; question: string; options: string[] }[];
}

/** Completes attempts over HTTP: each person answers the given number of questions correctly. */
export async function writeAttempts(
  admin: AdminClient,
  quiz: PreparedQuiz,
  marks: Record<string, number>,
): Promise<void> {
  const writers = await beginAttempts(admin, quiz, ...Object.keys(marks));
  for (const [at, right] of Object.values(marks).entries()) {
    const writer = writers[at] as Writer;
    const answers = writer.questions.map(({ id, question, options }, index) => {
      const key = quiz.questions.find((row) => row.question === question)?.correctAnswer ?? '';
      const wrong = options.find((option) => option !== key) ?? '';
      return { questionId: id, selectedOption: index < right ? key : wrong, revision: 1 };
    });
    const end = await submit(writer, answers);
    if (end.status !== 200) throw new Error(`not submitted: ${JSON.stringify(end.body)}`);
  }
}

/** Invites people, who start their attempts. */
export async function beginAttempts(
  admin: AdminClient,
  quiz: PreparedQuiz,
  ...emails: string[]
): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (const guest of await admin.invite(quiz, ...emails)) {
    const { person, id } = await sitDown(admin.url, guest);
    const paper = { params: { id: quiz.id }, query: { forAssessment: 'true' } };
    writers.push({ person, id, questions: await person.must('listQuestions', paper) });
  }
  return writers;
}

/** The attempt of one person. */
export async function beginAttempt(admin: AdminClient, quiz: PreparedQuiz, email: string) {
  return (await beginAttempts(admin, quiz, email))[0] as Writer;
}

export const submit = ({ person, id }: Writer, answers: object[] = []) =>
  person.call('submitParticipant', { params: { id }, body: { answers } });

/** Saves answers to the first questions: their first option, unless something else is given. */
export async function save({ person, id, questions }: Writer, ...changes: object[]) {
  const answers = changes.map((change, at) => ({
    questionId: questions[at]?.id,
    selectedOption: questions[at]?.options[0],
    isFlagged: false,
    revision: 1,
    ...change,
  }));
  await person.call('saveAnswers', { params: { id }, body: { answers } });
}

/** Reports a violation; returns its id. */
export async function violate({ person, id }: Writer, violationType: string, more: object = {}) {
  const body = { id: randomUUID(), participantId: id, violationType, engine: 'model', ...more };
  const reply = await person.call('reportViolation', { body });
  if (reply.status !== 201) throw new Error(`not reported: ${JSON.stringify(reply.body)}`);
  return body.id;
}
