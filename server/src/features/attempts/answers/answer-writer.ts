import type { AnswerState } from '@invigil/core/domain/attempt';
import type pg from 'pg';
import { Batches } from '../../../db/batches.ts';
import { isDatabaseAway, timeoutOf } from '../../../db/database-away.ts';
import { newId } from '../../../db/new-id.ts';
import type { Metrics } from '../../../metrics/metrics.ts';
import { codeOf } from '../../../runtime/app-error.ts';

/** One change, already matched against the paper. */
export interface AnswerChange extends AnswerState {
  questionId: string;
}

/** One save request: the changes of one candidate, all or nothing. */
export interface AnswerSave {
  participantId: string;
  sessionId: string;
  changes: readonly AnswerChange[];
  now: Date;
}

const REFUSED = { kind: 'refused' } as const;

/** The outcome of a save. `refused`: nothing was written; the caller finds out why. */
export type SaveOutcome =
  | typeof REFUSED
  | {
      kind: 'saved' | 'conflict';
      deadlineAt: Date;
      pausedUntil: Date | null;
      violationCount: number;
      /** Rows that were not newer than what was stored; for a conflict, the stored values. */
      unchanged: AnswerChange[];
    };

/**
 * Most saves per batch. The statement's cost is nearly all per row, so a larger batch gains little and
 * delays everyone in it.
 */
const MOST_SAVES = 200;

/** The statement's part of the 15 s within which a save is answered, whatever the database does. */
const SAVE_TIMEOUT_MS = 12_000;
/** The part for reading what is stored instead. */
const STORED_TIMEOUT_MS = 2_000;

/*
 * The whole decision about a save, in one statement and one round trip (I5, I7):
 *
 * - `gate` lets through only an attempt that is in progress, not yet due at the service clock's time, and
 *   held by the asking session. Its row lock excludes every change of these: such a change first locks
 *   the row `for update` (lockParticipant), so once it commits, the gate reads the new state (a lock that
 *   waited reads the row again) and refuses the save. Heartbeats update the row without that lock, so
 *   neither waits for the other.
 * - `clash` finds requests with a row whose revision is stored already with other content; such a request
 *   writes nothing.
 * - the insert is sorted by key, like the gate, because unsorted batches of two processes deadlock.
 *
 * The plan is made once for each connection, perhaps while the tables are empty: a lateral query that
 * locks or has an offset can only be a lookup by key for each row.
 *
 * Race: two processes saving for one candidate in the same instant do not see each other's rows in
 * `clash`. The `where` of the conflict clause is evaluated against the newest row, so a revision cannot
 * be overwritten by a lower or equal one. Where the newest row has the same revision with other content
 * it divides by zero: the statement rolls back and is run again, and then `clash` sees that row. So a 409
 * writes nothing of its request, and other saves pay nothing for the check.
 */
const SAVE_SQL = `
with input as (
  select * from unnest(
    $1::int[], $2::uuid[], $3::uuid[], $4::timestamptz[],
    $5::uuid[], $6::uuid[], $7::smallint[], $8::text[], $9::boolean[],
    $10::int[]
  ) as i(request, participant_id, session_id, now, question_id, id, option_id, response, is_flagged,
    revision)
), request as (
  select distinct participant_id, request, session_id, now from input order by participant_id
), gate as materialized (
  select r.request, p.id as participant_id, p.deadline_at, p.paused_until, p.violation_count
  from request r
  cross join lateral (
    select p.id, p.deadline_at, p.paused_until, greatest(p.counted_violations, p.violation_calls) as violation_count
    from participants p
    where p.id = r.participant_id and p.status = 'in_progress' and p.close_at >= r.now
      and p.session_id = r.session_id
    for key share of p
  ) p
), clash as (
  select distinct i.request
  from input i
  cross join lateral (
    select from answers a
    where a.participant_id = i.participant_id and a.question_id = i.question_id
      and a.revision = i.revision
      and (a.option_id is distinct from i.option_id or a.response is distinct from i.response
        or a.is_flagged <> i.is_flagged)
    offset 0
  ) a
), written as (
  insert into answers
    (participant_id, question_id, id, option_id, response, is_flagged, revision, created_at, saved_at)
  select i.participant_id, i.question_id, i.id, i.option_id, i.response, i.is_flagged, i.revision,
    i.now, i.now
  from input i
  join gate g on g.request = i.request
  where not exists (select from clash c where c.request = i.request)
  order by i.participant_id, i.question_id
  on conflict (participant_id, question_id) do update
    set option_id = excluded.option_id, response = excluded.response,
        is_flagged = excluded.is_flagged, revision = excluded.revision, saved_at = excluded.saved_at
    where case
      when answers.revision < excluded.revision then true
      when answers.revision = excluded.revision
        and (answers.option_id is distinct from excluded.option_id
          or answers.response is distinct from excluded.response
          or answers.is_flagged <> excluded.is_flagged)
      then 1 / (answers.revision - excluded.revision) = 0
      else false
    end
  returning participant_id
), counted as (
  -- Once for the batch: counting again for each request would grow with its square.
  select participant_id, count(*)::int as written from written group by participant_id
)
select g.request, g.deadline_at, g.paused_until, g.violation_count,
  c.request is not null as clashed, coalesce(w.written, 0) as written
from gate g
left join clash c on c.request = g.request
left join counted w on w.participant_id = g.participant_id`;

