import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { givenAttempt } from '../../testing/attempts.ts';
import { ATTEMPT, paperQuestion } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { NO_ATTEMPT, type RaisedHand } from '../attempt/attempt-state.ts';
import { currentAttempt } from '../current-attempt.ts';
import { AssessmentScreen } from './assessment-screen.tsx';
import { AttemptLayout } from './attempt-layout.tsx';
import { ReviewScreen } from './review-screen.tsx';

const UP = 'Your hand is up. Somebody will answer here.';

async function showTest(
  width: number,
  screen: 'assessment' | 'review' = 'assessment',
): Promise<(hand: Partial<RaisedHand>) => Promise<void>> {
  await page.viewport(width, 844);
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.spyOn(currentAttempt, 'remainingMs').mockReturnValue(5_000_000);
  vi.spyOn(currentAttempt, 'totalMs', 'get').mockReturnValue(6_000_000);
  window.history.replaceState(null, '', `/quiz/${screen}`);
  const given = (hand: Partial<RaisedHand>) =>
    givenAttempt({
      phase: { kind: 'running' },
      participant: { ...ATTEMPT, policy: { ...ATTEMPT.policy, fullscreen: false } },
      paper: [paperQuestion('a', { question: 'First?', options: ['yes', 'no'] })],
      hand: { ...NO_ATTEMPT.hand, ...hand },
    });
  const shown = () => (
    <AttemptLayout>
      {screen === 'assessment' ? <AssessmentScreen /> : <ReviewScreen />}
    </AttemptLayout>
  );
  given({});
  const { rerender } = await show(shown());
  return async (hand) => {
    given(hand);
    await rerender(shown());
  };
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

test.each([1_440, 1_024])(
  'one press in the bar asks for help, and one takes it back: %i',
  async (width) => {
    const asked = vi.spyOn(currentAttempt, 'askForHelp').mockReturnValue();
    const given = await showTest(width);
    await button('Ask for help').click();
    expect(asked).toHaveBeenLastCalledWith(true);
    const option = page.getByRole('radio', { name: 'yes' });
    const top = () => option.element().getBoundingClientRect().top;
    const before = top();

    await given({ isSending: true });
    await expect.element(button('Ask for help')).toHaveAttribute('aria-disabled', 'true');
    await given({ isUp: true });
    const said = page.getByRole('status').filter({ hasText: UP });
    await expect.element(said).toBeVisible();
    // Nothing moves under the pointer.
    expect(top()).toBe(before);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await button('Put your hand down').click();
    expect(asked).toHaveBeenLastCalledWith(false);
    await given({});
    await expect.element(page.getByText(UP)).not.toBeInTheDocument();
  },
);

test('on a phone it is below the list of questions, and the bar stays as it is', async () => {
  const asked = vi.spyOn(currentAttempt, 'askForHelp').mockReturnValue();
  const given = await showTest(390);
  await page.getByRole('button', { name: 'Q 1/1, show all questions' }).click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Ask for help' }).click();
  expect(asked).toHaveBeenCalledExactlyOnceWith(true);
  await expect.element(sheet).not.toBeInTheDocument();
  await given({ isUp: true });
  await expect.element(page.getByText(UP)).toBeVisible();
});

test('the review has it too', async () => {
  const given = await showTest(390, 'review');
  await expect.element(button('Ask for help')).toBeVisible();
  await given({ isUp: true });
  await expect.element(page.getByText(UP)).toBeVisible();
  await expect.element(button('Put your hand down')).toBeVisible();
});

test('a press that did not arrive is said', async () => {
  const given = await showTest(1_440);
  const failed = 'Your last press did not reach the server. Check your connection and press again.';
  await given({ hasFailed: true });
  await expect.element(page.getByText(failed)).toBeVisible();
  await given({ isUp: true, hasFailed: true });
  await expect
    .poll(() => page.getByRole('status').elements().map(wordsIn))
    .toContain(`${UP} ${failed}`);
});
