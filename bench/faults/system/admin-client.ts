import { OFF_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { HttpPerson } from '@invigil/testkit/http-person';
import { makeQuizBy, plainQuestions } from '@invigil/testkit/made-quiz';
import type { System } from './system.ts';

/** An administrator: assessments and invitations over HTTP, bypassing the proxies. */
export class AdminClient extends HttpPerson {
  static async open(system: System): Promise<AdminClient> {
    const admin = new AdminClient(system.apps[0]?.server.url ?? '');
    await admin.signIn();
    return admin;
  }

  async makeTest(name: string, endDate: Date | null = null): Promise<string> {
    const { id: categoryId } = await this.must('createCategory', { body: { name } });
    const quiz = await makeQuizBy(this.must, {
      ...{ title: `Candidates: ${name}`, categoryId, duration: 60 },
      endDate: endDate?.toISOString() ?? null,
      // Every violation counts, without a cooldown, and never ends an attempt.
      policy: { ...OFF_POLICY, preset: 'custom', camera: true, cooldownMs: 0 },
      questions: plainQuestions(10),
    });
    return quiz.id;
  }

  async invite(quiz: string, name: string, many: number): Promise<string[]> {
    const emails = Array.from({ length: many }, (_, i) => `${name}-${i}@example.org`);
    if (many > 0) await this.must('inviteToQuiz', { params: { id: quiz }, body: { emails } });
    return emails;
  }
}
