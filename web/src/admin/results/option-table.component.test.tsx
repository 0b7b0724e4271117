import type { QuestionStatistics } from '@invigil/core/contract/review/statistics';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../testing/shown.tsx';
import { OptionTable } from './option-table.tsx';

const figures = { share: 0.5, correlation: 0.3, byAbility: [0.1, 0.3, 0.5, 0.7, 0.9] };
const QUESTION: QuestionStatistics = {
  ...{ questionId: 'q', number: 3, type: 'matching', format: 'plain', question: 'Capitals?' },
  ...{ n: 20, facility: 0.5, sd: 1, itemRest: 0.3, discrimination: 0.4, effectiveWeight: 0.2 },
  ...{ omitted: 1, notReached: 0, medianSeconds: 40, alphaWithout: null, byAbility: [] },
  suspicions: [],
  options: [
    {
      ...{ text: 'Spain', isKey: true, chosen: 10, ...figures },
      given: [
        { text: 'Madrid', isKey: true, chosen: 10 },
        { text: 'Lisbon', isKey: false, chosen: 4 },
      ],
    },
  ],
};

test('shows how often an item was right, and what it was given', async () => {
  const { container } = await show(<OptionTable question={QUESTION} />);
  await expect.element(page.getByRole('table', { name: 'Items of question 3' })).toBeVisible();
  expect(wordsIn(container)).toContain('Item Right Share');
  expect(wordsIn(container)).toContain('Spain Madrid (right) 10 (50 %) Lisbon 4 (20 %)');
});

test('names the places of an order', async () => {
  const given = [{ text: '2', isKey: false, chosen: 5 }];
  const options = [{ ...figures, text: 'Pour', isKey: true, chosen: 10, given }];
  const { container } = await show(
    <OptionTable question={{ ...QUESTION, type: 'ordering', options }} />,
  );
  expect(wordsIn(container)).toContain('Pour Place 2 5 (25 %)');
});
