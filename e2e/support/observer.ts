import { expect, type Page } from '@playwright/test';
import type { AdminClient, PreparedQuiz } from './admin-client.ts';
import type { Candidate } from './candidate.ts';

interface Row {
  questionId: string;
  selectedOption: string;
  revision: number;
}

interface RecordedQuestion {
  question: string;
  selectedOption: string;
}

/**
 * Records what a candidate selected and what the server acknowledged, and compares both with what the
 * server has stored.
 */
export class Observer {
  readonly #adminClient: () => AdminClient;
  readonly #quiz: PreparedQuiz;
  /** The option on the candidate's screen, by question text. */
  readonly selected = new Map<string, string>();
  readonly #acknowledged = new Map<string, Row>();

  /** @param adminClient a function where it changes: after a crash the administrator signs in again */
  constructor(adminClient: AdminClient | (() => AdminClient), quiz: PreparedQuiz) {
    this.#adminClient = typeof adminClient === 'function' ? adminClient : () => adminClient;
    this.#quiz = quiz;
  }

  /** Records every acknowledgement that reaches this page. */
  watch(page: Page): void {
    page.on('response', (response) => {
      const request = response.request();
      const isSave = /\/api\/participants\/[^/]+\/(answers|submit)$/.test(request.url());
      if (!isSave || request.method() === 'GET' || response.status() !== 200) return;
      const sent: { answers?: Row[] } | null = request.postDataJSON();
      for (const row of sent?.answers ?? []) {
        const known = this.#acknowledged.get(row.questionId);
        if (known === undefined || known.revision < row.revision) {
          this.#acknowledged.set(row.questionId, row);
        }
      }
    });
  }

  /** The candidate answers the question on the screen with its n-th option, counted from 0. */
  async select(candidate: Candidate, number: number, option: number): Promise<void> {
    await candidate.go(number);
    const text = (await candidate.optionTexts())[option] ?? '';
    await candidate.select(text);
    this.selected.set(await candidate.questionText(), text);
  }

  /** The current attempt as administrators see it. */
  async attempt() {
    const [row] = await this.#adminClient().must('listParticipants', {
      query: { quizId: this.#quiz.id },
    });
    return row;
  }

  /** The server's answers, by question text. */
  async stored(): Promise<Map<string, string>> {
    const { id } = await this.attempt();
    const record = await this.#adminClient().must('getParticipantRecord', { params: { id } });
    const questions: RecordedQuestion[] = record.questions;
    const answered = questions.filter(({ selectedOption }) => selectedOption !== '');
    return new Map(answered.map((q) => [q.question, q.selectedOption]));
  }

  /** The screen shows "Saved hh:mm:ss", and everything is stored. */
  async savedIsTrue(candidate: Candidate): Promise<void> {
    await expect(candidate.saved).toHaveText(/^Saved \d\d:\d\d:\d\d$/);
    expect(await this.stored()).toEqual(this.selected);
  }

  /** The screen shows "Offline: n changes waiting", and exactly n answers are not stored. */
  async waitingIsTrue(candidate: Candidate, many: number): Promise<void> {
    const status = `Offline: ${many} ${many === 1 ? 'change' : 'changes'} waiting`;
    await expect(candidate.saved).toHaveText(status);
    const stored = await this.stored();
    const missing = [...this.selected].filter(([question, text]) => stored.get(question) !== text);
    expect(missing).toHaveLength(many);
  }

  /** No acknowledged answer is missing on the server. */
  async nothingIsLost(): Promise<void> {
    const { id } = await this.attempt();
    const answers: Row[] = await this.#adminClient().must('listAnswers', { params: { id } });
    const stored = new Map(answers.map((row) => [row.questionId, row]));
    expect(this.#acknowledged.size).toBeGreaterThan(0);
    for (const [question, promised] of this.#acknowledged) {
      const found = stored.get(question);
      expect(found?.revision ?? 0).toBeGreaterThanOrEqual(promised.revision);
      if (found?.revision === promised.revision) {
        expect(found.selectedOption).toBe(promised.selectedOption);
      }
    }
  }
}
