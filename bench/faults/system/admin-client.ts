import { OFF_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { HttpPerson } from '@invigil/testkit/running-server';
import { ADMIN, type System } from './system.ts';

const QUESTIONS = 10;

/** An administrator: assessments and invitations over HTTP, bypassing the proxies. */
export class AdminClient {
  readonly #admin: HttpPerson;

  private constructor(admin: HttpPerson) {
    this.#admin = admin;
  }

  static async open(system: System): Promise<AdminClient> {
    const admin = new HttpPerson(system.apps[0]?.server.url ?? '');
    await admin.signIn(ADMIN.email, ADMIN.password);
    return new AdminClient(admin);
  }

  async makeTest(name: string, endDate: Date | null = null): Promise<string> {
    const category = await this.#admin.must('createCategory', { body: { name } });
    const quiz = await this.#admin.must('createQuiz', {
      body: {
        title: `Candidates: ${name}`,
        categoryId: category.id,
        duration: 60,
        totalQuestions: QUESTIONS,
        endDate: endDate?.toISOString() ?? null,
        // Every violation counts, without a cooldown, and never ends an attempt.
        policy: { ...OFF_POLICY, preset: 'custom', camera: true, cooldownMs: 0 },
      },
    });
    const questions = Array.from({ length: QUESTIONS }, (_, i) => ({
      type: 'multiple_choice',
      question: `Q${i}`,
      options: ['a', 'b', 'c', 'd'].map((letter) => `Q${i} ${letter}`),
      correctAnswer: `Q${i} a`,
    }));
    await this.#admin.must('importQuestions', { params: { id: quiz.id }, body: { questions } });
    return quiz.id;
  }

  async invite(quiz: string, name: string, many: number): Promise<string[]> {
    const emails = Array.from({ length: many }, (_, i) => `${name}-${i}@example.org`);
    if (many > 0)
      await this.#admin.must('inviteToQuiz', { params: { id: quiz }, body: { emails } });
    return emails;
  }
}
