import { listCategories } from '@invigil/core/contract/categories';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { QueryClientProvider } from '@tanstack/react-query';
import type * as React from 'react';
import { expect, test, vi } from 'vitest';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { createQueryClient } from '../../../net/query-client.ts';
import { draw, QUIZ, tagsOf, wordsOf } from '../../../testing/drawn.tsx';
import { MailWillWait } from '../../invitations/invite/delivery-progress.tsx';
import { InviteLeftovers } from '../../invitations/invite/invite-leftovers.tsx';
import { NO_QUESTION } from '../../questions/question-fields.ts';
import { QuestionForm } from '../../questions/question-form.tsx';
import { QUIZZES } from '../api.ts';
import { CreateQuizDialog } from '../form/create-quiz-dialog.tsx';
import { EditQuizDialog } from '../form/edit-quiz-dialog.tsx';
import { QUIZ_FORM_MESSAGES } from '../form/quiz-form.ts';
import { QuizTable } from './quiz-table.tsx';
import { QuizzesScreen } from './quizzes-screen.tsx';

// Drawn without a browser, where a portal has no place.
vi.mock('radix-ui', async (original) => {
  const radix = await original<typeof import('radix-ui')>();
  const Portal = ({ children }: { children?: React.ReactNode }) => children;
  return { ...radix, Dialog: { ...radix.Dialog, Portal } };
});

const nothing = () => undefined;

function drawWith(quizzes: unknown[], element: React.ReactElement) {
  const client = createQueryClient();
  client.setQueryData(QUIZZES.queryKey, quizzes as never);
  return draw(<QueryClientProvider client={client}>{element}</QueryClientProvider>);
}

test('the columns of the table, with N/A where there is no end date', () => {
  const markup = draw(<QuizTable quizzes={[QUIZ]} onAction={nothing} />);
  expect(wordsOf(markup)).toBe(
    'Title Category Questions Duration End date Status Actions ' +
      'Network Fundamentals Created 4 May 2026 Engineering 32 25 min N/A Active',
  );
  for (const action of ['Manage questions of', 'Edit', 'Invite to', 'Delete']) {
    expect(markup).toContain(`aria-label="${action} Network Fundamentals"`);
  }
});

test('an inactive assessment says so, and why nobody can be invited to it', () => {
  const endDate = new Date(2026, 4, 14, 18).toISOString();
  const inactive = { ...QUIZ, endDate, isActive: false, isOpen: false };
  const markup = draw(<QuizTable quizzes={[inactive]} onAction={nothing} />);
  expect(wordsOf(markup)).toContain('14 May 2026, 18:00 Inactive');
  const why = 'aria-disabled="true" aria-description="Cannot invite users to inactive quizzes"';
  expect(tagsOf(markup, 'button').filter((tag) => tag.includes(why))).toHaveLength(1);
  expect(draw(<QuizTable quizzes={[QUIZ]} onAction={nothing} />)).not.toContain('aria-disabled=');
});

test('an assessment whose end date has passed says Ended, not Active', () => {
  const endDate = new Date(2026, 4, 14, 18).toISOString();
  const ended = { ...QUIZ, endDate, isOpen: false };
  const words = wordsOf(draw(<QuizTable quizzes={[ended]} onAction={nothing} />));
  expect(words).toContain('14 May 2026, 18:00 Ended');
  expect(words).not.toContain('Active');
});

test('an end after which started attempts may finish says so', () => {
  const endDate = new Date(2026, 4, 14, 18).toISOString();
  const words = (finishAfterEnd: boolean) =>
    wordsOf(
      draw(<QuizTable quizzes={[{ ...QUIZ, endDate, finishAfterEnd }]} onAction={nothing} />),
    );
  expect(words(true)).toContain('14 May 2026, 18:00 Started attempts may finish');
  expect(words(false)).not.toContain('may finish');
});

test('no assessment yet', () => {
  expect(wordsOf(drawWith([], <QuizzesScreen />))).toContain(
    'No Assessment created yet. Create your first Assessment to get started.',
  );
});

