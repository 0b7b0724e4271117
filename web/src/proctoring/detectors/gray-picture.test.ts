import { describe, expect, it } from 'vitest';
import { EDGE_HEIGHT, EDGE_WIDTH, edgeFigures, grayFigures, grayOf } from './gray-picture.ts';

describe('the gray picture', () => {
  it('weighs the colors by perceived brightness', () => {
    const rgba = Uint8ClampedArray.of(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255);
    expect([...grayOf(rgba)]).toEqual([76, 149, 29]);
  });

  it.each([
    ['black', [0, 0, 0, 0], { brightness: 0, contrast: 0 }],
    ['an even gray', [90, 90, 90, 90], { brightness: 90, contrast: 0 }],
    ['half black, half white', [0, 255, 0, 255], { brightness: 127.5, contrast: 127.5 }],
  ])('measures %s', (_, gray, figures) => {
    expect(grayFigures(Uint8Array.from(gray), null)).toEqual({ ...figures, motion: null });
  });

  it('measures motion, 0 for a frozen picture', () => {
    const before = Uint8Array.of(10, 20, 30, 40);
    expect(grayFigures(before.slice(), before).motion).toBe(0);
    expect(grayFigures(Uint8Array.of(12, 18, 30, 44), before).motion).toBe(2);
  });
});

describe('the edges of a picture', () => {
  /** Bright bars that fade over `fade` pixels, with noise of at most `noise` gray levels. */
  const bars = (fade: number, noise = 0, height = 120) => {
    let state = 1;
    const wobble = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 2 ** 32 - 0.5) * 2 * noise;
    };
    return Uint8Array.from({ length: EDGE_WIDTH * EDGE_HEIGHT }, (_, i) => {
      const x = (i % EDGE_WIDTH) % 40;
      const rise = 1 / (1 + Math.exp(-(x - 10) / fade));
      const fall = 1 / (1 + Math.exp((x - 30) / fade));
      return Math.round(60 + height * (rise + fall - 1) + wobble());
    });
  };

  it.each([0, 3])('are sharp or blurred, whatever the noise: %i', (noise) => {
    expect(edgeFigures(bars(0.1, noise)).sharpness).toBeGreaterThan(0.9);
    expect(edgeFigures(bars(1.6, noise)).sharpness).toBeLessThan(0.55);
  });

  it('are not found in noise or in a single color', () => {
    const even = new Uint8Array(EDGE_WIDTH * EDGE_HEIGHT).fill(90);
    expect(edgeFigures(even)).toEqual({ steepest: 0, sharpness: 0 });
    expect(edgeFigures(bars(1, 3, 0)).steepest).toBeLessThan(8);
  });
});
