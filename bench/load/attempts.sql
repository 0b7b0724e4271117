-- Attempts $from up to, not including, $to of $all, each with 40 paper rows and answers. Start times:
-- nine tenths in the year before the last week, one tenth in the last week, the last 300 in progress.
-- One in 33 replaced an earlier attempt, which is added.
set session_replication_role = replica;

create temp table wave as
select n, n % $people as person, (n / $people * 67 + n::bigint * 37) % 200 as quiz,
  now() - case
    when n >= $all - 300 then (($all - n) * interval '4 seconds')
    when n >= $all * 0.9 then interval '30 minutes' + interval '7 days' * (($all - n) / ($all * 0.1))
    else interval '7 days' + interval '358 days' * (($all * 0.9 - n) / ($all * 0.9))
  end as started_at,
  n >= $all - 300 as running,
  n % 20 = 7 as dismissed,
  (n::bigint * 7919 % 41)::int as score
from generate_series($from, $to - 1) n;
alter table wave add id uuid, add invitation uuid;
update wave set id = uuidv7(started_at - now()), invitation = uuidv7(started_at - now() - interval '2 days');

insert into users (id, email, created_at)
select uuidv7(min(started_at) - now() - interval '2 days'),
  'candidate-' || lpad(person::text, 5, '0') || '@example.org', min(started_at) - interval '2 days'
from wave group by person
on conflict do nothing;

create temp table cast_list as
select w.*, u.id as user_id, z.id as quiz_id from wave w
join users u on lower(u.email) = 'candidate-' || lpad(person::text, 5, '0') || '@example.org'
join (select id, row_number() over (order by created_at) - 1 as quiz from quizzes) z using (quiz);
create index on cast_list (id);
analyze cast_list;

insert into invitations (id, user_id, quiz_id, extra_time_factor, camera_enabled, microphone_enabled,
  created_at, last_invited_at, first_sign_in_at)
select invitation, user_id, quiz_id, 1, true, true, started_at - interval '2 days',
  started_at - interval '2 days', started_at - interval '5 minutes'
from cast_list order by n;

insert into outbox (id, kind, invitation_id, recipient, subject, variables, message_id, state, attempts,
  created_at, sent_at)
select uuidv7(c.started_at - now() - interval '2 days'), 'invitation', c.invitation, u.email,
  'Your assessment', '{}', '<' || c.invitation || '@example.org>', 'sent', 1,
  c.started_at - interval '2 days', c.started_at - interval '2 days' + interval '3 seconds'
from cast_list c join users u on u.id = c.user_id order by n;

insert into participants (id, invitation_id, user_id, quiz_id, attempt, replaced_at, replaced_how,
  status, policy_version, total_marks, started_at, deadline_at, close_at, close_reason, submitted_at,
  submission_type, score, answered_count, receipt_id, last_seen_at, counted_violations,
  violation_calls, fullscreen_exits, tab_switches, consent_text_version, consent_at, consent_address,
  device_check, camera_enabled, microphone_enabled, face_covered)
select id, invitation, user_id, quiz_id, case n % 33 when 5 then 2 else 1 end, null, null,
  case when running then 'in_progress' when dismissed then 'dismissed' else 'completed' end, 1, 40,
  started_at, started_at + interval '180 minutes', started_at + interval '180 minutes $grace milliseconds',
  'auto', case when not running then ended_at end,
  case when running then null when dismissed then 'dismissed' when n % 500 = 1 then 'database'
    when n % 10 = 3 then 'auto' else 'manual' end,
  case when not running then score end, case when not running then 40 end,
  case when not running then 'AAAAA-BBBBB' end, case when running then now() else ended_at end,
  case when dismissed then 3 else n % 3 % 2 end, 0, n % 7 % 3, 0, '2026-1', started_at, '203.0.113.7',
  '{"mobile":false,"camera":"granted","microphone":"granted","screen":"1920x1080"}',
  true, true, false
from (select *, started_at + least(now() - started_at, (10 + n % 1500) * interval '1 second') as ended_at
  from cast_list) c
order by n;

insert into participants (id, invitation_id, user_id, quiz_id, attempt, replaced_at, replaced_how,
  status, policy_version, total_marks, started_at, deadline_at, close_at, close_reason, submitted_at,
  submission_type, score, answered_count, receipt_id, last_seen_at, counted_violations,
  violation_calls, fullscreen_exits, tab_switches, camera_enabled, microphone_enabled, face_covered)
select uuidv7(at - now()), invitation, user_id, quiz_id, 1, started_at, 'another', 'completed', 1, 40,
  at, at + interval '180 minutes', at + interval '180 minutes', 'auto', at + interval '5 minutes',
  'manual', 0, 0, 'AAAAA-BBBBB', at + interval '5 minutes', 0, 0, 0, 0, true, true, false
from (select *, started_at - interval '1 day' as at from cast_list where n % 33 = 5) c order by n;

insert into participant_events (id, participant_id, kind, at, details)
select uuidv7(at - now()), id, kind, at, details from (
  select id, 'started' as kind, started_at as at, null::jsonb as details from cast_list
  union all
  select p.id, 'ended', p.submitted_at, jsonb_build_object('submissionType', p.submission_type)
  from participants p join cast_list c using (id) where p.submitted_at is not null
) e order by at;

insert into feedback (participant_id, emoji, text, skipped, created_at)
select p.id, (array['smile', 'neutral', 'sad'])[1 + n % 3], null, false, p.submitted_at
from participants p join cast_list c using (id) where p.submitted_at is not null and n % 5 < 3;

insert into paper_questions (participant_id, position, question_id, question_version, option_order)
select c.id, 1 + (q.order_number + c.n) % 40, q.id, 1,
  case (c.n + q.order_number) % 4 when 0 then '{1,2,3,4}' when 1 then '{3,1,4,2}' when 2 then '{4,3,2,1}'
    else '{2,4,1,3}' end::smallint[]
from cast_list c join questions q using (quiz_id) order by c.n, q.id;

-- The first `score` questions are correct; running attempts have half of the answers.
insert into answers (participant_id, question_id, id, option_id, is_flagged, revision, created_at, saved_at)
select c.id, q.id, uuidv7(c.started_at - now()),
  case when q.order_number <= c.score then 1 + q.order_number % 4 else 1 + (q.order_number + 1) % 4 end,
  q.order_number % 9 = 0, 1, c.started_at + q.order_number * interval '200 milliseconds',
  c.started_at + q.order_number * interval '200 milliseconds'
from cast_list c join questions q using (quiz_id)
where not c.running or q.order_number <= 20 order by c.n, q.id;

insert into audit_entries (id, at, admin_id, action, subject_type, subject_id, details)
select uuidv7(started_at - now()), started_at, (select id from admins limit 1),
  (array['participant.extended', 'participant.noted', 'invitations.sent', 'admin.signed_in'])[1 + n % 4],
  'participant', id, '{"minutes":5}'
from cast_list where n % 2 = 0 order by n;

drop table wave, cast_list;
