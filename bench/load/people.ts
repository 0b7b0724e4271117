import { randomUUID } from 'node:crypto';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { newId } from '../../server/src/db/new-id.ts';
import { hashOneTimeCode, newOneTimeCode } from '../../server/src/security/secrets/codes.ts';
import { hashSessionToken, newSessionToken } from '../../server/src/security/secrets/tokens.ts';
import type { Invited, TestSession } from './candidate.ts';
import { type LoadQuestion, OPTION_LETTERS } from './requests.ts';
import type { LoadSystem } from './system.ts';

/** The assessment that candidates take. */
export interface LoadQuiz {
  quizId: string;
  questions: LoadQuestion[];
}

const AT_A_TIME = 5_000;
const DURATION_MINUTES = 180;

/** Creates an assessment; by default one in which reports never end an attempt. */
export async function makeQuiz(
  system: LoadSystem,
  questions: number,
  policy: Record<string, unknown> = { preset: 'review' },
): Promise<LoadQuiz> {
  const admin = await system.signIn();
  const category = await admin.must('createCategory', { body: { name: `Load ${randomUUID()}` } });
  const quiz = await admin.must('createQuiz', {
    body: {
      title: 'Under load',
      categoryId: category.id,
      duration: DURATION_MINUTES,
      totalQuestions: questions,
      policy,
    },
  });
  const quizId: string = quiz.id;
  const after = (number: number) => ` of question ${number}, which has a usual length`;
  const stored: { questions: { id: string }[] } = await admin.must('importQuestions', {
    params: { id: quizId },
    body: {
      questions: Array.from({ length: questions }, (_, i) => {
        const options = [...OPTION_LETTERS].map((letter) => `Option ${letter}${after(i + 1)}`);
        return {
          type: 'multiple_choice',
          question: `Question ${i + 1}: which of these options is correct?`,
          options,
          correctAnswer: options[0],
        };
      }),
    },
  });
  return {
    quizId,
    questions: stored.questions.map(({ id }, i) => ({
      id,
      textBefore: 'Option ',
      textAfter: after(i + 1),
    })),
  };
}

/** Invites thousands of people directly in the database, with known codes. */
export async function invite(
  { postgres: { pool }, keys }: LoadSystem,
  quizId: string,
  many: number,
): Promise<Invited[]> {
  const group = randomUUID().slice(0, 8);
  const people = Array.from({ length: many }, (_, i) => ({
    email: `candidate-${group}-${i}@example.org`,
    code: newOneTimeCode(),
  }));
  for (let from = 0; from < many; from += AT_A_TIME) {
    const some = people.slice(from, from + AT_A_TIME);
    await pool.query(INVITE_SQL, [
      quizId,
      some.map(({ email }) => email),
      some.map(({ code }) => hashOneTimeCode(keys.codes, code)),
    ]);
  }
  await pool.query('analyze users, invitations, invitation_codes');
  return people;
}

const INVITE_SQL = `
with person as (
  select email, hash, gen_random_uuid() as user_id, gen_random_uuid() as invitation_id
  from unnest($2::text[], $3::bytea[]) as p(email, hash)
), made_user as (
  insert into users (id, email, created_at) select user_id, email, now() from person
), made_invitation as (
  insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
    microphone_enabled, created_at, last_invited_at)
  select invitation_id, user_id, $1, 1, true, true, now(), now() from person
)
insert into invitation_codes (id, invitation_id, code_hash, created_at)
select gen_random_uuid(), invitation_id, hash, now() from person`;

/** Creates candidates in progress directly in the database, as sign-in and start would. */
export async function createSessions(
  { postgres: { pool }, keys }: LoadSystem,
  quizId: string,
  many: number,
): Promise<TestSession[]> {
  const group = randomUUID().slice(0, 8);
  const people = Array.from({ length: many }, (_, i) => ({
    email: `started-${group}-${i}@example.org`,
    token: newSessionToken(),
    participantId: newId(),
  }));
  for (let from = 0; from < many; from += AT_A_TIME) {
    const some = people.slice(from, from + AT_A_TIME);
    await pool.query(START_SQL, [
      quizId,
      some.map(({ email }) => email),
      some.map(({ token }) => hashSessionToken(keys.sessions, token)),
      some.map(({ participantId }) => participantId),
    ]);
  }
  await pool.query('analyze users, invitations, sessions, participants, paper_questions');
  return people.map(({ token, participantId }) => ({
    cookie: `invigil_session=${token}`,
    participantId,
  }));
}

/** The device of the load generator's requests. */
const DEVICE = JSON.stringify({ kind: 'computer', browser: 'Chrome', ipv4: '127.0.0.0/16' });

const START_SQL = `
with person as materialized (
  select email, hash, participant_id, gen_random_uuid() as user_id,
    gen_random_uuid() as invitation_id, gen_random_uuid() as session_id
  from unnest($2::text[], $3::bytea[], $4::uuid[]) as p(email, hash, participant_id)
), made_user as (
  insert into users (id, email, created_at) select user_id, email, now() from person
), made_invitation as (
  insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled,
    microphone_enabled, created_at, last_invited_at, first_sign_in_at)
  select invitation_id, user_id, $1, 1, true, true, now(), now(), now() from person
), made_session as (
  insert into sessions (id, token_hash, invitation_id, created_at, last_seen_at, expires_at)
  select session_id, hash, invitation_id, now(), now(), now() + interval '4 hours' from person
), made_participant as (
  insert into participants (id, invitation_id, user_id, quiz_id, attempt, status, policy_version,
    total_marks, started_at, deadline_at, close_at, close_reason, session_id, last_seen_at,
    monitor_at, device, counted_violations, violation_calls, fullscreen_exits, tab_switches,
    camera_enabled, microphone_enabled, face_covered)
  select participant_id, invitation_id, user_id, $1, 1, 'in_progress', 1,
    (select count(*) from questions where quiz_id = $1), now(), now() + interval '180 minutes',
    now() + interval '180 minutes ${ATTEMPT_LIMITS.graceMs} milliseconds', 'auto', session_id, now(), now(), '${DEVICE}', 0, 0, 0, 0, true, true, false
  from person
), made_event as (
  insert into participant_events (id, participant_id, kind, at)
  select gen_random_uuid(), participant_id, 'started', now() from person
)
insert into paper_questions (participant_id, position, question_id, question_version, option_order)
select participant_id, row_number() over (partition by participant_id order by q.order_number),
  q.id, 1, '{1,2,3,4}'
from person, questions q where q.quiz_id = $1`;
