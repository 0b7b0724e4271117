import { closeAtOf } from '@invigil/core/domain/attempt';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import type pg from 'pg';
import { newId } from '../db/new-id.ts';

/** A quiz of three questions with options 1 to 4, written into the tables. */
export interface StoredQuiz {
  quizId: string;
  questionIds: string[];
}

/** A person who is signed in and has not started. */
export interface StoredInvited {
  userId: string;
  invitationId: string;
  sessionId: string;
}

/** A person in an attempt that began at eight and lasts half an hour. */
export interface StoredRunning extends StoredInvited {
  participantId: string;
}

const STARTED = new Date('2026-05-14T08:00:00.000Z');
export const RUNNING_DEADLINE = new Date('2026-05-14T08:30:00.000Z');
export const RUNNING_CLOSE = closeAtOf(RUNNING_DEADLINE);

let people = 0;

/** Writes a quiz into the tables, for tests of one module without an app. */
export async function storeQuiz(pool: pg.Pool): Promise<StoredQuiz> {
  const [categoryId, quizId] = [newId(), newId()];
  const questionIds = [newId(), newId(), newId()].sort();
  await pool.query(`insert into categories (id, name, created_at) values ($1, 'C', $2)`, [
    categoryId,
    STARTED,
  ]);
  await pool.query(
    `insert into quizzes (id, title, category_id, duration, total_questions, finish_after_end,
       is_active, policy_version, version, created_at, updated_at)
     values ($1, 'Q', $2, 30, 5, false, true, 1, 1, $3, $3)`,
    [quizId, categoryId, STARTED],
  );
  await pool.query('insert into quiz_policies values ($1, 1, $2, $3)', [
    quizId,
    STRICT_POLICY,
    STARTED,
  ]);
  await pool.query(
    `insert into questions (id, quiz_id, order_number, current_version, next_option_id, created_at)
     select id, $2, place, 1, 5, $3 from unnest($1::uuid[]) with ordinality q (id, place)`,
    [questionIds, quizId, STARTED],
  );
  await pool.query(
    `insert into question_versions
       (question_id, version, question, option_ids, option_texts, correct_option_id, created_at)
     select id, 1, 'Q', '{1,2,3,4}', '{a,b,c,d}', 1, $2 from unnest($1::uuid[]) q (id)`,
    [questionIds, STARTED],
  );
  return { quizId, questionIds };
}

/** Writes a person, an invitation and a session into the tables. */
export async function storeInvited(pool: pg.Pool, quiz: StoredQuiz): Promise<StoredInvited> {
  people += 1;
  const [userId, invitationId, sessionId] = [newId(), newId(), newId()];
  await pool.query('insert into users (id, email, created_at) values ($1, $2, $3)', [
    userId,
    `running${people}@example.org`,
    STARTED,
  ]);
  await pool.query(
    `insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
       microphone_enabled, created_at, last_invited_at)
     values ($1, $2, $3, 1, true, true, $4, $4)`,
    [invitationId, userId, quiz.quizId, STARTED],
  );
  await pool.query(
    `insert into sessions (id, token_hash, invitation_id, created_at, last_seen_at, expires_at)
     values ($1, $2, $3, $4, $4, $5)`,
    [sessionId, Buffer.from(sessionId), invitationId, STARTED, RUNNING_CLOSE],
  );
  return { userId, invitationId, sessionId };
}

/** The same, and an attempt with its paper. */
export async function storeRunning(pool: pg.Pool, quiz: StoredQuiz): Promise<StoredRunning> {
  const invited = await storeInvited(pool, quiz);
  const { userId, invitationId, sessionId } = invited;
  const participantId = newId();
  await pool.query(
    `insert into participants (id, invitation_id, user_id, quiz_id, attempt, status,
       policy_version, total_marks, started_at, deadline_at, close_at, close_reason, session_id,
       last_seen_at, counted_violations, violation_calls, fullscreen_exits, tab_switches,
       camera_enabled, microphone_enabled, face_covered, device)
     values ($1, $2, $3, $4, 1, 'in_progress', 1, 3, $5, $6, $7, 'auto', $8, $5, 2, 1, 0, 0, true,
       true, false, '{"kind": "computer"}')`,
    [
      participantId,
      invitationId,
      userId,
      quiz.quizId,
      STARTED,
      RUNNING_DEADLINE,
      RUNNING_CLOSE,
      sessionId,
    ],
  );
  await pool.query(
    `insert into paper_questions
     select $1, place, id, 1, '{1,2,3,4}' from unnest($2::uuid[]) with ordinality q (id, place)`,
    [participantId, quiz.questionIds],
  );
  return { ...invited, participantId };
}
