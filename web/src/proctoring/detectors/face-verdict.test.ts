import { describe, expect, it } from 'vitest';
import { faceVerdict } from './face-verdict.ts';

const LIT = { brightness: 120, contrast: 40, motion: 3 };
const AHEAD = { yaw: 0, pitch: 0 };

describe('what the model found', () => {
  it.each([
    ['a dark picture', { brightness: 29, contrast: 12 }, 'dark'],
    ['a picture of one colour', { brightness: 150, contrast: 3.9 }, 'covered'],
    ['a finger on the lens', { brightness: 35, contrast: 7.9 }, 'covered'],
  ])('never says no about %s', (_, figures, reason) => {
    const report = faceVerdict([], { ...figures, motion: 0 }, 30);
    expect(report).toMatchObject({ verdict: 'cannot-tell', reason, faces: null, yaw: null });
  });

  it.each([
    ['a lit room', LIT],
    ['just enough light', { brightness: 30, contrast: 10, motion: 1 }],
    ['an even wall that is lit', { brightness: 60, contrast: 4, motion: 1 }],
  ])('says no where nobody is in %s', (_, figures) => {
    expect(faceVerdict([], figures, 30)).toMatchObject({ verdict: 'no', reason: null, faces: 0 });
  });

  it.each([
    ['dark', { brightness: 5, contrast: 2, motion: 0 }],
    ['lit', LIT],
  ])('believes a face that was found in a %s picture', (_, figures) => {
    const report = faceVerdict([AHEAD], figures, 30);
    expect(report).toMatchObject({ verdict: 'yes', reason: null, faces: 1, engine: 'model' });
  });

  it("tells where one face looks, to the person's left and up, and of two nothing", () => {
    const quarter = Math.PI / 4;
    const one = faceVerdict([{ yaw: quarter, pitch: -quarter }], LIT, 30);
    expect(one.yaw).toBeCloseTo(-45);
    expect(one.pitch).toBeCloseTo(45);
    expect(faceVerdict([AHEAD, AHEAD], LIT, 30)).toMatchObject({
      faces: 2,
      yaw: null,
      pitch: null,
    });
  });
});
