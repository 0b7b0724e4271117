import { describe, expect, it } from 'vitest';
import { skinRule } from '../engines/basic-face.ts';

type Color = [red: number, green: number, blue: number];
const SKIN: Color = [200, 150, 120];
const GRAY: Color = [40, 40, 40];
const PIXELS = 1_000;

/** A picture of a thousand pixels, `first` of them in the first color. */
function picture(first: number, one: Color, other: Color) {
  const data = new Uint8ClampedArray(PIXELS * 4);
  for (let i = 0; i < PIXELS; i += 1) data.set([...(i < first ? one : other), 255], i * 4);
  return { data };
}

describe('the skin rule of the seed', () => {
  it.each([
    ['nothing', 0, false],
    ['exactly 1 %, which is not above 1 %', 10, false],
    ['1.1 %', 11, true],
    ['all of it', PIXELS, true],
  ])('with skin on %s of the picture', (_, skin, face) => {
    const verdict = skinRule(picture(skin, SKIN, GRAY));
    expect(verdict.share).toBe(skin / PIXELS);
    expect(verdict.face).toBe(face);
  });

  it.each([
    ['a mean of exactly 30, which is not above 30', [22, 22, 23], 30, false],
    ['a little more', [23, 22, 23], 30.3, true],
  ] as [string, Color, number, boolean][])('needs light: %s', (_, ground, brightness, face) => {
    const verdict = skinRule(picture(100, [150, 90, 57], ground));
    expect(verdict.brightness).toBeCloseTo(brightness, 10);
    expect(verdict.face).toBe(face);
  });

  it.each([
    ['red of 95', [95, 60, 40], false],
    ['red of 96', [96, 60, 40], true],
    ['green of 40', [150, 40, 30], false],
    ['green of 41', [150, 41, 30], true],
    ['blue of 20', [150, 100, 20], false],
    ['blue of 21', [150, 100, 21], true],
    ['a range of 15', [115, 100, 100], false],
    ['red 15 above green', [115, 100, 90], false],
    ['red 16 above green', [116, 100, 90], true],
    ['green above red', [100, 130, 60], false],
    ['blue above red', [120, 60, 130], false],
  ] as [string, Color, boolean][])('classifies skin: %s', (_, color, skin) => {
    expect(skinRule(picture(PIXELS, color, GRAY)).share).toBe(skin ? 1 : 0);
  });
});
