import { seededRandom } from '@invigil/core/domain/draw';
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
import { countersOf } from '../story/counters.ts';
import { noticedIn } from '../story/noticed.ts';
import { PEOPLE } from '../story/people.ts';
import type { Ending, Scene } from '../story/scenes.ts';
import { judgeAttempt } from './judge-attempt.ts';
import { beginAttempt, endAttempt, leaveFeedback, type Part } from './play-attempt.ts';
import { reportNoticed } from './report-noticed.ts';
import type { Company, Stage } from './stage.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const NINE = 9 * 60;
const WORKING_MINUTES = 8 * 60;
/** Most begin soon after the invitation, and all within so many days. */
const LATEST_AFTER_DAYS = 11;

/** By place in a wave: who does not simply begin and hand in. */
const FATES: Readonly<Record<number, Ending | 'again' | 'extra time' | 'revoked' | 'signed in'>> = {
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
/** Every so many invited people have not begun yet. */
const ABSENT_EVERY = 10;

/** Tells the attempts between the first invitation and yesterday. Returns how many there were. */
export async function playPast(stage: Stage, scene: Scene, company: Company): Promise<number> {
  const away = new Set([...scene.unreachable, ...scene.today.map(({ person }) => person)]);
  let attempts = 0;
  for (const wave of scene.waves) {
    for (let person = wave.from; person < wave.to; person += 1) {
      const place = person - wave.from;
      if (away.has(person) || place % ABSENT_EVERY === ABSENT_EVERY - 1) continue;
      attempts += await playPerson(stage, scene, company, { person, place, from: wave.daysAgo });
    }
  }
  return attempts;
}

interface Role {
  person: number;
  place: number;
  /** The day of the invitation, in days ago. */
  from: number;
}

async function playPerson(
  stage: Stage,
  scene: Scene,
  company: Company,
  { person, place, from }: Role,
): Promise<number> {
  const { ctx, tx, adminId, calendar } = stage;
  const seed = `${scene.key}/${person}`;
  const random = seededRandom(seed);
  const found = company.invitations.get(PEOPLE[person] ?? '');
  if (!found) throw new Error(`nobody invited person ${person} to ${scene.key}`);
  const watched = scene.policy.limits.combined !== null;
  const fate = FATES[place] ?? 'submitted';
  const daysAgo = fate === 'again' ? from - 1 : workingDay(stage, from, random);
  const startedAt = calendar.at(daysAgo, NINE + 15 + random() * (WORKING_MINUTES - 45));
  if (fate === 'signed in') {
    await noteFirstSignIn(tx, found.id, startedAt);
    return 0;
  }
  if (fate === 'revoked') {
    await revokeInvitations(ctx, adminId, company.quiz.id, [found.id], startedAt);
    return 0;
  }
  let invitation = found;
  if (fate === 'extra time') {
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
  const part: Part = {
    ...company,
    invitation,
    attempt: 1,
    startedAt,
    skill: 0.99 - 0.6 * random() ** 1.7,
    seed,
  };
  const ending = endingOf(fate, watched);
  const fullMs = company.quiz.duration * MINUTE_MS * invitation.extraTimeFactor;
  const id = await playOne(stage, part, ending, fullMs, watched);
  if (ending === 'ended' || place === 5) {
    const note = ending === 'ended' ? 'Laptop failed; spoke on the phone.' : 'Asked for a review.';
    await noteParticipant(ctx, id, { note }, adminId, new Date(startedAt.getTime() + 2 * HOUR_MS));
  }
  if (fate !== 'again') return 1;
  await replaceParticipant(ctx, id, 'another', {
    adminId,
    reason: 'The fire alarm went off during the assessment',
    now: calendar.at(daysAgo, 17 * 60 + 20),
  });
  const second = {
    ...part,
    attempt: 2,
    startedAt: calendar.at(daysAgo - 1, NINE + 60 + 120 * random()),
    seed: `${seed}/second`,
  };
  await playOne(stage, second, 'submitted', fullMs, watched);
  return 2;
}

/** One attempt from its start to its end and what is said afterwards. */
async function playOne(
  stage: Stage,
  part: Part,
  ending: Ending,
  fullMs: number,
  watched: boolean,
): Promise<string> {
  const { ctx, tx, adminId, calendar } = stage;
  const random = seededRandom(`${part.seed}/course`);
  const share = { submitted: 0.5 + 0.42 * random(), 'time up': 1 }[ending as string];
  const endsAt = new Date(
    Math.round(part.startedAt.getTime() + fullMs * (share ?? 0.25 + 0.4 * random())),
  );
  const counters = countersOf(ending, watched, random);
  const work = { until: endsAt, finishes: ending === 'submitted' };
  const id = await beginAttempt(tx, part, work);
  const { startedAt, seed } = part;
  await reportNoticed(stage, id, noticedIn({ ending, counters, startedAt, endsAt, seed }));
  if (ending === 'ended') {
    const reason = 'The computer broke down and could not be replaced';
    await endParticipant(ctx, id, { adminId, reason, now: endsAt });
  }
  await endAttempt(stage, id, ending, endsAt);
  await judgeAttempt(stage, id, ending, seed);
  if (ending === 'submitted' || ending === 'time up') {
    await leaveFeedback(tx, id, part.seed, calendar.now);
  }
  return id;
}

/** Where nothing ends by itself, what would have ended the attempt is only counted. */
function endingOf(
  fate: NonNullable<(typeof FATES)[number]> | 'submitted',
  watched: boolean,
): Ending {
  switch (fate) {
    case 'again':
      return 'time up';
    case 'face':
    case 'fullscreen':
    case 'tab':
      return watched ? fate : 'submitted';
    case 'submitted':
    case 'time up':
    case 'ended':
      return fate;
    default:
      return 'submitted';
  }
}

/** A day after the invitation, seldom one of a weekend. In days ago, yesterday at the latest. */
function workingDay(stage: Stage, from: number, random: () => number): number {
  const wanted = Math.max(1, from - Math.floor(LATEST_AFTER_DAYS * random() ** 1.5));
  if (!stage.calendar.isWeekend(wanted) || random() < 0.2) return wanted;
  const near = [wanted + 1, wanted + 2, wanted - 1, wanted - 2];
  return near.find((d) => d >= 1 && d <= from && !stage.calendar.isWeekend(d)) ?? wanted;
}
