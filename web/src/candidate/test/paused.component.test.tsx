import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { givenAttempt } from '../../testing/attempts.ts';
import { ATTEMPT, paperQuestion } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import type { AttemptPhase } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { AssessmentScreen } from './assessment-screen.tsx';
import { AttemptLayout } from './attempt-layout.tsx';

async function showTest(width: number, breaks = { left: 2, leftMs: 900_000 }) {
  await page.viewport(width, 844);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(5_000_000);
  vi.spyOn(currentAttempt, 'pausedLeftMs').mockReturnValue(245_000);
  window.history.replaceState(null, '', '/quiz/assessment');
  const given = (phase: AttemptPhase) =>
    givenAttempt({
      phase,
      participant: { ...ATTEMPT, breaks, policy: { ...ATTEMPT.policy, fullscreen: false } },
      paper: [paperQuestion('a', { question: 'First?', options: ['yes', 'no'] })],
    });
  const shown = () => (
    <AttemptLayout>
      <AssessmentScreen />
    </AttemptLayout>
  );
  given({ kind: 'running' });
  const { rerender } = await show(shown());
  return async (phase: AttemptPhase) => {
    given(phase);
    await rerender(shown());
  };
}

test.each([1_440, 390])('a pause covers the questions and says why: %i', async (width) => {
  const given = await showTest(width);
  await expect.element(page.getByText('First?')).toBeVisible();
  await given({ kind: 'paused', reason: 'Fire alarm. Leave the room.', isOpen: true });
  const panel = page.getByRole('alertdialog', { name: 'Your time is stopped' });
  await expect.poll(() => wordsIn(panel)).toContain('Fire alarm. Leave the room.');
  expect(wordsIn(panel)).toContain('Keep this page open');
  await expect.element(panel).toHaveFocus();
  expect(panel.getByRole('button').elements()).toEqual([]);
  // None of the question is in the page.
  expect(document.body.textContent).not.toMatch(/First\?|yes/);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  await given({ kind: 'paused', reason: 'Fire alarm. Leave the room.', isOpen: false });
  await expect.poll(() => wordsIn(panel.getByRole('timer'))).toContain('04:05');
  await given({ kind: 'running' });
  await expect.element(page.getByText('First?')).toBeVisible();
});

test.each([
  [1_440, 'Take a break'],
  [390, 'Q 1/1, show all questions'],
] as const)('a break is taken and ended by the candidate: %i', async (width, way) => {
  const taken = vi.spyOn(currentAttempt, 'takeBreak').mockResolvedValue();
  const given = await showTest(width);
  await page.getByRole('button', { name: way }).click();
  const place = page.getByRole('dialog');
  await expect.poll(() => wordsIn(place)).toContain('2 breaks left, 15 minutes in all.');
  taken.mockRejectedValueOnce(new Error('gone'));
  await place.getByRole('button', { name: 'Take a break' }).click();
  expect(taken).toHaveBeenLastCalledWith(true);
  await expect.element(place.getByRole('alert')).toBeVisible();
  await given({ kind: 'paused', reason: null, isOpen: false });
  const panel = page.getByRole('alertdialog', { name: 'You are on a break' });
  await expect.poll(() => wordsIn(panel.getByRole('timer'))).toContain('04:05');
  await panel.getByRole('button', { name: 'Continue now' }).click();
  expect(taken).toHaveBeenLastCalledWith(false);
});
