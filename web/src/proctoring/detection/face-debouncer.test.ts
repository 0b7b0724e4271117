import { levelOf } from '@invigil/core/domain/violations/violation-types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DARK, FACE, NO_FACE } from '../../testing/sensor-reports.ts';
import type { FaceBox, FaceReport } from '../detectors/sensor-reports.ts';
import { FaceDebouncer, type FaceRules, middlePose } from './face-debouncer.ts';

const RULES = { everyMs: 1_000, misses: 2, cooldownMs: 10_000 };

const SLOW: FaceReport = { ...DARK, reason: 'slow' };

const SAMPLES: Record<string, FaceReport> = {
  '+': FACE,
  '-': NO_FACE,
  d: DARK,
  '?': SLOW,
  c: { ...DARK, reason: 'covered' },
  u: { ...DARK, reason: 'unsure' },
  f: { ...DARK, motion: 0 },
  2: { ...FACE, faces: 2, yaw: null, pitch: null },
  z: { ...FACE, motion: 0 },
  n: { ...DARK, reason: 'no-frame' },
  a: { ...FACE, yaw: 25 },
  // Looking up, down, and down at the side.
  '^': { ...FACE, pitch: 12 },
  v: { ...FACE, pitch: -15 },
  w: { ...FACE, yaw: 25, pitch: -15 },
  // p: a face that keeps its place; t, b: two faces and a turned head in a frozen picture.
  p: FACE,
  t: { ...FACE, faces: 2, yaw: null, pitch: null, motion: 0 },
  b: { ...FACE, yaw: 25, motion: 0 },
};

const box = (left: number): FaceBox => [left, 100, 150, 150];

/** One sample per second; returns `type@second`. The first three seconds are the warm-up. */
function play(samples: string, rules: FaceRules = RULES): { found: string[]; shown: string[] } {
  const debouncer = new FaceDebouncer(rules, { yaw: 0, pitch: 0 });
  const shown: string[] = [];
  const found = [...samples].flatMap((sample, second) => {
    const report = SAMPLES[sample];
    if (report === undefined) return [];
    // People sway; a printed face does not.
    const sway = sample === 'p' ? 0 : 4 + 4 * (second % 3);
    const boxes = Array.from({ length: report.faces ?? 0 }, (_, i) => box(100 + 250 * i + sway));
    const all = debouncer.check({ ...report, boxes }, second * 1_000);
    shown.push(debouncer.shown);
    return all.map(({ type }) => `${type}@${second}`);
  });
  return { found, shown };
}

const misses = (samples: string, rules: FaceRules = RULES) =>
  play(samples, rules).found.filter((one) => one.startsWith('face_not_detected'));

describe('with the accommodation for a covered face', () => {
  const rules = { ...RULES, faceCovered: true };

  it('records an absence once', () => {
    expect(play(`++++${'-'.repeat(200)}`, rules).found).toEqual(['face_not_detected@5']);
  });

  it('records at most one absence a minute when the face is found intermittently', () => {
    expect(misses('--+'.repeat(30), rules)).toEqual([
      'face_not_detected@4',
      'face_not_detected@67',
    ]);
  });

  it('records an absence once even if the server did not count it', () => {
    const debouncer = new FaceDebouncer(rules);
    const found = Array.from({ length: 90 }, (_, s) => {
      const all = debouncer.check(s < 4 ? FACE : NO_FACE, s * 1_000);
      if (all.length > 0) debouncer.notCounted();
      return all;
    });
    expect(found.flat()).toHaveLength(1);
  });

  it('does not report a lost camera while the detector is unsure', () => {
    expect(play('u'.repeat(200), rules).found).toEqual([]);
    expect(play('u'.repeat(100)).found).toEqual(['camera_unjudged@63']);
  });

  it('shows a face of which the detector is unsure as missing, and counts nothing', () => {
    const covered = play('+++++uuuu', rules).shown.slice(-4);
    expect(covered).toEqual(Array.from({ length: 4 }, () => 'not-detected'));
    // Any other reason remains, and so does the absence beside it.
    expect(play('+++++uuc?', rules).shown.slice(-2)).toEqual(['cannot-tell', 'cannot-tell']);
    expect(play('+++++u-u-u', rules).found).toEqual(play('+++++?-?-?', rules).found);
    expect(play('+++++uuuu').shown.at(-1)).toBe('cannot-tell');
  });

  it('does not change other detections', () => {
    expect(play(`+++2222${'d'.repeat(70)}`, rules).found).toEqual(
      play(`+++2222${'d'.repeat(70)}`).found,
    );
  });
});

