/**
 * The seconds of each question in view, for an update of `participants p`: the larger of the stored and the
 * reported number, and never more than have passed since the start.
 *
 * @param reported a column with the report as text, `{12,0,40}`; null: none
 * @param now a column with the moment of the report
 */
export const focusedSql = (reported: string, now: string): string =>
  `case when ${reported} is null then p.focused else (
    select array_agg(least(greatest(u.stored, u.reported),
      greatest(0, extract(epoch from ${now} - p.started_at)))::smallint order by u.n)
    from unnest(p.focused, ${reported}::smallint[]) with ordinality as u(stored, reported, n)
    where u.n <= p.total_marks) end`;

/** A report as `focusedSql` reads it. */
export const focusedText = (seconds: readonly number[] | undefined): string | null =>
  seconds === undefined ? null : `{${seconds.join(',')}}`;
