import { seededRandom } from '@invigil/core/domain/questions/draw';
import { insertParticipantEvent } from '../../db/queries/attempts/events.ts';
import {
  endParticipant,
  extendParticipant,
} from '../../features/review/actions/manage-participant.ts';
import { countersOf } from '../scenario/counters.ts';
import { detectionsIn } from '../scenario/detections.ts';
import { PEOPLE } from '../scenario/people.ts';
import type { Scenario, TodayAttempt } from '../scenario/scenarios.ts';
import { reportDetections } from './report-detections.ts';
import { type AttemptPlan, beginAttempt, endAttempt, leaveFeedback } from './simulate-attempt.ts';
import type { InvitedQuiz, Simulation } from './simulation.ts';

const MINUTE_MS = 60_000;
/** The age of the last heartbeat of a running attempt. */
const LAST_SEEN_MS = 4_000;

/** Simulates the attempts of the last hours, some still running. Returns their number. */
export async function simulateToday(
  simulation: Simulation,
  scenario: Scenario,
  invitedQuiz: InvitedQuiz,
): Promise<number> {
  for (const [i, attempt] of scenario.today.entries()) {
    const email = PEOPLE[attempt.person] ?? '';
    const invitation = invitedQuiz.invitations.get(email);
    if (!invitation) throw new Error(`no invitation of ${email} to ${scenario.key}`);
    const seed = `${scenario.key}/${attempt.person}/today`;
    const skill = attempt.skill ?? 0.7;
    const plan = { ...invitedQuiz, invitation, attempt: 1, skill, seed };
    if (attempt.how === 'running') await simulateRunning(simulation, attempt, plan);
    else await simulateEnded(simulation, attempt, plan, i);
  }
  return scenario.today.length;
}

/** In progress now; ends when its time is up. */
async function simulateRunning(
  simulation: Simulation,
  { minutesAgo, resumed, extendedBy, detected }: TodayAttempt,
  plan: Omit<AttemptPlan, 'startedAt'>,
) {
  const { ctx, tx, adminId, calendar } = simulation;
  const startedAt = calendar.minutesAgo(minutesAgo);
  const work = { until: new Date(calendar.now.getTime() - LAST_SEEN_MS), finishes: false };
  const participantId = await beginAttempt(tx, { ...plan, startedAt }, work);
  await reportDetections(
    simulation,
    participantId,
    detectionsIn({
      ending: 'running',
      counters: { countedViolations: detected?.counted ?? 0 },
      flags: detected?.flags ?? [],
      startedAt,
      endsAt: work.until,
      seed: plan.seed,
    }),
  );
  const halfway = calendar.minutesAgo(minutesAgo / 2);
  if (resumed) {
    const again = new Date(halfway.getTime() + 2_500);
    await insertParticipantEvent(tx, { participantId, kind: 'signed_in', at: halfway });
    await insertParticipantEvent(tx, { participantId, kind: 'resumed', at: again });
  }
  if (extendedBy !== undefined) {
    const reason = 'The network in the room was down for a while';
    await extendParticipant(ctx, participantId, extendedBy, { adminId, reason, now: halfway });
  }
}

async function simulateEnded(
  { ctx, tx, adminId, calendar }: Simulation,
  { minutesAgo, how }: TodayAttempt,
  plan: Omit<AttemptPlan, 'startedAt'>,
  place: number,
) {
  if (how === 'running') throw new Error('a running attempt has not ended');
  const random = seededRandom(`${plan.seed}/course`);
  const endedAt =
    how === 'submitted'
      ? calendar.thisWeek(minutesAgo, place + 1)
      : calendar.minutesAgo(minutesAgo);
  const fullMs = plan.quiz.duration * MINUTE_MS;
  const share = how === 'time up' ? 1 : how === 'submitted' ? 0.55 + 0.35 * random() : 0.45;
  const startedAt = new Date(Math.round(endedAt.getTime() - fullMs * share));
  const counters = countersOf(how, true, random);
  const work = { until: endedAt, finishes: how === 'submitted' };
  const id = await beginAttempt(tx, { ...plan, startedAt }, work);
  const { seed } = plan;
  const course = { ending: how, counters, startedAt, endsAt: endedAt, seed };
  await reportDetections({ ctx, tx }, id, detectionsIn(course));
  if (how === 'ended') {
    const reason = 'Taken ill during the assessment';
    await endParticipant(ctx, id, { adminId, reason, now: endedAt });
  }
  await endAttempt({ tx, ctx }, id, how, endedAt);
  if (how === 'submitted') await leaveFeedback(tx, id, plan.seed, calendar.now);
}
