import { expect, test } from 'vitest';
import { paperQuestion } from '../../../testing/fixtures.ts';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { PreviewPaper } from './preview-quiz-dialog.tsx';

test('shows what a wrong answer costs, as candidates see it', async () => {
  for (const [negativeMarks, words] of [
    [undefined, 'Question 1 of 1 Which?'],
    [
      { percent: 25, floor: 'total' as const },
      'Question 1 of 1 A wrong answer costs 25% of its points. A blank answer costs nothing. Which?',
    ],
  ] as const) {
    const { container, unmount } = await show(
      <PreviewPaper
        paper={[paperQuestion('Which')]}
        negativeMarks={negativeMarks}
        onClose={() => undefined}
      />,
    );
    expect(wordsIn(container)).toContain(words);
    await unmount();
  }
});
