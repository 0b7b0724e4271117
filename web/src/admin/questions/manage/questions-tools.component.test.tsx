import type { Question } from '@invigil/core/contract/assessments/question-list';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { showWithToasts } from '../../../testing/shown.tsx';
import { QuestionsTools } from './questions-tools.tsx';

const plain: Question = {
  ...{ id: 'one', quizId: 'quiz', type: 'multiple_choice', orderNumber: 1, version: 1 },
  ...{ question: 'Plain?', options: ['yes', 'no'], correctAnswer: 'yes' },
};
const rich: Question = {
  ...plain,
  ...{ id: 'two', question: 'Rich?' },
  definition: { ...plainDefinition('Rich?', ['yes', 'no'], 'yes'), points: 2 },
};

/** Exports the questions; returns the files. */
async function exported(questions: readonly Question[]) {
  const files: (Blob | MediaSource)[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `#${files.push(file)}`);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  await showWithToasts(
    <QuestionsTools
      title="Exam"
      questions={questions}
      loading={false}
      onSelect={() => undefined}
    />,
  );
  await page.getByRole('button', { name: 'Export' }).click();
  return Promise.all(files.flatMap((file) => (file instanceof Blob ? file.text() : [])));
}

test('exports no file where CSV holds none of the questions, and says where it is possible', async () => {
  expect(await exported([rich])).toEqual([]);
  await expect.element(page.getByText('Nothing was exported')).toBeVisible();
  await expect
    .element(page.getByText(/use Export on the Questions page, with QTI or Moodle XML/))
    .toBeVisible();
});

test('leaves out what CSV does not hold, and says how many', async () => {
  const [file = '', ...others] = await exported([plain, rich, { ...rich, id: 'three' }]);
  expect(others).toEqual([]);
  expect(file).toContain('Plain?');
  expect(file).not.toContain('Rich?');
  await expect.element(page.getByText('2 of 3 questions left out of the file')).toBeVisible();
});

test('says nothing where all are in the file', async () => {
  expect(await exported([plain])).toHaveLength(1);
  await expect.element(page.getByText(/left out|Nothing/)).not.toBeInTheDocument();
});
