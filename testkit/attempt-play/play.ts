import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import type { RetakeRule } from '@invigil/core/domain/retakes';
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
  /** Breaks of later starts. */
  breaks = { left: 0, ms: 0 };
  /** Times of later starts for this person alone. */
  own: { endDate?: number; startBy?: number; minutes?: number; attempts?: number } = {};
  /** How often each person may take it; null: once. */
  rule: RetakeRule | null = null;
  /** All start together by the button: milliseconds in which those who are late can start. */
  together: number | null = null;
  /** When all were last started. */
  startedAt: number | null = null;
  codes: string[];
  readonly deadCodes: string[] = [];
  isRevoked = false;
  /** The candidate's newest session, with when it was opened and expires. */
  session: { cookie: string; since: number; until: number };

  private constructor(stage: Stage, scene: Scene) {
    this.stage = stage;
    this.scene = scene;
    this.questions = scene.questions;
    this.codes = [scene.code];
    this.session = { cookie: '', since: 0, until: 0 };
  }

  static async begin(stage: Stage, quiz: number): Promise<Play> {
    return new Play(stage, await stage.scene(quiz));
  }

  get now(): number {
    return this.stage.now;
  }

  /** The latest attempt, unless an administrator has set it aside. */
  get current(): AttemptModel | undefined {
    const latest = this.attempts.at(-1);
    return latest?.isSetAside ? undefined : latest;
  }

  /** The one attempt that counts (I1), if any. */
  get counting(): AttemptModel | undefined {
    return this.attempts.find((a) => a.replaced === null);
  }

  /** From when the ended attempt may be followed by another one; null: by none. */
  get retakeFrom(): number | null {
    const { current } = this;
    if (!current?.ended) return null;
    const standing = this.attempts.filter((a) => !a.isSetAside);
    const isAllowed = this.attempts.some((a) => a.isSetAside && a.replacedAt > current.startedAt);
    const isUsedUp = standing.length >= (this.own.attempts ?? this.rule?.attempts ?? 1);
    const isDismissed = standing.some((a) => a.ended?.type === 'dismissed');
    if (!isAllowed && (isUsedUp || isDismissed)) return null;
    const wait = isAllowed ? 0 : (this.rule?.waitMinutes ?? 0);
    return current.ended.submittedAt + wait * 60_000;
  }

  /** Whether the code of an ended attempt signs in for another one. */
  get mayReturn(): boolean {
    const { endDate } = this.times;
    const from = this.retakeFrom;
    return from !== null && this.isQuizOpen && (endDate === null || from < endDate);
  }

  /** Exactly one of the ended attempts that stand counts, by the rule. */
  settle(): void {
    const ended = this.attempts.filter((a) => a.ended && !a.isSetAside);
    if (this.attempts.some((a) => !a.ended)) return;
    const worth = (a: AttemptModel) =>
      (a.ended?.type === 'dismissed' ? 0 : 1) + a.score / (a.paper.length + 1);
    const best = Math.max(...ended.map(worth));
    const counts = this.rule?.counts ?? 'last';
    const chosen = {
      ...{ first: ended[0], last: ended.at(-1) },
      best: ended.find((a) => worth(a) === best),
    }[counts];
    for (const a of ended) a.replaced = a === chosen ? null : 'retake';
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

  /** Whether a latest start, which does not concern an attempt that goes on, has passed. */
  get isTooLate(): boolean {
    return this.own.startBy !== undefined && this.now >= this.own.startBy;
  }

  /** Whether the person may begin: after the end, too, where the attempt was reinstated in spite of it. */
  get mayBegin(): boolean {
    const { endDate } = this.times;
    const before = this.attempts.at(-1);
    const isAgain = before?.replaced === 'reinstate';
    const isInSpite = isAgain && endDate !== null && before.replacedAt >= endDate;
    const mayStart = this.isQuizOpen && (isAgain || !this.isTooLate);
    return mayStart || (this.quiz.isActive && isInSpite);
  }

  /** Why the person has to wait for the others or has come too late; a reinstated attempt does not wait. */
  get notTogether(): 'NOT_STARTED_YET' | 'TOO_LATE' | null {
    if (this.together === null || this.attempts.at(-1)?.replaced === 'reinstate') return null;
    if (this.startedAt === null) return 'NOT_STARTED_YET';
    const isLate = this.now >= this.startedAt + this.together;
    return isLate && this.attempts.length === 0 ? 'TOO_LATE' : null;
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
      this.settle();
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
