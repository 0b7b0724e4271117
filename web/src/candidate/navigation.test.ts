import { expect, test } from 'vitest';
import type { AttemptPhase, EndedBy } from './attempt/attempt-state.ts';
import { pageOf } from './navigation.ts';

const summary = {
  timeSpent: 1,
  answeredCount: 1,
  totalQuestions: 5,
  violationCount: 3,
  submissionType: 'dismissed',
} as const;
const rest = { receipt: { id: '', signed: '' }, lateCount: 0, by: 'candidate' } as const;
const submitting = (by: EndedBy, tries = 0) => ({ kind: 'submitting', by, tries }) as const;
const failed = { kind: 'failed', failure: { kind: 'questions', message: '' } } as const;

test.each<[string, AttemptPhase, string | null]>([
  ['a running attempt stays', { kind: 'running' }, null],
  ['questions that did not load stay', failed, null],
  ['a submit in progress stays on the screen of its button', submitting('candidate'), null],
  ['a failed submit continues on the thank-you page', submitting('candidate', 1), '/quiz/thankyou'],
  ['the end of the time', submitting('time'), '/quiz/thankyou'],
  ['an end by the administrator', submitting('server'), '/quiz/thankyou'],
  ['a dismissal before the response', submitting('dismissal'), '/quiz/dismissed'],
  [
    'a dismissal by the summary, whatever was requested',
    { kind: 'ended', summary: { ...summary, status: 'dismissed' }, ...rest },
    '/quiz/dismissed',
  ],
  [
    'a completed attempt',
    { kind: 'ended', summary: { ...summary, status: 'completed' }, ...rest },
    '/quiz/thankyou',
  ],
])('%s', (_name, phase, page) => {
  expect(pageOf(phase)).toBe(page);
});
