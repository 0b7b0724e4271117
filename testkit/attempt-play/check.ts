import { expect } from 'vitest';
import { type AttemptModel, GRACE } from './model.ts';
import type { Play } from './play.ts';

/** Everything stored about the attempts of a person at a quiz, options as their texts. */
const STORED = `
select p.id, p.attempt, p.status, p.counted_violations, p.violation_calls, p.fullscreen_exits, p.submission_type, p.score, p.total_marks, p.replaced_how,
  p.started_at, p.deadline_at, p.close_at, p.submitted_at,
  (select f.emoji from feedback f where f.participant_id = p.id) as feedback,
  (select count(*)::int from participant_events e
    where e.participant_id = p.id and e.kind = 'ended') as ends,
  (select count(*)::int from audit_entries e
    where e.subject_id = p.id and e.action = 'participant.extended') as extensions,
  (select coalesce(json_agg(json_build_array(a.question_id, a.revision, a.is_flagged,
      coalesce(v.option_texts[array_position(v.option_ids, a.option_id)], ''),
      (extract(epoch from a.saved_at) * 1000)::bigint)), '[]')
    from answers a join paper_questions q using (participant_id, question_id)
    join question_versions v on v.question_id = q.question_id and v.version = q.question_version
    where a.participant_id = p.id) as answers,
  (select coalesce(json_agg(json_build_array(a.question_id, a.revision, a.is_flagged,
      coalesce(v.option_texts[array_position(v.option_ids, a.option_id)], ''))), '[]')
    from late_answers a join paper_questions q using (participant_id, question_id)
    join question_versions v on v.question_id = q.question_id and v.version = q.question_version
    where a.participant_id = p.id) as late
from participants p where p.invitation_id = $1 order by p.attempt`;

type StoredAnswer = [question: string, revision: number, flag: boolean, option: string, at: number];
type LateAnswer = [question: string, revision: number | null, flag: boolean, option: string];

interface StoredAttempt {
  id: string;
  attempt: number;
  status: string;
  counted_violations: number;
  violation_calls: number;
  fullscreen_exits: number;
  submission_type: string | null;
  score: number | null;
  total_marks: number;
  replaced_how: string | null;
  started_at: Date;
  deadline_at: Date;
  close_at: Date;
  submitted_at: Date | null;
  feedback: string | null;
  ends: number;
  extensions: number;
  answers: StoredAnswer[];
  late: LateAnswer[];
}

/** The database matches the model, for every attempt of the sequence. */
export async function holds(play: Play): Promise<void> {
  const { rows } = await play.stage.app.pool.query<StoredAttempt>({
    name: 'attempts-of-a-sequence',
    text: STORED,
    values: [play.scene.invitationId],
  });
  expect(rows.map((row) => row.id)).toEqual(play.attempts.map((a) => a.id));
  for (const [i, attempt] of play.attempts.entries()) {
    const row = rows[i];
    if (row) expectStored(row, attempt);
  }
}

function expectStored(row: StoredAttempt, attempt: AttemptModel): void {
  const { ended } = attempt;
  expect({
    attempt: row.attempt,
    // Only an audited extension moves either of them (I2).
    startedAt: row.started_at.getTime(),
    deadlineAt: row.deadline_at.getTime(),
    closeAt: row.close_at.getTime(),
    extensions: row.extensions,
    // One end, one score, and nothing after it (I3, I4, I11, I12).
    status: row.status,
    ends: row.ends,
    submissionType: row.submission_type,
    submittedAt: row.submitted_at?.getTime() ?? null,
    score: row.score,
    totalMarks: row.total_marks,
    replaced: row.replaced_how,
    feedback: row.feedback,
    // Only what the policy counts, and nothing twice (I14).
    violations: [row.counted_violations, row.violation_calls, row.fullscreen_exits],
  }).toEqual({
    attempt: attempt.number,
    startedAt: attempt.startedAt,
    deadlineAt: attempt.deadlineAt,
    closeAt: attempt.closeAt,
    extensions: attempt.extensions,
    status: !ended ? 'in_progress' : ended.type === 'dismissed' ? 'dismissed' : 'completed',
    ends: ended ? 1 : 0,
    submissionType: ended?.type ?? null,
    submittedAt: ended?.submittedAt ?? null,
    score: ended ? attempt.score : null,
    totalMarks: attempt.paper.length,
    replaced: attempt.replaced,
    feedback: attempt.feedback,
    violations: [attempt.counted, attempt.calls, attempt.exits.length],
  });
  const answers = row.answers.map(
    ([q, revision, flag, option, savedAt]) => [q, { option, flag, revision, savedAt }] as const,
  );
  expect(new Map(answers)).toEqual(attempt.answers);
  const late = row.late.map(
    ([q, revision, flag, option]) => [q, { option, flag, revision }] as const,
  );
  expect(new Map(late)).toEqual(attempt.late);
}

/** At the end of a sequence everything has ended, and the endpoints agree with the rows (I12, I24). */
export async function endHolds(play: Play): Promise<void> {
  for (const attempt of play.attempts) {
    const params = { id: attempt.id };
    const { ended } = attempt;
    if (!ended) throw new Error('a sequence ends with its attempts');
    const spent = ended.submittedAt - attempt.startedAt;
    expect(spent).toBeGreaterThanOrEqual(0);
    expect(spent).toBeLessThanOrEqual(attempt.deadlineAt + GRACE - attempt.startedAt);
    const row = await play.administrate('getParticipant', { params });
    expect(row.body).toMatchObject({
      score: attempt.score,
      timeSpent: Math.floor(spent / 1_000),
      answeredCount: [...attempt.answers.values()].filter((a) => a.option !== '').length,
    });
    if (attempt.late.size === 0) continue;
    const late = await play.administrate('listLateAnswers', { params });
    expect(late.body).toHaveLength(attempt.late.size);
  }
}
