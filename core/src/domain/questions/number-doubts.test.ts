import { expect, it } from 'vitest';
import { doubtInNumber } from './number-doubts.ts';
import { readTypedNumber } from './typed-numbers.ts';

function doubtIn(text: string, question: string) {
  const typed = readTypedNumber(text, true);
  if (typeof typed === 'string') throw new Error(`${text}: ${typed}`);
  return doubtInNumber(text, typed, question);
}

it.each([
  ['How long is the rope, in metres?', '5 kg'],
  ['How long is the rope in m?', '5 s'],
  ['How long is the rope (in cm)?', '5 m/s'],
  ['How many kilograms of salt remain?', '5 l'],
  ['Give the speed in km/h.', '5 km'],
  ['Give the speed in metres per second.', '5 N'],
  ['The area is ____ m².', '5 m'],
  ['What is the force in $\\mathrm{N}$?', '5 J'],
  ['What is the boiling point in °C?', '373 m'],
  ['What is the length, in metres?', '5 °C'],
  ['How many bytes has it?', '5 s'],
  ['What does it cost, in euros?', '5 kg'],
  // It is no unit at all, so that none of a key can be meant.
  ['How long is the rope, in metres?', '5 aples'],
  ['How long is the rope, in metres?', '5 €'],
])('%s: %s cannot be meant', (question, text) => {
  expect(doubtIn(text, question)).toBe('unit');
});

it.each([
  // A key may name any unit of the same kind.
  ['How long is the rope, in metres?', '500 cm'],
  ['How long is the rope, in metres?', '5 Metres'],
  ['How long is the rope in m?', '16 ft'],
  ['Give the speed in km/h.', '5 m/s'],
  ['Give the speed in metres per second.', '18 kilometers per hour'],
  ['The area is ____ m².', '5 square metres'],
  ['What is the volume in litres?', '5 dm³'],
  ['What is the work in J?', '5 N m'],
  ['What is the force in $\\mathrm{N}$?', '5 kg m/s^2'],
  ['What is the boiling point in °C?', '373 K'],
  ['How long does it take, in minutes?', '2 days'],
  // The question asks for no unit, or for none that is known.
  ['How long is the rope?', '5 kg'],
  ['How many apples are in a row?', '5 pieces'],
  ['In C, how large is an int?', '4 bytes'],
  // It names the unit elsewhere.
  ['Is it 5 furlongs? Give the length in metres.', '5 furlongs'],
  ['Give the share in percent.', '5 %'],
])('%s: %s may be meant', (question, text) => {
  expect(doubtIn(text, question)).toBeNull();
});

it('doubts a comma before three digits', () => {
  expect(doubtIn('1,000', 'How many?')).toBe('thousands');
  expect(doubtIn('1,00', 'How many?')).toBeNull();
});
