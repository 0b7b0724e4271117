import { expect, test } from 'vitest';
import { violation } from '../../../testing/record-rows.ts';
import { countedText, figuresText, lastingText, signalLines } from './signal-lines.ts';

test.each([
  [0, '1 s'],
  [59_000, '59 s'],
  [60_000, '1 min'],
  [80_000, '1 min 20 s'],
  [3_900_000, '1 h 5 min'],
])('%i ms last %s', (ms, text) => expect(lastingText(ms)).toBe(text));

test('omits unknown values', () => {
  expect(signalLines(violation())).toEqual([]);
  expect(signalLines(violation({ notes: '', candidateNote: '' }))).toEqual([]);
});

test('shows the position of a counted violation', () => {
  const exit = violation({ type: 'fullscreen_exit' });
  const dark = violation({ type: 'camera_dark', counted: false });
  const voice = violation({ type: 'voice_detected' });
  const all = [violation(), exit, dark, voice];
  const count = { violationCount: 2, violationLimit: 3 };
  expect(countedText(voice, all, count)).toBe('Counted 2 of 3');
  expect(countedText(exit, all, count)).toBe('Counted');
  expect(countedText(dark, all, count)).toBe('Not counted');
  expect(countedText(voice, all, { ...count, violationLimit: null })).toBe('Counted');
  // The policy combines one type only, so there is no combined position.
  expect(countedText(voice, all, { ...count, violationCount: 1 })).toBe('Counted');
});

test.each([
  ['faces: 0, brightness: 82', 'No one in view, good light.'],
  ['faces: 2, brightness: 40', '2 faces, dim light.'],
  ['faces: 0, brightness: 12', 'No one in view, too dark to tell.'],
  [
    'faces: 1, brightness: 120, yaw: 14, pitch: -5',
    'One face, good light, head turned 14° to their left and 5° down.',
  ],
  ['brightness: 120', 'Good light.'],
  ['speech: 82 %', 'Speech in 82 % of the window.'],
  ['loud: above 120', 'Louder than 120 for several readings.'],
  ['blurred', 'The picture was out of focus.'],
  ['OBS Virtual Camera', 'OBS Virtual Camera'],
])('the figures %s mean: %s', (notes, words) => {
  expect(figuresText(notes)).toBe(words);
});
