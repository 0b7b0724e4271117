-- One durable save of one answer by a client that is one candidate: the row and the conflict clause
-- of the answer path, without its gate, without its foreign key, one statement per save.
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
