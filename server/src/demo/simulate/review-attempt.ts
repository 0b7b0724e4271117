import type { Verdict } from '@invigil/core/domain/attempt';
import { seededRandom } from '@invigil/core/domain/questions/draw';
import { findListedParticipant } from '../../db/queries/attempts/attempt-list.ts';
import { recordVerdict } from '../../features/review/actions/record-verdict.ts';
import type { Ending } from '../scenario/scenarios.ts';
import type { Simulation } from './simulation.ts';

const HOUR_MS = 3_600_000;
/** How far reviewers are behind, and the share of attempts they have skipped. */
const BEHIND_MS = 3 * 24 * HOUR_MS;
const LEFT_SHARE = 0.15;

const NOTES: Record<Verdict, readonly string[]> = {
  no_concern: ['The moments are short and explained.', 'Nothing but a noisy room.', ''],
  talk: ['Ask what happened in the middle. The timeline does not show it.'],
  breach: [
    'Left the test several times and came back with answers. Reported to the course leader.',
  ],
};

/**
 * Records a verdict some hours after the end, unless the attempt is still waiting for review.
 */
export async function reviewAttempt(
  { ctx, tx, adminId, calendar }: Simulation,
  id: string,
  ending: Ending,
  seed: string,
): Promise<void> {
  const random = seededRandom(`${seed}/verdict`);
  const listed = await findListedParticipant(tx, id);
  const endedAt = listed?.submittedAt?.getTime();
  if (!listed?.toReview || endedAt === undefined) return;
  const isNew = endedAt > calendar.now.getTime() - BEHIND_MS;
  if (isNew || random() < LEFT_SHARE) return;
  const verdict = verdictOn(ending, random());
  const notes = NOTES[verdict];
  const note = notes[Math.floor(random() * notes.length)] ?? '';
  const now = new Date(Math.round(endedAt + (4 + 40 * random()) * HOUR_MS));
  await recordVerdict(ctx, id, { verdict, note, adminId, now });
}

function verdictOn(ending: Ending, chance: number): Verdict {
  const isDismissed = ending === 'face' || ending === 'fullscreen' || ending === 'tab';
  if (isDismissed) return chance < 0.4 ? 'breach' : chance < 0.7 ? 'talk' : 'no_concern';
  return chance < 0.85 ? 'no_concern' : 'talk';
}
