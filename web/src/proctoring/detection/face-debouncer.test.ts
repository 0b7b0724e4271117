import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FaceBox, FaceReport } from '../detectors/sensor-reports.ts';
import { FaceDebouncer, middlePose } from './face-debouncer.ts';

const RULES = { everyMs: 1_000, misses: 2, cooldownMs: 10_000 };

const YES: FaceReport = {
  verdict: 'yes',
  reason: null,
  faces: 1,
  boxes: [],
  yaw: 0,
  pitch: 0,
  brightness: 120,
  motion: 3,
  engine: 'model',
  tookMs: 40,
};
const NO: FaceReport = { ...YES, verdict: 'no', faces: 0, yaw: null, pitch: null };
const DARK: FaceReport = { ...NO, verdict: 'cannot-tell', reason: 'dark', faces: null };
const SLOW: FaceReport = { ...DARK, reason: 'slow' };

const LOOKS: Record<string, FaceReport> = {
  '+': YES,
  '-': NO,
  d: DARK,
  '?': SLOW,
  c: { ...DARK, reason: 'covered' },
  u: { ...DARK, reason: 'unsure' },
  f: { ...DARK, motion: 0 },
  2: { ...YES, faces: 2, yaw: null, pitch: null },
  z: { ...YES, motion: 0 },
  a: { ...YES, yaw: 25 },
  // Two faces, or a turned head, in a picture that stands still.
  p: YES,
  t: { ...YES, faces: 2, yaw: null, pitch: null, motion: 0 },
  b: { ...YES, yaw: 25, motion: 0 },
};

const box = (left: number): FaceBox => [left, 100, 150, 150];

/** One look a second; gives `type@second`. The first three seconds are the warm-up. */
function play(looks: string, rules = RULES): { found: string[]; shown: string[] } {
  const debouncer = new FaceDebouncer(rules, { yaw: 0, pitch: 0 });
  const shown: string[] = [];
  const found = [...looks].flatMap((look, second) => {
    const report = LOOKS[look];
    if (report === undefined) return [];
    // People sway; a picture keeps its place.
    const sway = look === 'p' ? 0 : 4 + 4 * (second % 3);
    const boxes = Array.from({ length: report.faces ?? 0 }, (_, i) => box(100 + 250 * i + sway));
    const all = debouncer.check({ ...report, boxes }, second * 1_000);
    shown.push(debouncer.shown);
    return all.map(({ type }) => `${type}@${second}`);
  });
  return { found, shown };
}

const misses = (looks: string, rules = RULES) =>
  play(looks, rules).found.filter((one) => one.startsWith('face_not_detected'));

describe('a face that may be partly covered', () => {
  const rules = { ...RULES, faceCovered: true };

  it('is noted once for an absence', () => {
    expect(play(`++++${'-'.repeat(200)}`, rules).found).toEqual(['face_not_detected@5']);
  });

  it('is noted at most once a minute when it is found now and then', () => {
    expect(misses('--+'.repeat(30), rules)).toEqual([
      'face_not_detected@4',
      'face_not_detected@67',
    ]);
  });

  it('is noted once also after the server has not counted it', () => {
    const debouncer = new FaceDebouncer(rules);
    const found = Array.from({ length: 90 }, (_, s) => {
      const all = debouncer.check(s < 4 ? YES : NO, s * 1_000);
      if (all.length > 0) debouncer.notCounted();
      return all;
    });
    expect(found.flat()).toHaveLength(1);
  });

  it('is no blindness while the detector is not sure', () => {
    expect(play('u'.repeat(200), rules).found).toEqual([]);
    expect(play('u'.repeat(200)).found).toEqual(['camera_lost@63']);
  });

  it('leaves everything else as it is', () => {
    expect(play(`+++2222${'d'.repeat(70)}`, rules).found).toEqual(
      play(`+++2222${'d'.repeat(70)}`).found,
    );
  });
});

describe('what no one could judge for a minute', () => {
  it.each([
    ['is recorded, once', '?'.repeat(200), ['camera_lost@63']],
    [
      'is recorded each time',
      `${'?'.repeat(80)}+${'?'.repeat(80)}`,
      ['camera_lost@63', 'camera_lost@141'],
    ],
    ['is nothing where one look could', `${'?'.repeat(60)}+${'?'.repeat(60)}`, []],
    [
      'is told again of the dark, with how long',
      'd'.repeat(100),
      ['camera_dark@7', 'camera_dark@63'],
    ],
  ])('%s', (_, looks, expected) => {
    expect(play(looks).found).toEqual(expected);
  });
});

