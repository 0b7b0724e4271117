import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Queryable } from '../../database.ts';
import { runNamed } from '../../database.ts';
import { newId } from '../../new-id.ts';
import { participantEvents } from '../../schema/attempts.ts';

/** The events of an attempt, in order. */
export function listParticipantEvents(db: Queryable, participantId: string) {
  return db
    .select({
      kind: participantEvents.kind,
      at: participantEvents.at,
      details: participantEvents.details,
    })
    .from(participantEvents)
    .where(eq(participantEvents.participantId, participantId))
    .orderBy(asc(participantEvents.at), asc(participantEvents.id));
}

export interface ParticipantEvent {
  participantId: string;
  kind:
    | 'started'
    | 'resumed'
    | 'device_changed'
    | 'flooded'
    | 'signed_in'
    | 'extended'
    | 'ending'
    | 'message'
    | 'paused'
    | 'clock_resumed'
    | 'break_began'
    | 'break_ended'
    | 'help_asked'
    | 'help_withdrawn'
    | 'help_answered'
    | 'limit_reached'
    | 'reported'
    | 'gap'
    | 'replaced'
    | 'retaken'
    | 'counts'
    | 'ended';
  at: Date;
  details?: Record<string, unknown>;
}

export async function insertParticipantEvent(
  tx: Queryable,
  event: ParticipantEvent,
): Promise<void> {
  await insertParticipantEvents(tx, [event]);
}

/** Events that a candidate can repeat endlessly, and how many one attempt stores. */
const REPEATED = {
  returns: { kinds: ['resumed', 'signed_in', 'gap'], max: ATTEMPT_LIMITS.returnsRecordedMax },
  devices: { kinds: ['device_changed'], max: ATTEMPT_LIMITS.deviceChangesRecordedMax },
  hands: {
    kinds: ['help_asked', 'help_withdrawn'],
    max: ATTEMPT_LIMITS.handChangesRecordedMax,
  },
  floods: { kinds: ['flooded'], max: ATTEMPT_LIMITS.returnsRecordedMax },
} as const;

type Repeated = keyof typeof REPEATED;

/** Inserts an event unless its group is full. Returns how many there were before. */
export async function insertRepeatedEvent<G extends Repeated>(
  tx: Queryable,
  group: G,
  event: ParticipantEvent & { kind: (typeof REPEATED)[G]['kinds'][number] },
): Promise<number> {
  const { kinds, max } = REPEATED[group];
  const mine = eq(participantEvents.participantId, event.participantId);
  const before = await tx.$count(
    participantEvents,
    and(mine, inArray(participantEvents.kind, kinds)),
  );
  if (before < max) await insertParticipantEvent(tx, event);
  return before;
}

const INSERT_EVENTS_SQL = `
insert into participant_events (id, participant_id, kind, at, details)
select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::jsonb[])`;

export async function insertParticipantEvents(tx: Queryable, events: ParticipantEvent[]) {
  await runNamed(tx, {
    name: 'insert-events',
    text: INSERT_EVENTS_SQL,
    values: [
      events.map(() => newId()),
      events.map((e) => e.participantId),
      events.map((e) => e.kind),
      events.map((e) => e.at.toISOString()),
      events.map((e) => (e.details === undefined ? null : JSON.stringify(e.details))),
    ],
  });
}
