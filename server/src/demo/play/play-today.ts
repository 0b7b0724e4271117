import { seededRandom } from '@invigil/core/domain/draw';
import { insertParticipantEvent } from '../../db/queries/attempts/events.ts';
import {
  endParticipant,
  extendParticipant,
} from '../../features/review/actions/manage-participant.ts';
import { countersOf } from '../story/counters.ts';
import { noticedIn } from '../story/noticed.ts';
import { PEOPLE } from '../story/people.ts';
import type { Scene, TodayAttempt } from '../story/scenes.ts';
import { beginAttempt, endAttempt, leaveFeedback, type Part } from './play-attempt.ts';
import { reportNoticed } from './report-noticed.ts';
import type { Company, Stage } from './stage.ts';

const MINUTE_MS = 60_000;
/** The last heartbeat of somebody who is in the middle of it. */
const HEARD_OF_MS = 4_000;

/** Tells the attempts of the last hours, some of which are still running. Returns how many. */
export async function playToday(stage: Stage, scene: Scene, company: Company): Promise<number> {
  for (const [i, attempt] of scene.today.entries()) {
    const email = PEOPLE[attempt.person] ?? '';
    const invitation = company.invitations.get(email);
    if (!invitation) throw new Error(`nobody invited ${email} to ${scene.key}`);
    const seed = `${scene.key}/${attempt.person}/today`;
    const skill = attempt.skill ?? 0.7;
    const part = { ...company, invitation, attempt: 1, skill, seed };
    if (attempt.how === 'running') await playRunning(stage, attempt, part);
    else await playEnded(stage, attempt, part, i);
  }
  return scene.today.length;
}

/** In progress at this moment; ends by itself when its time is up. */
async function playRunning(
  stage: Stage,
  { minutesAgo, resumed, extendedBy, noticed }: TodayAttempt,
  part: Omit<Part, 'startedAt'>,
) {
  const { ctx, tx, adminId, calendar } = stage;
  const startedAt = calendar.minutesAgo(minutesAgo);
  const work = { until: new Date(calendar.now.getTime() - HEARD_OF_MS), finishes: false };
  const participantId = await beginAttempt(tx, { ...part, startedAt }, work);
  await reportNoticed(
    stage,
    participantId,
    noticedIn({
      ending: 'running',
      counters: { countedViolations: noticed?.counted ?? 0 },
      flags: noticed?.flags ?? [],
      startedAt,
      endsAt: work.until,
      seed: part.seed,
    }),
  );
  const halfway = calendar.minutesAgo(minutesAgo / 2);
  if (resumed) {
    const again = new Date(halfway.getTime() + 2_500);
    await insertParticipantEvent(tx, { participantId, kind: 'signed_in', at: halfway });
    await insertParticipantEvent(tx, { participantId, kind: 'resumed', at: again });
  }
  if (extendedBy !== undefined) {
    const reason = 'The network of the room was down for a while';
    await extendParticipant(ctx, participantId, extendedBy, { adminId, reason, now: halfway });
  }
}

async function playEnded(
  { ctx, tx, adminId, calendar }: Stage,
  { minutesAgo, how }: TodayAttempt,
  part: Omit<Part, 'startedAt'>,
  place: number,
) {
  if (how === 'running') throw new Error('a running attempt has not ended');
  const random = seededRandom(`${part.seed}/course`);
  const endedAt =
    how === 'submitted'
      ? calendar.thisWeek(minutesAgo, place + 1)
      : calendar.minutesAgo(minutesAgo);
  const fullMs = part.quiz.duration * MINUTE_MS;
  const share = how === 'time up' ? 1 : how === 'submitted' ? 0.55 + 0.35 * random() : 0.45;
  const startedAt = new Date(Math.round(endedAt.getTime() - fullMs * share));
  const counters = countersOf(how, true, random);
  const work = { until: endedAt, finishes: how === 'submitted' };
  const id = await beginAttempt(tx, { ...part, startedAt }, work);
  const { seed } = part;
  const course = { ending: how, counters, startedAt, endsAt: endedAt, seed };
  await reportNoticed({ ctx, tx }, id, noticedIn(course));
  if (how === 'ended') {
    const reason = 'Taken ill during the assessment';
    await endParticipant(ctx, id, { adminId, reason, now: endedAt });
  }
  await endAttempt({ tx, ctx }, id, how, endedAt);
  if (how === 'submitted') await leaveFeedback(tx, id, part.seed, calendar.now);
}
