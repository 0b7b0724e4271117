import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { RescoreDialog } from './rescore-dialog.tsx';

const DRY_RUN = { participants: 3, unchanged: 0, changes: [], applied: false };

/** The words of the dialog after this dry run. */
async function dialogAfter(dryRun: object): Promise<string> {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(dryRun)));
  const question = { id: 'one', quizId: 'q', version: 2 };
  await show(<RescoreDialog question={question} asked onClose={() => undefined} />);
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/^3 candidates have/)).toBeVisible();
  return wordsIn(dialog);
}

test('says for how many attempts new points do not count', async () => {
  expect(await dialogAfter({ ...DRY_RUN, withoutPoints: 2 })).toContain(
    '2 candidates began without points and stay without: a fully right answer counts as one mark.',
  );
});

test('says nothing about points where every attempt counts them, or none has to', async () => {
  expect(await dialogAfter(DRY_RUN)).not.toContain('points');
});
