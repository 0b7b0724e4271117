import { describe, expect, it } from 'vitest';
import { type FoundFace, faceVerdict } from './face-verdict.ts';

const LIT = { brightness: 120, contrast: 40, motion: 3 };
const AHEAD: FoundFace = { box: [180, 90, 300, 300], yaw: 0, pitch: 0 };
const boxed = (...box: FoundFace['box']): FoundFace => ({ ...AHEAD, box });

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
    const one = faceVerdict([{ ...AHEAD, yaw: quarter, pitch: -quarter }], LIT, 30);
    expect(one.yaw).toBeCloseTo(-45);
    expect(one.pitch).toBeCloseTo(45);
    expect(faceVerdict([AHEAD, boxed(10, 90, 120, 120)], LIT, 30)).toMatchObject({
      faces: 2,
      yaw: null,
      pitch: null,
    });
  });

  // Boxes as the model gave them for pictures of the bench: one turned head, and two people.
  it.each([
    [
      'a face within a face is the same one',
      boxed(184, 133, 311, 311),
      boxed(249, 124, 151, 151),
      1,
    ],
    [
      'the larger box counts, whichever comes first',
      boxed(232, 123, 121, 120),
      boxed(179, 128, 319, 319),
      1,
    ],
    [
      'somebody far behind a shoulder is another',
      boxed(117, 71, 420, 409),
      boxed(519, 54, 95, 95),
      2,
    ],
    ['two side by side are two', boxed(391, 211, 207, 207), boxed(0, 170, 331, 309), 2],
  ])('%s', (_, one, other, faces) => {
    expect(faceVerdict([one, other], LIT, 30).faces).toBe(faces);
  });

  it('tells where a face looks that was found twice, by its larger box', () => {
    const inner = { ...boxed(249, 134, 151, 151), yaw: 1 };
    expect(faceVerdict([inner, AHEAD], LIT, 30).yaw).toBeCloseTo(0);
  });
});
