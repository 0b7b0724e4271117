import { expect, it } from 'vitest';
import { isGuessable } from './guessable-password.ts';

const CONTEXT = ['maria.keller@example.org', 'https://exams.university.example'];

it.each([
  'password1234',
  'P@ssw0rd1234',
  'passwordpassword',
  '123456789012',
  'qwertyuiop12',
  '1q2w3e4r5t6y',
  'iloveyou1234',
  'letmeinletmein',
  'aaaaaaaaaaaa',
  'abcabcabcabc',
  'unbelievable',
  'superman1234',
  'Invigil2026!!',
  'invigil-invigil',
  'maria.keller@example.org',
  'KellerMaria1987',
  'university.exams',
  'x'.repeat(200),
])('refuses %s', async (password) => {
  expect(await isGuessable(password, CONTEXT)).toBe(true);
});

it.each([
  'correct horse battery',
  'granite lantern otter',
  'jlkajs8923jkasd',
  'correct horse battery staple',
  'Str0ngPassw0rd!',
  'ünïcødé ist überall da',
  '}{#~@:?><|&`;',
  'die Katze schläft auf dem Herd',
  'keller unter der roten mühle',
])('accepts %s', async (password) => {
  expect(await isGuessable(password, CONTEXT)).toBe(false);
});
