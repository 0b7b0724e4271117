import { expect, test } from 'vitest';
import { notesText } from './flag-notes.ts';

test.each([
  ['moved_to_phone', 'The attempt continued on a phone or tablet, where no camera is required.'],
  ['claims_phone', 'The page claims a phone or tablet, its requests a computer.'],
  ['no_touch_screen', 'It claims to be a phone or tablet, but has no touch screen.'],
  ['runs_on: Linux x86_64', 'It claims to be a phone or tablet, but runs on Linux x86_64.'],
  [
    'sent_again_here',
    'A still from an earlier moment of this attempt was sent again, byte for byte.',
  ],
  ['sent_again_elsewhere', 'A still from another attempt was sent again, byte for byte.'],
])('a code is a sentence: %s', (code, sentence) => {
  expect(notesText(code)).toBe(sentence);
});

test.each([
  'A still from another attempt was sent again, byte for byte.',
  'unseen; faces: 0',
  'runs_on',
  'constructor',
  '',
])('other notes stay as they are: %j', (notes) => {
  expect(notesText(notes)).toBe(notes);
});
