import { expect } from 'vitest';
import { type AttemptModel, GRACE } from './model.ts';
import type { Play } from './play.ts';

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::bigint`;
/** By question, with the selected option as its text. */
const answersIn = (table: string, more = '') => `
  (select coalesce(json_object_agg(a.question_id, json_build_object('revision', a.revision,
      'flag', a.is_flagged, 'option',
      coalesce(v.option_texts[array_position(v.option_ids, a.option_id)], '')${more})), '{}')
    from ${table} a join paper_questions q using (participant_id, question_id)
    join question_versions v on v.question_id = q.question_id and v.version = q.question_version
    where a.participant_id = p.id)`;

/** Everything stored about the attempts of a person at a quiz, named as in the model. */
const STORED = `
select json_build_object('id', p.id, 'attempt', p.attempt,
  'startedAt', ${ms('p.started_at')}, 'deadlineAt', ${ms('p.deadline_at')},
  'closeAt', ${ms('p.close_at')}, 'status', p.status, 'submissionType', p.submission_type,
  'submittedAt', ${ms('p.submitted_at')}, 'score', p.score, 'totalMarks', p.total_marks,
  'replaced', p.replaced_how,
  'violations', json_build_array(p.counted_violations, p.violation_calls, p.fullscreen_exits),
  'handUp', p.help_at is not null,
  'paused', json_build_array(p.paused_ms, p.breaks_left, p.break_ms_left),
  'feedback', (select f.emoji from feedback f where f.participant_id = p.id),
  'ends', (select count(*) from participant_events e
    where e.participant_id = p.id and e.kind = 'ended'),
  'extensions', (select count(*) from audit_entries e
    where e.subject_id = p.id and e.action = 'participant.extended'),
  'answers', ${answersIn('answers', `, 'savedAt', ${ms('a.saved_at')}`)},
  'late', ${answersIn('late_answers')}) as stored
from participants p where p.invitation_id = $1 order by p.attempt`;

/** The database matches the model, for every attempt of the sequence. */
export async function holds(play: Play): Promise<void> {
  const { rows } = await play.stage.app.pool.query({
    name: 'attempts-of-a-sequence',
    text: STORED,
    values: [play.scene.invitationId],
  });
  expect(rows.map(({ stored }) => stored)).toEqual(play.attempts.map(expectedRow));
}

function expectedRow(attempt: AttemptModel) {
  const { ended } = attempt;
  return {
    id: attempt.id,
    attempt: attempt.number,
    // Only an audited extension moves either of them (I2).
    startedAt: attempt.startedAt,
    deadlineAt: attempt.deadlineAt,
    closeAt: attempt.closeAt,
    extensions: attempt.extensions,
    // One end, one score, and nothing after it (I3, I4, I11, I12).
    status: !ended ? 'in_progress' : ended.type === 'dismissed' ? 'dismissed' : 'completed',
    ends: ended ? 1 : 0,
    submissionType: ended?.type ?? null,
    submittedAt: ended?.submittedAt ?? null,
    score: ended ? attempt.score : null,
    totalMarks: attempt.paper.length,
    replaced: attempt.replaced,
    feedback: attempt.feedback,
    handUp: !ended && attempt.handUp,
    paused: [attempt.pausedMs, attempt.breaks.left, attempt.breaks.ms],
    // Only what the policy counts, and nothing twice (I14).
    violations: [attempt.counted, attempt.calls, attempt.exits.length],
    answers: Object.fromEntries(attempt.answers),
    late: Object.fromEntries(attempt.late),
  };
}

/** At the end of a sequence everything has ended, and the endpoints agree with the rows (I12, I24). */
export async function endHolds(play: Play): Promise<void> {
  for (const attempt of play.attempts) {
    const params = { id: attempt.id };
    const { ended } = attempt;
    if (!ended) throw new Error('a sequence ends with its attempts');
    const { spent } = attempt;
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
