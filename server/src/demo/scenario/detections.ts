import { seededRandom } from '@invigil/core/domain/questions/draw';
import type { CountingType, FlagType } from '@invigil/core/domain/violations/violation-types';
import type { Counters } from './counters.ts';
import type { Ending } from './scenarios.ts';

/** A detection by the page, with the candidate's note, if any. */
export interface Detection {
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
  /** Flags besides what counts; by default the seed decides. */
  flags?: readonly FlagType[];
  startedAt: Date;
  endsAt: Date;
  seed: string;
}

type Details = Omit<Detection, 'type' | 'at' | 'candidateNote'>;

/** A limit is reached this long before the end, which is the policy's delay. */
const BEFORE_END_MS = 1_000;
const NOTE_SHARE = 0.4;

/** The percentage of attempts that have such a flag. */
const FLAGS: readonly [FlagType, number][] = [
  ['second_screen', 4],
  ['looking_away', 12],
  ['multiple_faces', 5],
  ['window_blur', 15],
  ['tab_hidden_briefly', 10],
  ['camera_dark', 5],
  ['clipboard', 4],
];

const NOTES: Partial<Record<Detection['type'], readonly string[]>> = {
  face_not_detected: [
    'I dropped my pen and picked it up.',
    'I leaned out of view to close the window.',
  ],
  voice_detected: [
    'My neighbor came in with a question. I sent him away.',
    'I read the question aloud to myself.',
  ],
  multiple_faces: ['A colleague walked through the room behind me.'],
  fullscreen_exit: ['I pressed Escape by mistake.'],
  tab_hidden: ['A system message appeared and I closed it.'],
  looking_away: ['I looked at the clock on the wall.'],
};

/**
 * The detections of an attempt in order of time: as many of each kind as its counters require, and
 * farther apart than any cool-down. Everything follows from the seed.
 */
export function detectionsIn({
  ending,
  counters,
  flags,
  startedAt,
  endsAt,
  seed,
}: Course): Detection[] {
  const random = seededRandom(`${seed}/noticed`);
  const types: Detection['type'][] = [];
  for (let i = 0; i < (counters.countedViolations ?? 0); i += 1) {
    types.push(random() < 0.7 ? 'face_not_detected' : 'voice_detected');
  }
  for (let i = 0; i < (counters.fullscreenExits ?? 0); i += 1) types.push('fullscreen_exit');
  for (let i = 0; i < (counters.tabSwitches ?? 0); i += 1) types.push('tab_hidden');
  types.push(...(flags ?? FLAGS.filter(([, share]) => random() * 100 < share).map(([f]) => f)));
  // Shuffled, but what ends the attempt comes last.
  const last = types.find((type) => type === LAST[ending]);
  const rest = last === undefined ? types : types.toSpliced(types.indexOf(last), 1);
  const mixed = rest
    .map((type) => ({ type, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ type }) => type);
  const workedMs = endsAt.getTime() - startedAt.getTime();
  const found = mixed.map((type, i) => {
    const share = 0.1 + (0.8 * (i + 0.5 * random())) / mixed.length;
    return detectionOf(type, new Date(Math.round(startedAt.getTime() + workedMs * share)), random);
  });
  if (last !== undefined) {
    found.push(detectionOf(last, new Date(endsAt.getTime() - BEFORE_END_MS), random));
  }
  return found;
}

const LAST: Partial<Record<Course['ending'], Detection['type']>> = {
  face: 'face_not_detected',
  fullscreen: 'fullscreen_exit',
  tab: 'tab_hidden',
};

function detectionOf(type: Detection['type'], at: Date, random: () => number): Detection {
  const notes = NOTES[type] ?? [];
  const candidateNote =
    random() < NOTE_SHARE ? (notes[Math.floor(random() * notes.length)] ?? null) : null;
  return { type, at, candidateNote, ...detailsOf(type, random) };
}

/** In the format of the detectors' reports. */
function detailsOf(type: Detection['type'], random: () => number): Details {
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