describe('where pen and paper are allowed', () => {
  const six = { ...RULES, misses: 6 };
  const rules = { ...six, mayUsePaper: true };

  it.each([
    ['a lowered head', `++++${'v'.repeat(600)}`, []],
    ['a head lowered to the side', `++++${'w'.repeat(600)}`, []],
    ['a face lost while the head is lowered', `++++vv${'-'.repeat(60)}++++`, []],
    ['a lowered face of which the detector is unsure', `++++vv${'u'.repeat(60)}v++`, []],
    [
      'writing for ten minutes, with a look up each half minute',
      `++++${'vvv---u---u-------u------------+'.repeat(20)}`,
      [],
    ],
    ['looking to the side', '++++aaaaaa', ['looking_away@9']],
    ['looking up', '++++^^^^^^', ['looking_away@9']],
    ['a face lost from in front of the screen', '++++------', ['face_not_detected@9']],
    ['a chair that stays empty', `++++vv${'-'.repeat(80)}`, ['face_not_detected@71']],
    ['a covered camera', '++++vvccccc', ['camera_covered@10']],
  ])('%s', (_, samples, expected) => {
    expect(play(samples, rules).found).toEqual(expected);
  });

  it('a lowered head is looking away where they are not allowed', () => {
    expect(play('++++vvvvvv', six).found).toEqual(['looking_away@9']);
    expect(play('++++vv------', six).found).toEqual(['face_not_detected@11']);
  });

  it('warns only when it is time to look up', () => {
    const { shown } = play(`++++vv${'-'.repeat(60)}v`, rules);
    expect(new Set(shown.slice(6, 56))).toEqual(new Set(['lowered']));
    expect(new Set(shown.slice(56, 66))).toEqual(new Set(['not-detected']));
    expect(shown.at(-1)).toBe('ok');
  });

  it('takes a face that sank in the picture for lowered', () => {
    const debouncer = new FaceDebouncer(rules, { yaw: 0, pitch: 0 });
    const at = (top: number, s: number) =>
      debouncer.check({ ...FACE, boxes: [[100 + 3 * (s % 2), top, 150, 150]] }, s * 1_000);
    for (const [s, top] of [100, 100, 101, 100, 120, 160].entries()) at(top, s);
    const found = Array.from({ length: 50 }, (_, s) => debouncer.check(NO_FACE, (6 + s) * 1_000));
    expect(found.flat()).toEqual([]);
  });
});

describe('looking away', () => {
  const flags = (samples: string) => {
    const debouncer = new FaceDebouncer(RULES, { yaw: 0, pitch: 0 });
    return [...samples].flatMap((sample, s) => {
      const boxes = [box(100 + 4 * (s % 3))];
      return debouncer
        .check({ ...(SAMPLES[sample] ?? FACE), boxes }, s * 1_000)
        .map(({ type, durationMs }) => `${levelOf(type, durationMs)} ${type}@${s}`);
    });
  };

  it.each([
    [
      'is no matter for a reviewer when it is a glance',
      '++++aaaaaaaaa+++++',
      ['info looking_away@9'],
    ],
    [
      'is for a reviewer when glances add up to a minute',
      `++++${`${'a'.repeat(15)}${'+'.repeat(15)}`.repeat(6)}`,
      [
        'info looking_away@9',
        'info looking_away@39',
        'info looking_away@69',
        'info looking_away@99',
        'info looking_away@129',
        'low looking_away@129',
        'info looking_away@159',
      ],
    ],
    [
      'is for a reviewer when it lasts a minute',
      `++++${'a'.repeat(70)}`,
      ['info looking_away@9', 'low looking_away@64'],
    ],
    ['does not add up from short looks, as to a keyboard', `++++${'vvv+'.repeat(150)}`, []],
    [
      'does not add up over more than five minutes',
      `++++${`${'a'.repeat(6)}${'+'.repeat(44)}`.repeat(20)}`,
      Array.from({ length: 20 }, (_, i) => `info looking_away@${9 + 50 * i}`),
    ],
  ])('%s', (_, samples, expected) => {
    expect(flags(samples)).toEqual(expected);
  });
});

