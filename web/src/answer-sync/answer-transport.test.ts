import { describe, expect, test } from 'vitest';
import { ApiError, ConnectionError } from '../net/api.ts';
import { refusedRows, saveFailure } from './answer-transport.ts';

const refusal = (
  status: number,
  code: string,
  more: Partial<ConstructorParameters<typeof ApiError>[0]> = {},
) => new ApiError({ status, code, sentence: 'A sentence', ...more });

describe('the outcome of a failed save', () => {
  const cases: [string, unknown, unknown][] = [
    ['no network', new ConnectionError('unreachable', null), { kind: 'try-again', afterMs: null }],
    [
      'a captive portal',
      new ConnectionError('unreadable', null),
      { kind: 'try-again', afterMs: null },
    ],
    [
      'an aborted request',
      new DOMException('', 'AbortError'),
      { kind: 'try-again', afterMs: null },
    ],
    ['500', refusal(500, 'INTERNAL'), { kind: 'try-again', afterMs: null }],
    [
      '503',
      refusal(503, 'UNAVAILABLE', { retryAfterSeconds: 2 }),
      { kind: 'try-again', afterMs: 2_000 },
    ],
    [
      '429',
      refusal(429, 'THROTTLED', { retryAfterSeconds: 7 }),
      { kind: 'try-again', afterMs: 7_000 },
    ],
    ['403 with another code', refusal(403, 'FOREIGN_ORIGIN'), { kind: 'try-again', afterMs: null }],
    ...[400, 401, 403, 404, 409].map((status): [string, unknown, unknown] => [
      `a proxy's ${status}`,
      refusal(status, 'UNKNOWN'),
      { kind: 'try-again', afterMs: null },
    ]),
    ["a proxy's 413", refusal(413, 'UNKNOWN'), { kind: 'too-large' }],
    ['413', refusal(413, 'TOO_LARGE'), { kind: 'too-large' }],
    ['a takeover', refusal(401, 'SESSION_REPLACED'), { kind: 'replaced' }],
    ['another candidate signed in', refusal(404, 'NOT_FOUND'), { kind: 'foreign' }],
    ['an administrator signed in', refusal(403, 'FORBIDDEN'), { kind: 'foreign' }],
    [
      'an unknown question',
      refusal(404, 'NOT_FOUND', { issues: [{ path: 'answers.0.questionId', message: 'Unknown' }] }),
      {
        kind: 'refused',
        rows: [{ index: 0, reason: 'refused', message: 'Unknown' }],
        message: 'A sentence',
      },
    ],
    ['an expired session', refusal(401, 'NOT_SIGNED_IN'), { kind: 'signed-out' }],
    [
      'the end',
      refusal(403, 'ATTEMPT_CLOSED', {
        details: { status: 'completed', submissionType: 'auto' },
      }),
      { kind: 'closed', status: 'completed', submissionType: 'auto' },
    ],
    [
      'the end, with details from another version',
      refusal(403, 'ATTEMPT_CLOSED', { details: { status: 'paused' } }),
      { kind: 'closed', status: null, submissionType: null },
    ],
    [
      'rows without names',
      refusal(400, 'INVALID_INPUT'),
      { kind: 'refused', rows: [], message: 'A sentence' },
    ],
  ];
  test.each(cases)('%s', (_name, error, outcome) => {
    expect(saveFailure(error)).toEqual(outcome);
  });
});

test('reads each refused row once from the paths of the issues', () => {
  const error = refusal(409, 'REVISION_CONFLICT', {
    issues: [
      { path: 'answers.3', message: 'changed elsewhere' },
      { path: 'answers.3.revision', message: 'again' },
      { path: 'answers.10', message: 'too' },
      { path: 'answers', message: 'all' },
      { path: 'somewhere.1', message: 'else' },
    ],
  });
  expect(refusedRows(error)).toEqual([
    { index: 3, reason: 'conflict', message: 'changed elsewhere' },
    { index: 10, reason: 'conflict', message: 'too' },
  ]);
  const [row] = refusedRows(
    refusal(404, 'NOT_FOUND', { issues: [{ path: 'answers.0', message: 'unknown' }] }),
  );
  expect(row?.reason).toBe('refused');
});
