import { describe, expect, it } from 'vitest';
import { FrameCutter, Resampler } from './resampler.ts';

const TO = 16_000;

function tone(hertz: number, rate: number, seconds = 1): Float32Array {
  return Float32Array.from({ length: rate * seconds }, (_, i) =>
    Math.sin((2 * Math.PI * hertz * i) / rate),
  );
}

function strength(samples: Float32Array): number {
  // Ignore the filter's transients at both ends.
  const middle = samples.slice(200, -200);
  return Math.sqrt(middle.reduce((sum, x) => sum + x * x, 0) / middle.length);
}

describe.each([8_000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000])('from %i Hz', (rate) => {
  it('produces 16,000 samples per second', () => {
    const made = new Resampler(rate, TO).push(tone(440, rate));
    expect(Math.abs(made.length - TO)).toBeLessThan(40);
  });

  it('preserves level and pitch of a tone in the range of speech', () => {
    const made = new Resampler(rate, TO).push(tone(1_000, rate));
    expect(strength(made)).toBeCloseTo(Math.SQRT1_2, 2);
    const rises = made.filter((x, i) => x >= 0 && (made[i - 1] ?? 0) < 0).length;
    expect(Math.abs(rises - 1_000)).toBeLessThan(5);
  });

  it('produces the same output for any block size', () => {
    const sound = tone(700, rate, 0.2);
    const whole = new Resampler(rate, TO).push(sound);
    const resampler = new Resampler(rate, TO);
    const parts: number[] = [];
    for (let at = 0; at < sound.length; at += 128) {
      parts.push(...resampler.push(sound.slice(at, at + 128)));
    }
    expect(parts.length).toBe(whole.length);
    expect(parts).toEqual([...whole]);
  });
});

it.each([44_100, 48_000, 96_000])('does not alias frequencies above 8 kHz (%i Hz)', (rate) => {
  for (const hertz of [9_500, 12_000, 15_000]) {
    expect(strength(new Resampler(rate, TO).push(tone(hertz, rate)))).toBeLessThan(0.01);
  }
});

it('cuts frames without losing or repeating a sample', () => {
  const cutter = new FrameCutter(4);
  expect(cutter.push(Float32Array.of(1, 2, 3))).toEqual([]);
  expect(cutter.push(Float32Array.of(4, 5))).toEqual([Float32Array.of(1, 2, 3, 4)]);
  expect(cutter.push(Float32Array.of(6, 7, 8, 9, 10, 11, 12, 13))).toEqual([
    Float32Array.of(5, 6, 7, 8),
    Float32Array.of(9, 10, 11, 12),
  ]);
});
