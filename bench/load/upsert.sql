-- One durable save of one answer; each client is one candidate. Row and conflict clause of the answer
-- path, without its gate and foreign key, one statement per save.
\set question random(1, :questions)
\set option random(1, 4)
\set revision :revision + 1
insert into bench.answers
  (participant_id, question_id, id, option_id, is_flagged, revision, created_at, saved_at)
values (
  lpad(to_hex(:client_id::int), 32, '0')::uuid, lpad(to_hex(:question::int), 32, '0')::uuid,
  '00000000000000000000000000000000', :option, false, :revision, now(), now()
)
on conflict (participant_id, question_id) do update
  set option_id = excluded.option_id, is_flagged = excluded.is_flagged,
      revision = excluded.revision, saved_at = excluded.saved_at
  where answers.revision < excluded.revision;