const STORED_SQL = `
select question_id as "questionId", option_id as "optionId", response, is_flagged as "isFlagged", revision
from answers where participant_id = $1 and question_id = any ($2::uuid[])`;

/** SQLSTATE of a division by zero. */
const DIVISION_BY_ZERO = '22012';

/** Each retry needs another process to commit the same revision in the same instant. */
const MOST_TRIES = 5;

interface GateRow {
  request: number;
  deadline_at: Date;
  paused_until: Date | null;
  violation_count: number;
  clashed: boolean;
  written: number;
}

type SaveMetrics = Pick<Metrics, 'saves' | 'saveSeconds' | 'saveBatches'>;

/**
 * The database side of the answer path: durable saves in group commits, answered only after the commit.
 */
export class AnswerWriter {
  /** Serves everything but the batches, so that a save done alone delays none of them. */
  readonly #pool: pg.Pool;
  readonly #batches: Batches<AnswerSave, GateRow | null>;
  readonly #metrics: SaveMetrics;

  constructor(pools: { pool: pg.Pool; batchPool: pg.Pool }, metrics: SaveMetrics) {
    const { pool, batchPool } = pools;
    this.#pool = pool;
    this.#metrics = metrics;
    this.#batches = new Batches<AnswerSave, GateRow | null>({
      keyOf: (save) => save.participantId,
      run: (saves) => this.#write(batchPool, saves),
      alone: async (save) => (await this.#write(pool, [save]))[0] ?? null,
      most: MOST_SAVES,
      isForAll: isDatabaseAway,
      timeout: timeoutOf(SAVE_TIMEOUT_MS, 'a save waited too long'),
      onDone(waitedMs) {
        metrics.saveBatches.observe(waitedMs.length);
        for (const ms of waitedMs) metrics.saveSeconds.observe(ms / 1_000);
      },
      onFailed() {
        metrics.saves.inc({ outcome: 'failed' });
      },
    });
  }

  /** Saves all changes or none; resolves once the outcome is on stable storage. */
  async save(save: AnswerSave): Promise<SaveOutcome> {
    const gate = await this.#batches.add(save);
    const outcome = gate === null ? REFUSED : await this.#outcome(save, gate);
    this.#metrics.saves.inc({ outcome: outcome.kind });
    return outcome;
  }

  /** Resolves when no save is in progress any more. */
  idle(): Promise<void> {
    return this.#batches.idle();
  }

  /** The gate's result for each save, in order; `null` where it refused. */
  async #write(pool: pg.Pool, saves: AnswerSave[]): Promise<(GateRow | null)[]> {
    const columns: unknown[][] = [[], [], [], [], [], [], [], [], [], []];
    const push = (values: unknown[]) => {
      values.forEach((value, i) => {
        columns[i]?.push(value);
      });
    };
    saves.forEach((save, request) => {
      const at = save.now.toISOString();
      for (const c of save.changes) {
        push([
          request,
          save.participantId,
          save.sessionId,
          at,
          c.questionId,
          newId(),
          c.optionId,
          c.response,
          c.isFlagged,
          c.revision,
        ]);
      }
    });
    const rows = await this.#decide(pool, columns);
    const gates = new Map(rows.map((row) => [row.request, row]));
    return saves.map((_, request) => gates.get(request) ?? null);
  }

  async #decide(pool: pg.Pool, values: unknown[][]): Promise<GateRow[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        const query = { name: 'save-answers', text: SAVE_SQL, values };
        return (await pool.query<GateRow>(query)).rows;
      } catch (error) {
        if (codeOf(error) !== DIVISION_BY_ZERO || tries === MOST_TRIES) throw error;
      }
    }
  }

  async #outcome(save: AnswerSave, gate: GateRow): Promise<SaveOutcome> {
    const kind = gate.clashed ? 'conflict' : 'saved';
    const all = gate.written === save.changes.length;
    return {
      kind,
      deadlineAt: gate.deadline_at,
      pausedUntil: gate.paused_until,
      violationCount: gate.violation_count,
      unchanged: all ? [] : await this.#unchanged(save),
    };
  }

  /** The stored answers where a change was not newer; a rare second query, outside the batches. */
  async #unchanged(save: AnswerSave): Promise<AnswerChange[]> {
    const revisions = new Map(save.changes.map((c) => [c.questionId, c]));
    const config: pg.QueryConfig & { query_timeout: number } = {
      name: 'stored-answers',
      text: STORED_SQL,
      values: [save.participantId, [...revisions.keys()]],
      query_timeout: STORED_TIMEOUT_MS,
    };
    const { rows } = await this.#pool.query<AnswerChange>(config);
    return rows.filter((row) => {
      const change = revisions.get(row.questionId);
      return (
        change !== undefined &&
        (row.revision !== change.revision ||
          row.optionId !== change.optionId ||
          row.response !== change.response ||
          row.isFlagged !== change.isFlagged)
      );
    });
  }
}
