import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import fc from 'fast-check';
import { newId } from '../../server/src/db/new-id.ts';
import { insertAdmin } from '../../server/src/db/queries/admins.ts';
import { recordAlive } from '../../server/src/db/queries/liveness.ts';
import { findMessage } from '../../server/src/db/queries/outbox.ts';
import { insertSession } from '../../server/src/db/queries/session-changes.ts';
import { openMessage } from '../../server/src/features/invitations/outbox.ts';
import { newAdmin } from '../../server/src/features/sign-in/check-password.ts';
import { hashSessionToken, newSessionToken } from '../../server/src/security/secrets/tokens.ts';
import { adminOwner } from '../../server/src/sessions/session-reader.ts';
import type { TestApp } from '../app.ts';
import { codeIn, type MadeQuiz, type Must, makeQuizBy } from '../made-quiz.ts';
import { optionSets } from './steps.ts';

/** Longer than a sequence between two uses of an administrator's session, shorter than its idle limit. */
const ADMIN_SESSION_MS = SESSION_LIMITS.adminIdleMs / 2;

/** Longer than all the sequences together. */
const LONG_MS = 1_000 * 365 * 86_400_000;

export type Question = MadeQuiz['questions'][number];

interface Quiz extends MadeQuiz {
  /** People who are invited and have not played yet. */
  waiting: { id: string; email: string }[];
  invitedAt: number;
}

/** The start of a sequence: a quiz and a person invited to it. */
export interface Scene {
  quizId: string;
  questions: Question[];
  invitationId: string;
  email: string;
  code: string;
}

/** People who are invited together. */
const AT_ONCE = 10;

/** A code is valid for 30 days; a sequence takes hours. */
const INVITATION_MS = 25 * 86_400_000;

/**
 * The parts that all sequences share: an app, an administrator, a stranger, and unedited quizzes. Creating
 * them again would cost more than most sequences.
 */
export class Stage {
  readonly app: TestApp;
  readonly #adminId: string;
  readonly #categoryId: string;
  #adminSession = { cookie: '', until: 0 };
  readonly #quizzes = new Map<number, Quiz>();
  #people = 0;
  /** The cookie of a candidate of another assessment. */
  stranger = '';

  private constructor(app: TestApp, adminId: string, categoryId: string) {
    this.app = app;
    this.#adminId = adminId;
    this.#categoryId = categoryId;
  }

  static async set(app: TestApp): Promise<Stage> {
    const createdAt = app.clock.now();
    const admin = newAdmin(app.context.keys, {
      email: 'admin@example.org',
      passwordHash: 'no one signs in with it',
      now: createdAt,
    });
    await insertAdmin(app.context.db, admin);
    const stage = new Stage(app, admin.id, newId());
    await app.pool.query('insert into categories (id, name, created_at) values ($1, $2, $3)', [
      stage.#categoryId,
      'Category',
      createdAt,
    ]);
    const { invitationId } = await stage.scene(0);
    stage.stranger = await stage.#session({ invitationId });
    return stage;
  }

  get now(): number {
    return this.app.clock.now().getTime();
  }

  /** The settings of every quiz here before an edit. */
  get settings() {
    return { title: 'T', categoryId: this.#categoryId, duration: 2, totalQuestions: 5 };
  }

  /** A quiz and a person for one sequence. The number determines the quiz's questions. */
  async scene(number: number): Promise<Scene> {
    await recordAlive(this.app.context.db, this.app.clock.now());
    let quiz = this.#quizzes.get(number);
    if (!quiz) {
      quiz = await this.#makeQuiz(number);
      this.#quizzes.set(number, quiz);
    }
    if (quiz.waiting.length === 0 || this.now > quiz.invitedAt + INVITATION_MS) {
      quiz.waiting = await this.#invite(quiz.id);
      quiz.invitedAt = this.now;
    }
    const invitation = quiz.waiting.shift();
    if (!invitation) throw new Error('no one was invited');
    return {
      quizId: quiz.id,
      questions: quiz.questions,
      invitationId: invitation.id,
      email: invitation.email,
      code: await this.newestCode(invitation.id),
    };
  }

  /** An edited quiz is used in no further sequence. */
  retire(quizId: string): void {
    for (const [number, quiz] of this.#quizzes)
      if (quiz.id === quizId) this.#quizzes.delete(number);
  }

  async #makeQuiz(number: number): Promise<Quiz> {
    const [optionsOfAll = []] = fc.sample(optionSets, { numRuns: 1, seed: number });
    const questions = optionsOfAll.map((options, i) => ({
      question: `Question ${i}`,
      options,
      correctAnswer: options[i % options.length] ?? '',
    }));
    const made = await makeQuizBy(this.#must, { ...this.settings, questions });
    return { ...made, waiting: [], invitedAt: 0 };
  }

  async #invite(quizId: string): Promise<{ id: string; email: string }[]> {
    const emails = Array.from({ length: AT_ONCE }, () => {
      this.#people += 1;
      return `candidate-${this.#people}@example.org`;
    });
    const input = { params: { id: quizId }, body: { emails } };
    return (await this.#must('inviteToQuiz', input)).invitations;
  }

  /** The code of the latest waiting message, as the mail job reads it. */
  async newestCode(invitationId: string): Promise<string> {
    const { rows } = await this.app.pool.query<{ id: string }>(
      `select id from outbox where invitation_id = $1 and sealed_code is not null
       order by id desc limit 1`,
      [invitationId],
    );
    const row = await findMessage(this.app.context.db, rows[0]?.id ?? '');
    const message = row && (await openMessage(this.app.context, row));
    return codeIn(message?.text);
  }

  /** A valid administrator's cookie. */
  async admin(): Promise<string> {
    if (this.#adminSession.until <= this.now) {
      const cookie = await this.#session({ adminId: this.#adminId });
      this.#adminSession = { cookie, until: this.now + ADMIN_SESSION_MS };
    }
    return this.#adminSession.cookie;
  }

  async #session(owner: { adminId: string } | { invitationId: string }): Promise<string> {
    const token = newSessionToken();
    const now = this.app.clock.now();
    const tokenHash = hashSessionToken(this.app.context.keys.sessions, token);
    const expiresAt = new Date(now.getTime() + LONG_MS);
    const { keys, db } = this.app.context;
    const id = newId();
    const sealed =
      'adminId' in owner
        ? adminOwner(keys, { ...owner, id, tokenHash, createdAt: now, expiresAt })
        : owner;
    await insertSession(db, { id, tokenHash, owner: sealed, now, expiresAt });
    return token;
  }

  readonly #must: Must = async (name, input) => {
    const reply = await this.app.call(name, { as: await this.admin(), ...input });
    if (reply.status >= 300) throw new Error(`${name} answered ${reply.text}`);
    return reply.body;
  };
}
