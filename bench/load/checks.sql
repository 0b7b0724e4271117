-- Whether rows loaded without checks are as valid as the server's: adds every foreign key again, which
-- checks all rows, and recomputes the scores.
do $$
declare
  key record;
begin
  for key in
    select conrelid::regclass as child, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace
  loop
    execute format('alter table %s drop constraint %I, add constraint %I %s',
      key.child, key.name, key.name, key.definition);
  end loop;
  if exists (
    select from participants p
    join paper_questions q on q.participant_id = p.id
    join question_versions v on v.question_id = q.question_id and v.version = q.question_version
    join answers a on a.participant_id = p.id and a.question_id = q.question_id
    where p.score is not null
    group by p.id
    having count(*) filter (where a.option_id = v.correct_option_id) <> p.score
  ) then
    raise exception 'some loaded scores are wrong';
  end if;
end $$;
