import { seededRandom } from '@invigil/core/domain/draw';
import type { CountingType, FlagType } from '@invigil/core/domain/violation-types';
import type { Counters } from './counters.ts';
import type { Ending } from './scenes.ts';

/** Something that the page noticed, with what the person said about it, if anything. */
export interface Noticed {
  type: CountingType | FlagType;
  at: Date;
  durationMs: number | null;
  engine: string | null;
  notes: string | null;
  candidateNote: string | null;
}

interface Course {
  ending: Ending | 'running';
  counters: Counters;
  /** Noticed beside what counts; without it the seed decides. */
  flags?: readonly FlagType[];
  startedAt: Date;
  endsAt: Date;
  seed: string;
}

type Sighting = Omit<Noticed, 'type' | 'at' | 'candidateNote'>;

/** What reaches a limit is noticed as long before the end as the policy's delay. */
const BEFORE_END_MS = 1_000;
const NOTE_SHARE = 0.4;

/** How many of a hundred attempts have such a flag. */
const FLAGS: readonly [FlagType, number][] = [
  ['second_screen', 4],
  ['looking_away', 12],
  ['multiple_faces', 5],
  ['window_blur', 15],
  ['tab_hidden_briefly', 10],
  ['camera_dark', 5],
  ['clipboard', 4],
];

const SAID: Partial<Record<Noticed['type'], readonly string[]>> = {
  face_not_detected: [
    'My pen fell down and I picked it up.',
    'I leaned out of the picture to close the window.',
  ],
  voice_detected: [
    'My neighbour came in with a question. I sent him away.',
    'I read the question aloud to myself.',
  ],
  multiple_faces: ['A colleague walked through the room behind me.'],
  fullscreen_exit: ['I pressed Escape by mistake.'],
  tab_hidden: ['A message of the computer came up and I closed it.'],
  looking_away: ['I looked at the clock on the wall.'],
};

/**
 * What is noticed in the course of an attempt: as much of each kind as its counters say, in the order
 * in which it happens, and farther apart than any cool-down. Everything follows from the seed.
 */
export function noticedIn({ ending, counters, flags, startedAt, endsAt, seed }: Course): Noticed[] {
  const random = seededRandom(`${seed}/noticed`);
  const types: Noticed['type'][] = [];
  for (let i = 0; i < (counters.countedViolations ?? 0); i += 1) {
    types.push(random() < 0.7 ? 'face_not_detected' : 'voice_detected');
  }
  for (let i = 0; i < (counters.fullscreenExits ?? 0); i += 1) types.push('fullscreen_exit');
  for (let i = 0; i < (counters.tabSwitches ?? 0); i += 1) types.push('tab_hidden');
  types.push(...(flags ?? FLAGS.filter(([, share]) => random() * 100 < share).map(([f]) => f)));
  // Mixed, but what ends the attempt comes last.
  const last = types.find((type) => type === LAST[ending]);
  const rest = last === undefined ? types : types.toSpliced(types.indexOf(last), 1);
  const mixed = rest
    .map((type) => ({ type, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ type }) => type);
  const workedMs = endsAt.getTime() - startedAt.getTime();
  const found = mixed.map((type, i) => {
    const share = 0.1 + (0.8 * (i + 0.5 * random())) / mixed.length;
    return sighting(type, new Date(Math.round(startedAt.getTime() + workedMs * share)), random);
  });
  if (last !== undefined) {
    found.push(sighting(last, new Date(endsAt.getTime() - BEFORE_END_MS), random));
  }
  return found;
}

const LAST: Partial<Record<Course['ending'], Noticed['type']>> = {
  face: 'face_not_detected',
  fullscreen: 'fullscreen_exit',
  tab: 'tab_hidden',
};

function sighting(type: Noticed['type'], at: Date, random: () => number): Noticed {
  const said = SAID[type] ?? [];
  const candidateNote =
    random() < NOTE_SHARE ? (said[Math.floor(random() * said.length)] ?? null) : null;
  return { type, at, candidateNote, ...seen(type, random) };
}

/** In the words in which the detectors tell it. */
function seen(type: Noticed['type'], random: () => number): Sighting {
  const between = (from: number, to: number) => Math.round(from + (to - from) * random());
  const plain = { durationMs: null, engine: null, notes: null };
  const brightness = `brightness: ${between(72, 148)}`;
  switch (type) {
    case 'face_not_detected':
      // The model could not be loaded on one old laptop in seven.
      return random() < 0.15
        ? { ...plain, engine: 'basic', notes: brightness }
        : { ...plain, engine: 'model', notes: `faces: 0, ${brightness}` };
    case 'voice_detected':
      return { ...plain, engine: 'model', notes: `speech: ${between(60, 94)} %` };
    case 'multiple_faces':
      return { ...plain, engine: 'model', notes: `faces: 2, ${brightness}` };
    case 'looking_away': {
      const pose = `yaw: ${between(11, 24)}, pitch: ${between(-4, 5)}`;
      return { ...plain, engine: 'model', notes: `faces: 1, ${brightness}, ${pose}` };
    }
    case 'camera_dark':
      return { ...plain, engine: 'model', notes: `faces: 0, brightness: ${between(11, 27)}` };
    case 'tab_hidden':
      return { ...plain, durationMs: between(4_000, 19_000) };
    case 'tab_hidden_briefly':
      return { ...plain, durationMs: between(300, 1_900) };
    case 'window_blur':
      return { ...plain, durationMs: between(1_600, 9_000) };
    case 'clipboard':
      return { ...plain, notes: 'copy' };
    default:
      return plain;
  }
}
