import type { HttpPerson } from './http-person.ts';

/** An open assessment of five questions with people invited to it, created at a running server. */
export async function inviteOverHttp(
  admin: HttpPerson,
  emails: string[],
): Promise<{ codes: string[]; questions: { id: string; options: string[] }[] }> {
  const category = await admin.call('createCategory', { body: { name: 'Category' } });
  const quiz = await admin.call('createQuiz', {
    body: {
      title: 'Network Fundamentals',
      categoryId: category.body.id,
      duration: 30,
      totalQuestions: 5,
    },
  });
  const params = { id: quiz.body.id };
  const questions = Array.from({ length: 5 }, (_, i) => {
    const options = ['a', 'b', 'c', 'd'].map((letter) => `Q${i} ${letter}`);
    const correctAnswer = options[0] ?? '';
    return { type: 'multiple_choice', question: `Q${i}`, options, correctAnswer };
  });
  const imported = await admin.call('importQuestions', { params, body: { questions } });
  await admin.call('inviteToQuiz', { params, body: { emails } });
  const { body: messages } = await admin.call('listOutbox', { query: { limit: '100' } });
  const codes: string[] = [];
  for (const email of emails) {
    const { id } = messages.find((m: { recipient: string }) => m.recipient === email);
    const { body } = await admin.call('readOutboxMessage', { params: { id } });
    codes.push(/One-time password: (\S+)/.exec(body.text)?.[1] ?? '');
  }
  return { codes, questions: imported.body.questions };
}
