import { z } from 'zod';
import { KnownPerson, PersonEmail } from '../definition/classified.ts';
import { endpoint, Instant, Reason } from '../definition/endpoint.ts';

/** An attempt that lost time while the service was down. */
export const LostTime = z.object({
  participantId: z.string(),
  userEmail: PersonEmail,
  userName: KnownPerson.userName,
  quizTitle: z.string(),
  /** Whole minutes, rounded up. */
  minutes: z.int(),
  /** The time has run out: the attempt is reinstated with these minutes. */
  hasEnded: z.boolean(),
});
export type LostTime = z.infer<typeof LostTime>;

/** A time in which the service was down, and what it cost attempts that have not been given it back. */
export const Outage = z.object({
  id: z.string(),
  beganAt: Instant,
  endedAt: Instant,
  attempts: z.array(LostTime),
});
export type Outage = z.infer<typeof Outage>;

export const listOutages = endpoint('GET /api/outages', ['installation: installation.manage'], {
  summary: 'Outages of the service in the last day that cost attempts time, the latest first',
  responses: { 200: z.array(Outage) },
});

export const grantLostTime = endpoint(
  'POST /api/outages/:id/grant',
  ['installation: installation.manage'],
  {
    audit: ['participant.extended', 'participant.reinstated'],
    summary:
      'Give each attempt back what an outage cost it: more time, or reinstated with it where its time ran out',
    body: z.object({ reason: Reason }),
    responses: {
      200: z.object({
        done: z.array(z.string()),
        refused: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
      }),
    },
  },
);