test('an assessment is edited in a dialog, its status with it', () => {
  vi.stubGlobal('document', { querySelector: () => null });
  const words = wordsOf(drawWith([QUIZ], <EditQuizDialog quiz={QUIZ} onClose={nothing} />));
  expect(words).toMatch(/^Edit Assessment/);
  expect(words).toContain('Status');
  expect(words).toContain('Let people who have started finish after the end');
  expect(words).toContain('Update Assessment');
});

test('without categories the first one is named in their place, with them one is chosen', () => {
  vi.stubGlobal('document', { querySelector: () => null });
  const drawn = (categories: unknown[]) => {
    const client = createQueryClient();
    client.setQueryData(endpointKey(listCategories, {}), categories as never);
    const dialog = <CreateQuizDialog onClose={nothing} onCreated={nothing} />;
    return draw(<QueryClientProvider client={client}>{dialog}</QueryClientProvider>);
  };
  const first = wordsOf(drawn([]));
  expect(first).toContain('There is no category yet. Name the first one. Create Category Duration');
  expect(first).not.toContain('New category');
  const other = { id: 'c', name: 'Law', description: null, createdAt: QUIZ.createdAt };
  expect(wordsOf(drawn([other]))).toContain('New category');
  expect(wordsOf(drawn([other]))).not.toContain('There is no category yet');
});

test('that no email goes out is said before anything is sent', () => {
  const words = (state: 'missing' | 'off' | 'configured' | 'unknown') =>
    wordsOf(draw(<MailWillWait mailServer={state} />));
  expect(words('missing')).toMatch(/^No mail server is configured yet\. Invitations wait/);
  expect(words('off')).toMatch(/^The mail server is switched off\. Invitations wait/);
  expect(words('configured') + words('unknown')).toBe('');
});

test('the sentences of the form', () => {
  expect(QUIZ_FORM_MESSAGES).toMatchObject({
    invalid: 'Validation Error: Please fill in all required fields with valid values.',
    duration: 'Duration must be a valid number.',
    totalQuestions: 'Total Questions must be a valid number.',
  });
});

test('a question has four option inputs, all marked required', () => {
  const form = (
    <QuestionForm initial={NO_QUESTION} onDirtyChange={nothing} onSubmit={async () => true}>
      Add Question
    </QuestionForm>
  );
  const inputs = tagsOf(draw(form), 'input').filter((tag) => /aria-label="Option [A-D]"/.test(tag));
  expect(inputs).toHaveLength(4);
  expect(inputs).toHaveLength(QUESTION_LIMITS.optionsMax);
  for (const input of inputs) expect(input).toContain('required');
});

test('an option with line breaks keeps them while it is edited', () => {
  const initial = { question: 'Q?', options: ['one\ntwo\nthree', 'four', '', ''], keyIndex: 0 };
  const markup = draw(
    <QuestionForm initial={initial} onDirtyChange={nothing} onSubmit={async () => true}>
      Save
    </QuestionForm>,
  );
  const [, area] = tagsOf(markup, 'textarea');
  expect(area).toContain('aria-label="Option A"');
  expect(area).toContain('rows="3"');
  expect(markup).toContain('>one\ntwo\nthree</textarea>');
  expect(tagsOf(markup, 'input').filter((tag) => tag.includes('aria-label="Option'))).toHaveLength(
    3,
  );
});

test('what a send left in the box: not sent, and what nobody can know', () => {
  const words = (done: number, unanswered: number, unsent: number) =>
    wordsOf(draw(<InviteLeftovers {...{ done, unanswered, unsent }} />));
  expect(words(5, 0, 0)).toBe('');
  expect(words(1_000, 0, 1_300)).toBe(
    '1,000 addresses done, 1,300 not sent. Those are still in the box.',
  );
  expect(words(500, 500, 1_300)).toMatch(
    /^500 addresses done, no answer for 500, 1,300 not sent\. Those are still in the box\. Where no answer came, the invitations may have been sent/,
  );
  expect(words(0, 1, 0)).toMatch(/^No answer for 1 address\. Those are still/);
});
