import { describe, expect, it } from 'vitest';
import { type FoundFace, faceVerdict, whyUnseen } from './face-verdict.ts';

const LIT = { brightness: 120, contrast: 40, motion: 3 };
const AHEAD: FoundFace = { box: [180, 90, 300, 300], yaw: 0, pitch: 0 };
const boxed = (...box: FoundFace['box']): FoundFace => ({ ...AHEAD, box });

const EDGED = { steepest: 50, sharpness: 1.3 };

describe('a picture without a face', () => {
  it.each([
    ['dark', { brightness: 29, contrast: 12 }, EDGED, 'dark'],
    ['of one color', { brightness: 150, contrast: 3.9 }, EDGED, 'covered'],
    ['black', { brightness: 2, contrast: 1 }, EDGED, 'covered'],
    ['of a finger on the lens', { brightness: 35, contrast: 7.9 }, EDGED, 'covered'],
    ['of a lit sheet of paper', LIT, { steepest: 3.9, sharpness: 2 }, 'covered'],
    ['out of focus', LIT, { steepest: 30, sharpness: 0.54 }, 'blurred'],
  ])('is inconclusive when %s', (_, figures, edges, reason) => {
    expect(whyUnseen(figures, edges)).toBe(reason);
  });

  it.each([
    ['a lit room', LIT],
    ['just enough light', { brightness: 30, contrast: 10 }],
    ['an even wall that is lit', { brightness: 60, contrast: 4 }],
  ])('means that no one is there when it shows %s', (_, figures) => {
    expect(whyUnseen(figures, EDGED)).toBeNull();
  });
});

describe('the verdict', () => {
  it('is "no" or inconclusive with a reason', () => {
    expect(faceVerdict([], LIT, null, 30)).toMatchObject({ verdict: 'no', faces: 0, boxes: [] });
    expect(faceVerdict([], LIT, 'unsure', 30)).toMatchObject({
      verdict: 'cannot-tell',
      reason: 'unsure',
      faces: null,
      yaw: null,
    });
  });

  it.each([
    ['dark', { brightness: 5, contrast: 2, motion: 0 }],
    ['lit', LIT],
  ])('is "yes" for a face found in a %s picture', (_, figures) => {
    const report = faceVerdict([AHEAD], figures, null, 30);
    expect(report).toMatchObject({ verdict: 'yes', reason: null, faces: 1, engine: 'model' });
  });

  it("has the pose of a single face, positive to the person's left and up", () => {
    const quarter = Math.PI / 4;
    const one = faceVerdict([{ ...AHEAD, yaw: quarter, pitch: -quarter }], LIT, null, 30);
    expect(one.yaw).toBeCloseTo(-45);
    expect(one.pitch).toBeCloseTo(45);
    expect(faceVerdict([AHEAD, boxed(10, 90, 120, 120)], LIT, null, 30)).toMatchObject({
      faces: 2,
      yaw: null,
      pitch: null,
    });
  });

  // Boxes from the model for pictures of the bench: one turned head, and two people.
  it.each([
    ['counts a face within a face once', boxed(184, 133, 311, 311), boxed(249, 124, 151, 151), 1],
    [
      'counts the larger box, whichever comes first',
      boxed(232, 123, 121, 120),
      boxed(179, 128, 319, 319),
      1,
    ],
    ['counts a person behind a shoulder', boxed(117, 71, 420, 409), boxed(519, 54, 95, 95), 2],
    ['counts two people side by side', boxed(391, 211, 207, 207), boxed(0, 170, 331, 309), 2],
  ])('%s', (_, one, other, faces) => {
    expect(faceVerdict([one, other], LIT, null, 30).faces).toBe(faces);
  });

  it('takes the pose of a face found twice from its larger box', () => {
    const inner = { ...boxed(249, 134, 151, 151), yaw: 1 };
    expect(faceVerdict([inner, AHEAD], LIT, null, 30).yaw).toBeCloseTo(0);
  });
});
