import { seededRandom } from '@invigil/core/domain/questions/draw';
import { noteFirstSignIn } from '../../db/queries/codes.ts';
import {
  changeAccommodations,
  revokeInvitations,
} from '../../features/invitations/invite/manage-invitations.ts';
import {
  endParticipant,
  noteParticipant,
  replaceParticipant,
} from '../../features/review/actions/manage-participant.ts';
import { countersOf } from '../scenario/counters.ts';
import { detectionsIn } from '../scenario/detections.ts';
import { PEOPLE } from '../scenario/people.ts';
import type { Ending, Scenario } from '../scenario/scenarios.ts';
import { reportDetections } from './report-detections.ts';
import { reviewAttempt } from './review-attempt.ts';
import { type AttemptPlan, beginAttempt, endAttempt, leaveFeedback } from './simulate-attempt.ts';
import type { InvitedQuiz, Simulation } from './simulation.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NINE = 9 * 60;
const WORKING_MINUTES = 8 * 60;
/** Most begin soon after the invitation, and all within this many days. */
const LATEST_AFTER_DAYS = 11;

/** Special outcomes by position in a wave; all others simply submit. */
const OUTCOMES: Readonly<
  Record<number, Ending | 'again' | 'extra time' | 'revoked' | 'signed in'>
> = {
  2: 'again',
  3: 'ended',
  5: 'face',
  6: 'extra time',
  8: 'time up',
  11: 'revoked',
  13: 'signed in',
  15: 'time up',
  16: 'tab',
  19: 'again',
  21: 'fullscreen',
  24: 'face',
  26: 'time up',
  30: 'signed in',
};
/** One in this many invited people has not begun yet. */
const ABSENT_EVERY = 10;

/** Simulates the attempts between the first invitation and yesterday. Returns their number. */
export async function simulatePast(
  simulation: Simulation,
  scenario: Scenario,
  invitedQuiz: InvitedQuiz,
): Promise<number> {
  const away = new Set([...scenario.unreachable, ...scenario.today.map(({ person }) => person)]);
  let attempts = 0;
  for (const wave of scenario.waves) {
    for (let person = wave.from; person < wave.to; person += 1) {
      const place = person - wave.from;
      if (away.has(person) || place % ABSENT_EVERY === ABSENT_EVERY - 1) continue;
      attempts += await simulatePerson(simulation, scenario, invitedQuiz, {
        person,
        place,
        from: wave.daysAgo,
      });
    }
  }
  return attempts;
}

interface Invitee {
  person: number;
  place: number;
  /** The day of the invitation, in days ago. */
  from: number;
}

