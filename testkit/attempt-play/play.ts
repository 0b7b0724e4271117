import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { expect } from 'vitest';
import type { CallInput, Reply } from '../app.ts';
import type { AttemptModel, Change } from './model.ts';
import type { Question, Scene, Stage } from './stage.ts';
import type { Row } from './steps.ts';

type Endpoint = Parameters<Stage['app']['call']>[0];

/**
 * One sequence: the state of candidate and administrator, and the attempts of the model. The steps are in
 * candidate-steps.ts and admin-steps.ts.
 */
export class Play {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly attempts: AttemptModel[] = [];
  questions: Question[];
  /** The settings of later starts. */
  quiz = { duration: 2, endDate: null as number | null, isActive: true };
  /** Times of later starts for this person alone. */
  own: { endDate?: number; minutes?: number } = {};
  /** Breaks of later starts. */
  breaks = { left: 0, ms: 0 };
  codes: string[];
  readonly deadCodes: string[] = [];
  isRevoked = false;
  /** The candidate's newest session, and when it expires. */
  session: { cookie: string; until: number };

  private constructor(stage: Stage, scene: Scene) {
    this.stage = stage;
    this.scene = scene;
    this.questions = scene.questions;
    this.codes = [scene.code];
    this.session = { cookie: '', until: 0 };
  }

  static async begin(stage: Stage, quiz: number): Promise<Play> {
    return new Play(stage, await stage.scene(quiz));
  }

  get now(): number {
    return this.stage.now;
  }

  /** The one attempt that counts (I1), if any. */
  get current(): AttemptModel | undefined {
    return this.attempts.find((a) => a.replaced === null);
  }

  get isSignedIn(): boolean {
    return this.now < this.session.until;
  }

  /** The person's end and minutes: their own, else those of the assessment. */
  get times(): { endDate: number | null; duration: number } {
    const { endDate, duration } = this.quiz;
    return { endDate: this.own.endDate ?? endDate, duration: this.own.minutes ?? duration };
  }

  get isQuizOpen(): boolean {
    const { endDate } = this.times;
    return this.quiz.isActive && (endDate === null || this.now < endDate);
  }

  /** Whether the person may begin: after the end, too, where the attempt was reinstated in spite of it. */
  get mayBegin(): boolean {
    const { endDate } = this.times;
    const before = this.attempts.at(-1);
    const isInSpite =
      before?.replaced === 'reinstate' && endDate !== null && before.replacedAt >= endDate;
    return this.isQuizOpen || (this.quiz.isActive && isInSpite);
  }

  async call(name: Endpoint, input: CallInput): Promise<Reply> {
    return this.stage.app.call(name, input);
  }

  /** A call of the candidate; without a session every call is refused. */
  async ask(name: Endpoint, input: CallInput): Promise<Reply | undefined> {
    const reply = await this.call(name, { as: this.session.cookie, ...input });
    if (this.isSignedIn) return reply;
    expect(reply).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
    return undefined;
  }

  async administrate(name: Endpoint, input: CallInput): Promise<Reply> {
    return this.call(name, { as: await this.stage.admin(), ...input });
  }

  /** The session of a running attempt lasts until some time after its end. */
  sessionFollows(attempt: AttemptModel): void {
    this.session.until = attempt.closeAt + SESSION_LIMITS.candidateAfterDeadlineMs;
  }

  /** Runs what may end the attempt, and updates when the session expires after an end. */
  afterwards<T>(attempt: AttemptModel, change: () => T): T {
    const was = attempt.ended;
    const result = change();
    if (was === null && attempt.ended !== null) {
      this.session.until = this.now + SESSION_LIMITS.candidateAfterEndMs;
    }
    return result;
  }

  /** The effect of a step's rows on this attempt, each question once. */
  changes(attempt: AttemptModel, rows: readonly Row[]): Change[] {
    const byQuestion = new Map<string, Change>();
    for (const row of rows) {
      const question = attempt.paper[row.question % attempt.paper.length];
      if (!question) throw new Error('an empty paper');
      const stored = attempt.answers.get(question.id)?.revision ?? 0;
      byQuestion.set(question.id, {
        question: question.id,
        option:
          row.option === null ? '' : (question.options[row.option % question.options.length] ?? ''),
        flag: row.flag,
        revision: row.step === null ? null : Math.max(1, stored + row.step),
      });
    }
    return [...byQuestion.values()];
  }

  /** A reply contained the time left (I20). */
  sees(attempt: AttemptModel, remainingMs: number): void {
    const { is, atMost } = attempt.remaining(this.now);
    expect(remainingMs).toBe(is);
    expect(remainingMs).toBeLessThanOrEqual(atMost);
  }
}

/** Changes in wire format. */
export function onTheWire(changes: readonly Change[]) {
  return changes.map(({ question, option, flag, revision }) => ({
    questionId: question,
    selectedOption: option,
    isFlagged: flag,
    ...(revision === null ? {} : { revision }),
  }));
}