it('says truly in how many seconds a missing face counts, for any samples before', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...'++---d?uva'), { maxLength: 60 }),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      (samples, misses, mayUsePaper) => {
        const debouncer = new FaceDebouncer(
          { ...RULES, misses, mayUsePaper },
          { yaw: 0, pitch: 0 },
        );
        for (const [s, sample] of samples.entries()) {
          debouncer.check(SAMPLES[sample] ?? FACE, s * 1_000);
        }
        // Whatever was, then nobody is there any more.
        let due: number | null = null;
        for (let s = samples.length; s < samples.length + 150; s += 1) {
          const found = debouncer.check(NO_FACE, s * 1_000);
          const counted = found.some(({ type }) => type === 'face_not_detected');
          if (due !== null) expect(counted, `at ${s}`).toBe(s === due);
          const inMs = debouncer.countsInMs;
          due = counted || inMs === null ? null : s + inMs / 1_000;
        }
      },
    ),
  );
});

describe('a minute of inconclusive samples', () => {
  it.each([
    ['is recorded', '?'.repeat(180), ['camera_unjudged@63']],
    [
      'is recorded again at three minutes',
      '?'.repeat(600),
      ['camera_unjudged@63', 'camera_unjudged@183'],
    ],
    ['is recorded for a camera without a picture', 'n'.repeat(600), ['camera_lost@63']],
    [
      'is recorded again after a conclusive sample',
      `${'?'.repeat(80)}+${'?'.repeat(80)}`,
      ['camera_unjudged@63', 'camera_unjudged@141'],
    ],
    ['is not recorded when one sample was conclusive', `${'?'.repeat(60)}+${'?'.repeat(60)}`, []],
    [
      'is recorded for darkness in addition to the flag',
      'd'.repeat(100),
      ['camera_dark@7', 'camera_dark@63'],
    ],
  ])('%s', (_, samples, expected) => {
    expect(play(samples).found).toEqual(expected);
  });
});