async function simulatePerson(
  simulation: Simulation,
  scenario: Scenario,
  invitedQuiz: InvitedQuiz,
  { person, place, from }: Invitee,
): Promise<number> {
  const { ctx, tx, adminId, calendar } = simulation;
  const seed = `${scenario.key}/${person}`;
  const random = seededRandom(seed);
  const found = invitedQuiz.invitations.get(PEOPLE[person] ?? '');
  if (!found) throw new Error(`no invitation of person ${person} to ${scenario.key}`);
  const hasLimit = scenario.policy.limits.combined !== null;
  const outcome = OUTCOMES[place] ?? 'submitted';
  const daysAgo = outcome === 'again' ? from - 1 : workingDay(simulation, from, random);
  const startedAt = calendar.at(daysAgo, NINE + 15 + random() * (WORKING_MINUTES - 45));
  if (outcome === 'signed in') {
    await noteFirstSignIn(tx, found.id, startedAt);
    return 0;
  }
  if (outcome === 'revoked') {
    await revokeInvitations(ctx, adminId, invitedQuiz.quiz.id, [found.id], startedAt);
    return 0;
  }
  let invitation = found;
  if (outcome === 'extra time') {
    const granted = {
      extraTimeFactor: 1.5,
      cameraEnabled: true,
      microphoneEnabled: true,
      faceCovered: false,
    };
    const reason = 'Extra time agreed with the person';
    const at = calendar.at(from, NINE - 10);
    await changeAccommodations(ctx, adminId, found.id, { ...granted, reason }, at);
    invitation = { ...found, ...granted };
  }
  const plan: AttemptPlan = {
    ...invitedQuiz,
    invitation,
    attempt: 1,
    startedAt,
    skill: 0.99 - 0.6 * random() ** 1.7,
    seed,
  };
  const ending = endingOf(outcome, hasLimit);
  const fullMs = invitedQuiz.quiz.duration * MINUTE_MS * invitation.extraTimeFactor;
  const id = await simulateAttempt(simulation, plan, ending, fullMs, hasLimit);
  if (ending === 'ended' || place === 5) {
    const note = ending === 'ended' ? 'Laptop failed; spoke on the phone.' : 'Asked for a review.';
    await noteParticipant(ctx, id, { note }, adminId, new Date(startedAt.getTime() + 2 * HOUR_MS));
  }
  if (outcome !== 'again') return 1;
  await replaceParticipant(
    ctx,
    id,
    { how: 'another' },
    {
      adminId,
      reason: 'The fire alarm went off during the assessment',
      now: calendar.at(daysAgo, 17 * 60 + 20),
    },
  );
  const second = {
    ...plan,
    attempt: 2,
    startedAt: calendar.at(daysAgo - 1, NINE + 60 + 120 * random()),
    seed: `${seed}/second`,
  };
  await simulateAttempt(simulation, second, 'submitted', fullMs, hasLimit);
  return 2;
}

/** One attempt from its start to its end, with verdict and feedback. */
async function simulateAttempt(
  simulation: Simulation,
  plan: AttemptPlan,
  ending: Ending,
  fullMs: number,
  hasLimit: boolean,
): Promise<string> {
  const { ctx, tx, adminId, calendar } = simulation;
  const random = seededRandom(`${plan.seed}/course`);
  const share = { submitted: 0.5 + 0.42 * random(), 'time up': 1 }[ending as string];
  const endsAt = new Date(
    Math.round(plan.startedAt.getTime() + fullMs * (share ?? 0.25 + 0.4 * random())),
  );
  const counters = countersOf(ending, hasLimit, random);
  const work = { until: endsAt, finishes: ending === 'submitted' };
  const id = await beginAttempt(tx, plan, work);
  const { startedAt, seed } = plan;
  await reportDetections(
    simulation,
    id,
    detectionsIn({ ending, counters, startedAt, endsAt, seed }),
  );
  if (ending === 'ended') {
    const reason = 'The computer broke down and could not be replaced';
    await endParticipant(ctx, id, { adminId, reason, now: endsAt });
  }
  await endAttempt(simulation, id, ending, endsAt);
  await reviewAttempt(simulation, id, ending, seed);
  if (ending === 'submitted' || ending === 'time up') {
    await leaveFeedback(tx, id, plan.seed, calendar.now);
  }
  return id;
}

/** Without limits, what would have ended the attempt is only counted. */
function endingOf(
  outcome: NonNullable<(typeof OUTCOMES)[number]> | 'submitted',
  hasLimit: boolean,
): Ending {
  switch (outcome) {
    case 'again':
      return 'time up';
    case 'face':
    case 'fullscreen':
    case 'tab':
      return hasLimit ? outcome : 'submitted';
    case 'submitted':
    case 'time up':
    case 'ended':
      return outcome;
    default:
      return 'submitted';
  }
}

/** A day after the invitation, rarely on a weekend. In days ago, yesterday at the latest. */
function workingDay(simulation: Simulation, from: number, random: () => number): number {
  const wanted = Math.max(1, from - Math.floor(LATEST_AFTER_DAYS * random() ** 1.5));
  if (!simulation.calendar.isWeekend(wanted) || random() < 0.2) return wanted;
  const near = [wanted + 1, wanted + 2, wanted - 1, wanted - 2];
  return near.find((d) => d >= 1 && d <= from && !simulation.calendar.isWeekend(d)) ?? wanted;
}
