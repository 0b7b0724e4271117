-- Rows that do not grow with the attempts: 5 categories, 200 assessments of 40 questions each. Foreign
-- keys are not checked row by row while loading (checks.sql checks them all afterwards).
set session_replication_role = replica;

insert into categories (id, name, created_at)
select uuidv7(), 'Category ' || n, now() - interval '400 days' from generate_series(1, 5) n;

insert into quizzes (id, title, description, category_id, duration, total_questions, end_date,
  finish_after_end, is_active, policy_version, version, created_at, updated_at)
select uuidv7(interval '-400 days' + n * interval '1 hour'), 'Assessment ' || lpad(n::text, 3, '0'),
  'For the benchmark', (select id from categories order by id offset n % 5 limit 1), 180, 40, null,
  false, n % 10 <> 0, 1, 1, now() - interval '400 days' + n * interval '1 hour', now()
from generate_series(0, 199) n;

insert into quiz_policies (quiz_id, version, settings, created_at)
select id, 1, '{"preset":"strict","camera":true,"microphone":true,"fullscreen":true,
  "limits":{"combined":3,"face":3,"voice":5,"fullscreen":5},
  "combinedTypes":["face_not_detected","voice_detected"],"tabHidden":"dismiss","tabHiddenMs":2000,
  "face":{"everyMs":1000,"misses":2},"sound":{"everyMs":300,"everyMsIos":500,"level":120,"samples":2,
  "speechShare":0.6,"speechWindowMs":2000,"redAbove":40},"cooldownMs":10000,"dismissDelayMs":1000}',
  created_at
from quizzes;

insert into questions (id, quiz_id, order_number, current_version, next_option_id, created_at)
select uuidv7(), z.id, n, 1, 5, z.created_at from quizzes z, generate_series(1, 40) n;

insert into question_versions (question_id, version, question, option_ids, option_texts,
  correct_option_id, created_at)
select q.id, 1, 'Question ' || q.order_number || ': which of these options is correct?',
  '{1,2,3,4}',
  array['Option A, which has a usual length', 'Option B, which has a usual length',
        'Option C, which has a usual length', 'Option D, which has a usual length'],
  1 + q.order_number % 4, q.created_at
from questions q;

analyze;