describe('a face that is away', () => {
  it.each([
    ['says nothing in the first three seconds', '---+', []],
    ['forgives one look', '++++-+-+-+-+', []],
    ['is a violation at the second look in a row', '++++--', ['face_not_detected@5']],
    ['never counts what cannot be told', '++++dddd????cccc', []],
    ['is not made of a miss and a dark look', '++++-d+-?+', []],
    ['is not excused by one look that cannot tell', '++++-?-', ['face_not_detected@6']],
    ['is not put together from looks far apart', '++++-????-', []],
    [
      'waits for the cool-down, and then needs two looks again',
      `++++--+${'-'.repeat(12)}`,
      ['face_not_detected@5', 'face_not_detected@17'],
    ],
    ['is one violation as long as it goes on', `++++${'-'.repeat(60)}`, ['face_not_detected@5']],
    [
      'is one more after each further minute',
      `++++${'-'.repeat(130)}`,
      ['face_not_detected@5', 'face_not_detected@65', 'face_not_detected@125'],
    ],
    [
      'is the same one after looks that could not tell',
      `++++${'-'.repeat(20)}dddddddd${'-'.repeat(20)}`,
      ['face_not_detected@5'],
    ],
    ['does not save up misses of the cool-down', '++++----------+-+', ['face_not_detected@5']],
  ])('%s', (_, looks, expected) => {
    expect(misses(looks)).toEqual(expected);
  });

  it('is found on a machine that looks every four seconds only', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = [...'++--'].flatMap((look, i) => debouncer.check(LOOKS[look] ?? YES, i * 4_000));
    expect(found.map(({ type }) => type)).toEqual(['face_not_detected']);
    expect(debouncer.shown).toBe('not-detected');
  });

  it('takes as many looks as the policy says', () => {
    expect(misses('++++---+----', { ...RULES, misses: 4 })).toEqual(['face_not_detected@11']);
  });

  it('is warned of at the second look, long before it counts', () => {
    const { found, shown } = play('++++-----+', { ...RULES, misses: 6 });
    expect(found).toEqual([]);
    expect(shown.slice(3)).toEqual(['ok', 'ok', ...Array(4).fill('not-detected'), 'ok']);
  });

  it('counts under six looks only when it lasts: a pen, a sheet of paper, a sneeze do not', () => {
    const six = { ...RULES, misses: 6 };
    for (const length of [2, 3, 4, 5]) {
      expect(misses(`++++${'-'.repeat(length)}++++`, six), `${length} s`).toEqual([]);
    }
    for (const length of [6, 8, 26, 40]) {
      expect(misses(`++++${'-'.repeat(length)}++++`, six), `${length} s`).toHaveLength(1);
    }
  });

  it('continues nothing across a gap of checks', () => {
    const debouncer = new FaceDebouncer(RULES);
    for (const s of [0, 1, 2, 3]) debouncer.check(YES, s * 1_000);
    debouncer.check(NO, 4_000);
    expect(debouncer.check(NO, 11_000)).toEqual([]);
  });

  it('warms up again with another camera stream and keeps its cool-down', () => {
    const debouncer = new FaceDebouncer(RULES);
    for (const s of [0, 1, 2, 3]) debouncer.check(YES, s * 1_000);
    const found = [4, 5].flatMap((s) => debouncer.check(NO, s * 1_000));
    expect(found).toHaveLength(1);
    debouncer.restart();
    expect(debouncer.shown).toBe('starting');
    const after = [6, 7, 8, 9, 10, 11, 12, 13].flatMap((s) => debouncer.check(NO, s * 1_000));
    expect(after).toEqual([]);
  });

  it('may still count after the cool-down, where the server did not count it', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = Array.from({ length: 30 }, (_, s) => {
      const all = debouncer.check(s < 4 ? YES : NO, s * 1_000);
      // A page that was reloaded: the server's cool-down is older than this page.
      if (s === 5) debouncer.notCounted();
      return all.map(({ type }) => `${type}@${s}`);
    });
    expect(found.flat()).toEqual(['face_not_detected@5', 'face_not_detected@17']);
  });

  it('tells who judged, and what it saw', () => {
    const debouncer = new FaceDebouncer(RULES);
    for (const s of [0, 1, 2, 3]) debouncer.check(YES, s * 1_000);
    debouncer.check(NO, 4_000);
    expect(debouncer.check({ ...NO, engine: 'basic' }, 5_000)).toEqual([
      {
        type: 'face_not_detected',
        at: 5_000,
        durationMs: 1_000,
        engine: 'basic',
        notes: 'faces: 0, brightness: 120',
      },
    ]);
  });
});