describe('a missing face', () => {
  it.each([
    ['is ignored in the first three seconds', '---+', []],
    ['is ignored for a single sample', '++++-+-+-+-+', []],
    ['is a violation at the second miss in a row', '++++--', ['face_not_detected@5']],
    ['is not counted from inconclusive samples', '++++dddd????cccc', []],
    ['needs two misses, not a miss and a dark sample', '++++-d+-?+', []],
    ['counts across one inconclusive sample', '++++-?-', ['face_not_detected@6']],
    ['does not combine misses far apart', '++++-????-', []],
    [
      'needs two misses again after the cool-down',
      `++++--+${'-'.repeat(12)}`,
      ['face_not_detected@5', 'face_not_detected@17'],
    ],
    ['is one violation while it lasts', `++++${'-'.repeat(60)}`, ['face_not_detected@5']],
    [
      'is another violation after each further minute',
      `++++${'-'.repeat(130)}`,
      ['face_not_detected@5', 'face_not_detected@65', 'face_not_detected@125'],
    ],
    [
      'is the same violation after inconclusive samples',
      `++++${'-'.repeat(20)}dddddddd${'-'.repeat(20)}`,
      ['face_not_detected@5'],
    ],
    ['does not carry over misses from the cool-down', '++++----------+-+', ['face_not_detected@5']],
  ])('%s', (_, samples, expected) => {
    expect(misses(samples)).toEqual(expected);
  });

  it('is detected when samples are four seconds apart', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = [...'++--'].flatMap((sample, i) =>
      debouncer.check(SAMPLES[sample] ?? FACE, i * 4_000),
    );
    expect(found.map(({ type }) => type)).toEqual(['face_not_detected']);
    expect(debouncer.shown).toBe('not-detected');
  });

  it('takes as many misses as the policy sets', () => {
    expect(misses('++++---+----', { ...RULES, misses: 4 })).toEqual(['face_not_detected@11']);
  });

  it('is shown as a warning at the second miss, before it counts', () => {
    const { found, shown } = play('++++-----+', { ...RULES, misses: 6 });
    expect(found).toEqual([]);
    expect(shown.slice(3)).toEqual(['ok', 'ok', ...Array(4).fill('not-detected'), 'ok']);
  });

  it('counts under a six-miss policy only from six seconds on', () => {
    const six = { ...RULES, misses: 6 };
    for (const length of [2, 3, 4, 5]) {
      expect(misses(`++++${'-'.repeat(length)}++++`, six), `${length} s`).toEqual([]);
    }
    for (const length of [6, 8, 26, 40]) {
      expect(misses(`++++${'-'.repeat(length)}++++`, six), `${length} s`).toHaveLength(1);
    }
  });

  it('does not continue across a gap between samples', () => {
    const debouncer = new FaceDebouncer(RULES);
    for (const s of [0, 1, 2, 3]) debouncer.check(FACE, s * 1_000);
    debouncer.check(NO_FACE, 4_000);
    expect(debouncer.check(NO_FACE, 11_000)).toEqual([]);
  });

  it('is ignored after a new camera stream during warm-up and cool-down', () => {
    const debouncer = new FaceDebouncer(RULES);
    for (const s of [0, 1, 2, 3]) debouncer.check(FACE, s * 1_000);
    const found = [4, 5].flatMap((s) => debouncer.check(NO_FACE, s * 1_000));
    expect(found).toHaveLength(1);
    debouncer.restart();
    expect(debouncer.shown).toBe('starting');
    const after = [6, 7, 8, 9, 10, 11, 12, 13].flatMap((s) => debouncer.check(NO_FACE, s * 1_000));
    expect(after).toEqual([]);
  });

  it('can still count after the cool-down if the server did not count it', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = Array.from({ length: 30 }, (_, s) => {
      const all = debouncer.check(s < 4 ? FACE : NO_FACE, s * 1_000);
      // After a reload: the server's cool-down began before this page.
      if (s === 5) debouncer.notCounted();
      return all.map(({ type }) => `${type}@${s}`);
    });
    expect(found.flat()).toEqual(['face_not_detected@5', 'face_not_detected@17']);
  });

  it('is reported with engine, duration and measurements', () => {
    const debouncer = new FaceDebouncer(RULES);
    for (const s of [0, 1, 2, 3]) debouncer.check(FACE, s * 1_000);
    debouncer.check(NO_FACE, 4_000);
    expect(debouncer.check({ ...NO_FACE, engine: 'basic' }, 5_000)).toEqual([
      {
        type: 'face_not_detected',
        at: 5_000,
        durationMs: 2_000,
        engine: 'basic',
        notes: 'faces: 0, brightness: 120',
      },
    ]);
  });
});

