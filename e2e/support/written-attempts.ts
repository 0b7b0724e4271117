import { HttpPerson } from '@invigil/testkit/running-server';
import type { AdminClient, Guest, PreparedQuiz } from './admin-client.ts';

/** Completes attempts over HTTP: each person answers the given number of questions correctly. */
export async function writeAttempts(
  url: string,
  adminClient: AdminClient,
  quiz: PreparedQuiz,
  marks: Record<string, number>,
): Promise<void> {
  const guests = await adminClient.invite(quiz, ...Object.keys(marks));
  for (const guest of guests) await writeAttempt(url, quiz, guest, marks[guest.email] ?? 0);
}

/** A candidate over HTTP, with the id of the attempt and its paper. */
export interface Writer {
  person: HttpPerson;
  id: string;
  questions: { id: string; question: string; options: string[] }[];
}

/** Starts an attempt. */
export async function beginAttempt(url: string, quiz: PreparedQuiz, guest: Guest): Promise<Writer> {
  const person = new HttpPerson(url);
  await person.signIn(guest.email, guest.code);
  const start = await person.call('startParticipant', { body: { quizId: quiz.id } });
  const paper = await person.call('listQuestions', {
    params: { id: quiz.id },
    query: { forAssessment: 'true' },
  });
  return { person, id: start.body.id, questions: paper.body };
}

async function writeAttempt(url: string, quiz: PreparedQuiz, guest: Guest, right: number) {
  const { person, id, questions } = await beginAttempt(url, quiz, guest);
  const answers = questions.map(({ id, question, options }, index) => {
    const key = quiz.questions.find((row) => row.question === question)?.correctAnswer ?? '';
    const wrong = options.find((option) => option !== key) ?? '';
    return { questionId: id, selectedOption: index < right ? key : wrong, revision: 1 };
  });
  const end = await person.call('submitParticipant', { params: { id }, body: { answers } });
  if (end.status !== 200) throw new Error(`not submitted: ${JSON.stringify(end.body)}`);
}