describe('flags', () => {
  it.each([
    ['two faces, the second look at both moving', '++++222', ['multiple_faces@6']],
    ['two faces in two of three looks', '++++2+2+2', ['multiple_faces@8']],
    ['not two faces once', '++++2++++2+++', []],
    ['looking away for five seconds', '++++aaaaaa', ['looking_away@9']],
    ['not looking away for four, twice', '++++aaaa+aaaa', []],
    ['a dark picture for five looks', '++++ddddd', ['camera_dark@8']],
    ['a covered camera', '++++ccccc', ['camera_covered@8']],
    ['a picture that stands still', '++++zzzzz', ['frozen_camera@8']],
    ['not one in which the light went out', '++++ffffffff', ['camera_dark@8']],
    ['not a picture that stands still for four looks', '++++zzzz+zzzz', []],
    ['of two faces in a still picture that it stands still', '++++2ttttttt', ['frozen_camera@9']],
    ['a face that keeps its place for twenty looks', 'p'.repeat(40), ['still_face@22']],
    ['not one that does so for nineteen', `${'p'.repeat(18)}+${'p'.repeat(18)}+`, []],
    ['of a turned head in one, too', '++++abbbbbbbb', ['frozen_camera@9']],
  ])('%s', (_, looks, expected) => {
    expect(play(looks).found).toEqual(expected);
  });

  it('knows where a person looks from the first five looks', () => {
    const debouncer = new FaceDebouncer(RULES);
    const turned = { ...YES, yaw: 30 };
    const found = Array.from({ length: 20 }, (_, s) => debouncer.check(turned, s * 1_000)).flat();
    expect(found).toEqual([]);
    expect(
      middlePose([
        { yaw: 1, pitch: 9 },
        { yaw: 40, pitch: 2 },
        { yaw: 2, pitch: 3 },
      ]),
    ).toEqual({
      yaw: 2,
      pitch: 3,
    });
  });
});

it('shows what it knows: no flicker at one miss, and "cannot tell" as such', () => {
  expect(play('d+++-+--d+').shown).toEqual([
    'cannot-tell',
    'ok',
    'ok',
    'ok',
    'ok',
    'ok',
    'ok',
    'not-detected',
    'cannot-tell',
    'ok',
  ]);
});

it('never counts twice within the cool-down, and never without enough misses, whatever it sees', () => {
  const look = fc.constantFrom(...'+-d?c2zatb');
  fc.assert(
    fc.property(fc.array(look, { maxLength: 120 }), fc.integer({ min: 1, max: 5 }), (looks, n) => {
      const rules = { ...RULES, misses: n };
      const seconds = misses(looks.join(''), rules).map((one) => Number(one.split('@')[1]));
      for (const [i, second] of seconds.entries()) {
        expect(
          looks.slice(0, second + 1).filter((one) => one === '-').length,
        ).toBeGreaterThanOrEqual(n);
        expect(looks[second]).toBe('-');
        if (i > 0) expect(second - (seconds[i - 1] ?? 0)).toBeGreaterThan(10);
      }
    }),
  );
});

describe('pictures of people', () => {
  const look = (debouncer: FaceDebouncer, s: number, boxes: FaceBox[]) =>
    debouncer.check({ ...YES, faces: boxes.length, boxes }, s * 1_000).map(({ type }) => type);
  const person = (s: number): FaceBox => box(100 + 4 * (s % 2));
  const poster: FaceBox = [450, 60, 90, 90];

  it('on the wall beside a person are not a second one', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = Array.from({ length: 60 }, (_, s) => look(debouncer, s, [person(s), poster]));
    expect(found.flat()).toEqual([]);
  });

  it('say nothing about who comes and goes before them, and are told once they are alone', () => {
    const debouncer = new FaceDebouncer(RULES);
    const helper = (s: number): FaceBox => [250 + 3 * (s % 3), 80, 100, 100];
    const found = Array.from({ length: 90 }, (_, s) => {
      const boxes = [
        poster,
        ...(s < 50 ? [person(s)] : []),
        ...(s === 30 || s === 31 || s === 32 ? [helper(s)] : []),
      ];
      return look(debouncer, s, boxes).map((type) => `${type}@${s}`);
    });
    expect(found.flat()).toEqual(['multiple_faces@32', 'still_face@50']);
  });
});
