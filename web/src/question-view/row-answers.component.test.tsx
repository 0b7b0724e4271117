import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { paperQuestion } from '../testing/fixtures.ts';
import { show } from '../testing/shown.tsx';
import { AnswerField, fetchAnswerFields } from './answer-field.tsx';
import { isAnswered, toCheckIn } from './answer-value.ts';
import { preloadContent } from './content/load-content.ts';

const saved = vi.fn<(value: string) => void>();

function Field({ question, given = '' }: { question: PaperQuestion; given?: string }) {
  const [value, setValue] = useState(given);
  const take = (next: string) => {
    saved(next);
    setValue(next);
  };
  return (
    <main>
      <h1>Question</h1>
      <AnswerField
        question={question}
        value={value}
        onSelect={take}
        onType={take}
        onSettle={() => undefined}
      />
    </main>
  );
}

async function given(question: PaperQuestion, value = '') {
  saved.mockClear();
  await fetchAnswerFields([question]);
  return await show(<Field question={question} given={value} />);
}

const CAPITALS = paperQuestion('q', {
  type: 'matching',
  items: ['France', 'Spain', 'Italy'],
  options: ['Rome', 'Lisbon', 'Paris', 'Madrid'],
});

describe('matching', () => {
  const list = (item: string) => page.getByRole('combobox', { name: item, exact: true });

  test('has a list of the answers for each item, and says what is open', async () => {
    await given(CAPITALS);
    const group = page.getByRole('group', { name: 'Items to match' });
    await expect
      .element(group)
      .toHaveAccessibleDescription(
        'Select an answer for each item. An answer can be right for several items, or for none.',
      );
    await list('Spain').selectOptions('Madrid');
    expect(saved).toHaveBeenLastCalledWith('["","Madrid",""]');
    await expect.element(page.getByRole('status')).toHaveTextContent('2 of 3 without an answer.');
    await list('France').selectOptions('Madrid');
    expect(saved).toHaveBeenLastCalledWith('["Madrid","Madrid",""]');
    for (const item of ['France', 'Spain']) await list(item).selectOptions('No answer');
    expect(saved).toHaveBeenLastCalledWith('');
    await expect.element(page.getByRole('status')).toHaveTextContent('');
  });

  test('is answered with the keyboard alone', async () => {
    await given(CAPITALS);
    await userEvent.keyboard('{Tab}{ArrowDown}{Tab}M{Tab}P');
    expect(saved).toHaveBeenLastCalledWith('["Rome","Madrid","Paris"]');
  });

  test('an answer counts by what is on the paper, and is to check while an item is open', () => {
    expect(isAnswered(CAPITALS, '["","Madrid",""]')).toBe(true);
    expect(toCheckIn(CAPITALS, '["","Madrid",""]')).toBe('too-few');
    expect(toCheckIn(CAPITALS, '["Rome","Madrid","Rome"]')).toBe(null);
    expect(toCheckIn(CAPITALS, '')).toBe(null);
  });

  test('answers that no list can show have letters', async () => {
    const options = ['$x^2$', '**bold**', 'plain'];
    const question = { ...CAPITALS, format: 'markdown' as const, options };
    await preloadContent(options.map((text) => ({ text, format: 'markdown' })));
    await given(question);
    await expect.element(page.getByRole('list', { name: 'Answers' })).toBeVisible();
    const names = [...(list('France').element() as HTMLSelectElement).options].map((o) => o.text);
    expect(names).toEqual(['No answer', 'A', 'B', 'C. plain']);
    await list('France').selectOptions('A');
    expect(saved).toHaveBeenLastCalledWith('["$x^2$","",""]');
  });
});

const STEPS = paperQuestion('q', {
  type: 'ordering',
  options: ['Boil water', 'Drink', 'Add tea', 'Pour'],
});

describe('ordering', () => {
  const items = () =>
    page
      .getByRole('listitem')
      .elements()
      .map((item) => item.querySelector('[dir]')?.textContent);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  test('is answered by buttons, that keep the focus and say the place', async () => {
    await given(STEPS);
    expect(items()).toEqual(STEPS.options);
    await expect.element(page.getByText('Not answered yet.')).toBeVisible();
    await button('Move item 3 up').click();
    expect(saved).toHaveBeenLastCalledWith('["Boil water","Add tea","Drink","Pour"]');
    await expect
      .element(page.getByRole('status'))
      .toHaveTextContent('Add tea moved to place 2 of 4');
    expect(document.activeElement).toBe(button('Move item 2 up').element());
    await expect.element(button('Move item 2 up')).toHaveAccessibleDescription('Add tea');
    await userEvent.keyboard('{Enter}{Enter}');
    expect(items()).toEqual(['Add tea', 'Boil water', 'Drink', 'Pour']);
    expect(saved).toHaveBeenCalledTimes(2);
    await expect.element(button('Move item 1 up')).toHaveAttribute('aria-disabled', 'true');
    expect(document.activeElement).toBe(button('Move item 1 up').element());
    await expect.element(page.getByText('Not answered yet.')).not.toBeInTheDocument();
  });

  test('is answered by arrow keys on a handle, and by dragging', async () => {
    await given(STEPS);
    (button('Move item 4').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowUp}');
    expect(items()).toEqual(['Boil water', 'Drink', 'Pour', 'Add tea']);
    expect(document.activeElement).toBe(button('Move item 3').element());
    await userEvent.dragAndDrop(button('Move item 1'), page.getByText('Add tea'));
    await expect.poll(items).toEqual(['Drink', 'Pour', 'Add tea', 'Boil water']);
    expect(saved).toHaveBeenLastCalledWith('["Drink","Pour","Add tea","Boil water"]');
  });

  test('can be answered as it stands', async () => {
    await given(STEPS);
    await button('Answer with this order').click();
    expect(saved).toHaveBeenLastCalledWith(JSON.stringify(STEPS.options));
    expect(document.activeElement).toBe(button('Move item 1').element());
  });

  test('shows an order that was given before, and the paper’s where it has other items', async () => {
    const { unmount } = await given(STEPS, '["Pour","Drink","Add tea","Boil water"]');
    expect(items()).toEqual(['Pour', 'Drink', 'Add tea', 'Boil water']);
    await unmount();
    await given(STEPS, '["Pour","Drink","Add tea","Sleep"]');
    expect(items()).toEqual(STEPS.options);
  });
});

test.each([
  ['matching', CAPITALS],
  ['ordering', STEPS],
])('%s fits into 320 px', async (_, question) => {
  await page.viewport(320, 700);
  const long = 'An answer with a long text, pneumonoultramicroscopicsilicovolcanoconiosis';
  await given({ ...question, options: [...question.options, long] });
  expect(document.documentElement.scrollWidth).toBe(320);
});
