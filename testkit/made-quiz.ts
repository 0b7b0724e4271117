import type { EndpointName } from '@invigil/core/contract/endpoints';
import type { HttpInput, HttpReply } from './http-person.ts';

/** Calls an endpoint as an administrator: the body of a success; throws on a refusal. */
export type Must = (name: EndpointName, input: HttpInput) => Promise<HttpReply['body']>;

export interface QuestionInput {
  question: string;
  options: string[];
  correctAnswer: string;
}

/** `n` questions `Q1` … with options `Q1 a` … `Q1 d`; the key is always the second option. */
export function plainQuestions(n: number): QuestionInput[] {
  return Array.from({ length: n }, (_, i) => {
    const options = ['a', 'b', 'c', 'd'].map((letter) => `Q${i + 1} ${letter}`);
    return { question: `Q${i + 1}`, options, correctAnswer: options[1] ?? '' };
  });
}

export interface MadeQuiz {
  id: string;
  questions: (QuestionInput & { id: string })[];
}

/** An open assessment of half an hour with questions, unless the settings differ. */
export async function makeQuizBy(
  must: Must,
  {
    questions = plainQuestions(5),
    ...settings
  }: { questions?: QuestionInput[]; [setting: string]: unknown } = {},
): Promise<MadeQuiz> {
  const categoryId =
    settings.categoryId ?? (await must('createCategory', { body: { name: 'Category' } })).id;
  const quiz = await must('createQuiz', {
    body: {
      title: 'Network Fundamentals',
      duration: 30,
      totalQuestions: Math.max(5, questions.length),
      ...settings,
      categoryId,
    },
  });
  if (questions.length === 0) return { id: quiz.id, questions: [] };
  const imported = await must('importQuestions', {
    params: { id: quiz.id },
    body: { questions: questions.map((q) => ({ type: 'multiple_choice', ...q })) },
  });
  return { id: quiz.id, questions: imported.questions };
}

/** Changes settings of an assessment and leaves the others as they are. */
export async function changeQuizBy(must: Must, id: string, settings: object): Promise<void> {
  const { title, description, categoryId, duration, totalQuestions, endDate } = await must(
    'getQuiz',
    { params: { id } },
  );
  const now = { title, description, categoryId, duration, totalQuestions, endDate };
  await must('updateQuiz', { params: { id }, body: { ...now, ...settings } });
}

/** Invites people: their one-time passwords, read from messages that wait, because there is no mail server. */
export async function inviteBy(must: Must, quizId: string, emails: string[]): Promise<string[]> {
  await must('inviteToQuiz', { params: { id: quizId }, body: { emails } });
  const waiting: { id: string; recipient: string }[] = await must('listOutbox', {
    query: { limit: 100 },
  });
  const codes: string[] = [];
  for (const email of emails) {
    const { id = '' } = waiting.find(({ recipient }) => recipient === email) ?? {};
    codes.push(codeIn((await must('readOutboxMessage', { params: { id } })).text));
  }
  return codes;
}

/** The one-time password in the text of a message, in any language; throws without one. */
export function codeIn(text = ''): string {
  const [code] = /\b[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}\b/.exec(text) ?? [];
  if (code === undefined) throw new Error(`no one-time password in:\n${text}`);
  return code;
}
