import { expect, test } from 'vitest';
import { readReceipt, receiptFacts, receiptIn } from './receipt.ts';

const content = {
  version: 1,
  id: '4M8TX-Q2WVK',
  participantId: '019a0000-0000-7000-8000-000000000001',
  submittedAt: '2026-05-14T10:20:41.000Z',
  answeredCount: 22,
  totalQuestions: 25,
  digest: 'x7Jd0m-uYkq_9aQy1rJgk3fQH0m8lq0b3V5r2u1cX4o',
} as const;
const body = Buffer.from(JSON.stringify(content)).toString('base64url');
const signed = `${body}.${Buffer.alloc(64, 0xfb).toString('base64url')}`;

test.each(['', '.', 'no receipt', 'bm8.bm8', `${body.slice(4)}.x`, '💥.💥'])(
  'rejects an invalid receipt: %j',
  (text) => {
    expect(readReceipt(text)).toBeNull();
  },
);

test('reads number, time, answers and fingerprint', () => {
  expect(readReceipt(signed)).toEqual(content);
  const facts = Object.fromEntries(receiptFacts(content));
  expect(facts).toMatchObject({
    Receipt: '4M8TX-Q2WVK',
    'Questions answered': '22 of 25',
    'Fingerprint of the answers': content.digest,
  });
  expect(facts.Submitted).toMatch(/^1[45] May 2026, \d\d:\d0:41 \S+/);
});

test.each([
  ['itself', signed],
  ['a saved file', `${signed}\n`],
  ['broken into lines', `${signed.match(/.{1,60}/g)?.join('\r\n  ')}`],
  [
    'a whole mail',
    `We have your answers.\n\nReceipt: 4M8TX-Q2WVK\nsee example.org.\n\n${signed}\n`,
  ],
  [
    'a raw mail with its long lines broken',
    `Content-Transfer-Encoding: quoted-printable\n\nReceipt:\n\n${signed.match(/.{1,75}/g)?.join('=\r\n')}\n`,
  ],
  ['its HTML', `<p style="margin:0">${signed}</p>`],
])('is found in %s', (_name, text) => {
  expect(receiptIn(text)).toBe(signed);
});

test('returns anything else trimmed, for the server to validate', () => {
  expect(receiptIn('  something else ')).toBe('something else');
});
