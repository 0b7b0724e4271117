import { describe, expect, it } from 'vitest';
import { greyFigures, greyOf } from './grey-picture.ts';

describe('the grey picture', () => {
  it('weighs the colours as eyes do', () => {
    const rgba = Uint8ClampedArray.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255);
    expect([...greyOf(rgba)]).toEqual([76, 149, 29]);
  });

  it.each([
    ['black', [0, 0, 0, 0], { brightness: 0, contrast: 0 }],
    ['an even grey', [90, 90, 90, 90], { brightness: 90, contrast: 0 }],
    ['half black, half white', [0, 255, 0, 255], { brightness: 127.5, contrast: 127.5 }],
  ])('measures %s', (_, grey, figures) => {
    expect(greyFigures(Uint8Array.from(grey), null)).toEqual({ ...figures, motion: null });
  });

  it('tells a frozen picture from a live one', () => {
    const before = Uint8Array.of(10, 20, 30, 40);
    expect(greyFigures(before.slice(), before).motion).toBe(0);
    expect(greyFigures(Uint8Array.of(12, 18, 30, 44), before).motion).toBe(2);
  });
});