describe('flags', () => {
  it.each([
    ['two faces at the second sample with both moving', '++++222', ['multiple_faces@6']],
    ['two faces in two of three samples', '++++2+2+2', ['multiple_faces@8']],
    ['no flag for two faces in single samples', '++++2++++2+++', []],
    ['two faces across inconclusive samples', '++++22????2', ['multiple_faces@10']],
    [
      'two faces again once they were gone and the cool-down is over',
      '++++222+++22222222222',
      ['multiple_faces@6', 'multiple_faces@16'],
    ],
    ['looking away for five seconds', '++++aaaaaa', ['looking_away@9']],
    ['no flag for looking away for four seconds, twice', '++++aaaa+aaaa', []],
    ['a dark picture for five samples', '++++ddddd', ['camera_dark@8']],
    ['a covered camera', '++++ccccc', ['camera_covered@8']],
    ['a frozen picture', '++++zzzzz', ['frozen_camera@8']],
    ['a dark picture, not a frozen one, when the light is off', '++++ffffffff', ['camera_dark@8']],
    ['no flag for a picture frozen for four samples', '++++zzzz+zzzz', []],
    ['only a frozen picture when it shows two faces', '++++2ttttttt', ['frozen_camera@9']],
    ['a face that does not move for twenty samples', 'p'.repeat(40), ['still_face@22']],
    [
      'no flag for a face that does not move for nineteen',
      `${'p'.repeat(18)}+${'p'.repeat(18)}+`,
      [],
    ],
    ['only a frozen picture when it shows a turned head', '++++abbbbbbbb', ['frozen_camera@9']],
  ])('%s', (_, samples, expected) => {
    expect(play(samples).found).toEqual(expected);
  });

  it('drops the samples before a gap', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = [0, 1, 2, 3, 4, 5, 6, 12].flatMap((s) => debouncer.check(DARK, s * 1_000));
    expect(found).toEqual([]);
  });

  it('takes the baseline pose from the first five samples', () => {
    const debouncer = new FaceDebouncer(RULES);
    const turned = { ...FACE, yaw: 30 };
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

it('shows no change at a single miss, and inconclusive samples as "cannot tell"', () => {
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

it('never counts twice within the cool-down, nor without enough misses, for any samples', () => {
  const sample = fc.constantFrom(...'+-d?c2zatb');
  fc.assert(
    fc.property(
      fc.array(sample, { maxLength: 120 }),
      fc.integer({ min: 1, max: 5 }),
      (samples, n) => {
        const rules = { ...RULES, misses: n };
        const seconds = misses(samples.join(''), rules).map((one) => Number(one.split('@')[1]));
        for (const [i, second] of seconds.entries()) {
          expect(
            samples.slice(0, second + 1).filter((one) => one === '-').length,
          ).toBeGreaterThanOrEqual(n);
          expect(samples[second]).toBe('-');
          if (i > 0) expect(second - (seconds[i - 1] ?? 0)).toBeGreaterThan(10);
        }
      },
    ),
  );
});

describe('a picture of a face on the wall', () => {
  const check = (debouncer: FaceDebouncer, s: number, boxes: FaceBox[]) =>
    debouncer.check({ ...FACE, faces: boxes.length, boxes }, s * 1_000).map(({ type }) => type);
  const person = (s: number): FaceBox => box(100 + 4 * (s % 2));
  const poster: FaceBox = [450, 60, 90, 90];

  it('is not a second person', () => {
    const debouncer = new FaceDebouncer(RULES);
    const found = Array.from({ length: 60 }, (_, s) => check(debouncer, s, [person(s), poster]));
    expect(found.flat()).toEqual([]);
  });

  it('does not hide a second person, and is flagged once it is alone', () => {
    const debouncer = new FaceDebouncer(RULES);
    const helper = (s: number): FaceBox => [250 + 3 * (s % 3), 80, 100, 100];
    const found = Array.from({ length: 90 }, (_, s) => {
      const boxes = [
        poster,
        ...(s < 50 ? [person(s)] : []),
        ...(s === 30 || s === 31 || s === 32 ? [helper(s)] : []),
      ];
      return check(debouncer, s, boxes).map((type) => `${type}@${s}`);
    });
    expect(found.flat()).toEqual(['multiple_faces@32', 'still_face@50']);
  });
});
