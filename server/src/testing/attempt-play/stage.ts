import { SESSION_LIMITS } from '@invigil/core/domain/limits';
import { newId } from '../../db/new-id.ts';
import { insertAdmin } from '../../features/admins/queries.ts';
import { insertSession } from '../../features/auth/session-queries.ts';
import { findMessage } from '../../features/outbox/queries.ts';
import { openMessage } from '../../features/outbox/read-message.ts';
import { noteAlive } from '../../jobs/liveness-queries.ts';
import { hashSessionToken, newSessionToken } from '../../security/tokens.ts';
import type { TestApp } from '../test-app.ts';

/** Longer than a story between two looks at an administrator's session, shorter than it may idle. */
const ADMIN_SESSION_MS = SESSION_LIMITS.adminIdleMs / 2;

export interface Question {
  id: string;
  question: string;
  options: string[];
  correctAnswer: string;
}

/** A quiz of a story and the one person invited to it. */
export interface Scene {
  quizId: string;
  questions: Question[];
  invitationId: string;
  email: string;
  code: string;
}

/**
 * What the stories of an attempt share: an app, a category, an administrator, a stranger. Each story
 * gets a quiz of its own; hashing a password for each would cost more than the story.
 */
export class Stage {
  readonly app: TestApp;
  readonly #adminId: string;
  readonly #categoryId: string;
  #adminSession = { cookie: '', until: 0 };
  #scenes = 0;
  #stranger: Scene | undefined;
  #strangerSession = { cookie: '', until: 0 };

  private constructor(app: TestApp, adminId: string, categoryId: string) {
    this.app = app;
    this.#adminId = adminId;
    this.#categoryId = categoryId;
  }

  static async set(app: TestApp): Promise<Stage> {
    const id = newId();
    const createdAt = app.clock.now();
    await insertAdmin(app.context.db, {
      id,
      email: 'admin@example.org',
      passwordHash: 'nobody signs in with it',
      createdAt,
      lastSignInAt: null,
    });
    const stage = new Stage(app, id, newId());
    await app.pool.query('insert into categories (id, name, created_at) values ($1, $2, $3)', [
      stage.#categoryId,
      'Category',
      createdAt,
    ]);
    stage.#stranger = await stage.scene([['a', 'b']], 'stranger@example.org');
    return stage;
  }

  get now(): number {
    return this.app.clock.now().getTime();
  }

  /** The settings of every quiz here, before anybody edits it. */
  get settings() {
    return { title: 'T', categoryId: this.#categoryId, duration: 2, totalQuestions: 5 };
  }

  async scene(
    optionSets: readonly string[][],
    email = `candidate-${this.#scenes}@example.org`,
  ): Promise<Scene> {
    this.#scenes += 1;
    await noteAlive(this.app.context.db, this.app.clock.now());
    const as = await this.admin();
    const quiz = await this.#must('createQuiz', { as, body: this.settings });
    const params = { id: quiz.id };
    const questions = optionSets.map((options, i) => ({
      type: 'multiple_choice',
      question: `Question ${i}`,
      options,
      correctAnswer: options[i % options.length],
    }));
    const made = await this.#must('importQuestions', { as, params, body: { questions } });
    const { invitations } = await this.#must('inviteToQuiz', {
      as,
      params,
      body: { emails: [email] },
    });
    const invitationId: string = invitations[0].id;
    const code = await this.newestCode(invitationId);
    return { quizId: quiz.id, questions: made.questions, invitationId, email, code };
  }

  /** The code of the message that waits last, as the mail job reads it. */
  async newestCode(invitationId: string): Promise<string> {
    const { rows } = await this.app.pool.query<{ id: string }>(
      `select id from outbox where invitation_id = $1 and sealed_code is not null
       order by id desc limit 1`,
      [invitationId],
    );
    const row = await findMessage(this.app.context.db, rows[0]?.id ?? '');
    const message = row && (await openMessage(this.app.context, row));
    const code = message?.text.match(/One-time password: (\S+)/)?.[1];
    if (code === undefined) throw new Error('an invitation has no code');
    return code;
  }

  /** An administrator's cookie that is good now. */
  async admin(): Promise<string> {
    if (this.#adminSession.until <= this.now) {
      this.#adminSession = await this.#session({ adminId: this.#adminId });
    }
    return this.#adminSession.cookie;
  }

  /** The cookie of somebody with another attempt. */
  async stranger(): Promise<string> {
    if (this.#strangerSession.until <= this.now) {
      const invitationId = this.#stranger?.invitationId ?? '';
      this.#strangerSession = await this.#session({ invitationId });
    }
    return this.#strangerSession.cookie;
  }

  async #session(owner: { adminId: string } | { invitationId: string }) {
    const cookie = newSessionToken();
    const now = this.app.clock.now();
    const tokenHash = hashSessionToken(this.app.context.keys.sessions, cookie);
    const expiresAt = new Date(now.getTime() + SESSION_LIMITS.adminTotalMs);
    await insertSession(this.app.context.db, { id: newId(), tokenHash, owner, now, expiresAt });
    return { cookie, until: now.getTime() + ADMIN_SESSION_MS };
  }

  async #must(...call: Parameters<TestApp['call']>) {
    const reply = await this.app.call(...call);
    if (reply.status >= 300) throw new Error(`${call[0]} answered ${reply.text}`);
    return reply.body;
  }
}
