import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { chooseLanguage, forgetLanguage, useLanguage } from '../lib/language.ts';
import { paperQuestion } from '../testing/fixtures.ts';
import { show } from '../testing/shown.tsx';
import { AnswerField, fetchAnswerFields } from './answer-field.tsx';
import { preloadContent } from './content/load-content.ts';

const saved = vi.fn<(value: string) => void>();
const settled = vi.fn();

function Field({ question, given = '' }: { question: PaperQuestion; given?: string }) {
  useLanguage();
  const [value, setValue] = useState(given);
  const take = (next: string) => {
    saved(next);
    setValue(next);
  };
  return (
    <AnswerField
      question={question}
      value={value}
      onSelect={take}
      onType={take}
      onSettle={settled}
    />
  );
}

async function given(change: Partial<PaperQuestion>, value = ''): Promise<void> {
  saved.mockClear();
  settled.mockClear();
  const options = ['red', 'green', 'blue', 'none of them'];
  const question = paperQuestion('q', { type: 'multiple_response', options, ...change });
  await fetchAnswerFields([question]);
  await show(<Field question={question} given={value} />);
}

describe('a multiple response', () => {
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true });

  test('is a described group of checkboxes, selected with Tab and Space', async () => {
    await given({});
    const group = page.getByRole('group', { name: 'Answer options' });
    await expect.element(group).toHaveAccessibleDescription('Select all that apply');
    await userEvent.keyboard('{Tab}{Tab} ');
    await userEvent.keyboard('{Shift>}{Tab}{/Shift} ');
    await expect.element(box('red')).toBeChecked();
    await expect.element(box('green')).toBeChecked();
    // The order is that of the paper, whatever the order of the clicks.
    expect(saved).toHaveBeenLastCalledWith('["red","green"]');
    await userEvent.keyboard(' ');
    expect(saved).toHaveBeenLastCalledWith('["green"]');
    await box('green').click();
    expect(saved).toHaveBeenLastCalledWith('');
  });

  test('refuses one more than allowed, and says how to go on', async () => {
    await given({ minSelections: 2, maxSelections: 3 }, '["red"]');
    const status = page.getByRole('status');
    await expect.element(page.getByRole('group')).toHaveAccessibleDescription('Select 2 to 3');
    await expect.element(status).toHaveTextContent('Select 1 more.');
    await box('green').click();
    await expect.element(status).toHaveTextContent('');
    await box('blue').click();
    await expect.element(status).toHaveTextContent('3 of 3 selected. Clear one to select another.');
    const fourth = box('none of them');
    await expect.element(fourth).toHaveAttribute('aria-disabled', 'true');
    saved.mockClear();
    await fourth.click({ force: true });
    await expect.element(fourth).not.toBeChecked();
    await box('red').click();
    await fourth.click();
    expect(saved).toHaveBeenLastCalledWith('["green","blue","none of them"]');
  });

  test.each([
    [{ minSelections: 2, maxSelections: 2 }, 'Select 2'],
    [{ maxSelections: 3 }, 'Select up to 3'],
    [{ minSelections: 2 }, 'Select at least 2'],
    [{ minSelections: 1, maxSelections: 4 }, 'Select all that apply'],
  ])('asks with %o: %s', async (limits, hint) => {
    await given(limits);
    await expect.element(page.getByText(hint, { exact: true })).toBeVisible();
  });
});

test('true or false is a pair of radios', async () => {
  await given({ type: 'true_false', options: ['True', 'False'] });
  const names = page
    .getByRole('radio')
    .elements()
    .map((radio) => radio.textContent);
  expect(names).toEqual(['ATrue', 'BFalse']);
  await userEvent.keyboard('{Tab}{ArrowDown}');
  expect(saved).toHaveBeenLastCalledWith('False');
});

describe('a number', () => {
  afterEach(async () => {
    await chooseLanguage('en');
    forgetLanguage();
  });

  const field = () => page.getByRole('textbox', { name: 'Your answer' });

  test.each([
    ['3,14 m', 'Read as 3.14 m', true],
    ['3,14', 'Read as 3.14, without a unit', true],
    ['50 %', 'Read as 50', false],
    ['\u20ac12,50', 'Read as 12.5', false],
    ['50 kg', 'Only a number is expected', false],
    [
      '1/2',
      'Type one decimal number, for example 0.5. Fractions and calculations are not read.',
      false,
    ],
    ['\u0661\u0662\u066b\u0665', 'Read as 12.5', false],
    ['1.234.567', 'Read as 1234567', false],
    ['6.02e23', 'Read as 602000000000000000000000', false],
    ['about three', 'This is not a number', false],
    ['1,000', 'Read as 1. For 1000 type no comma', false],
    ['50 €', 'Read as 50 €. The question does not name this unit', true],
  ])('says how %s is read: %s', async (text, hint, hasUnits) => {
    await given({ type: 'numeric', options: [], ...(hasUnits ? { hasUnits } : {}) });
    await expect.element(field()).toHaveAttribute('inputmode', 'text');
    await expect
      .element(field())
      .toHaveAccessibleDescription('Type a number, for example 3.14 or 3,14');
    await userEvent.keyboard('{Tab}');
    await userEvent.keyboard(text);
    await expect.element(field()).toHaveAccessibleDescription(hint);
    expect(saved).toHaveBeenLastCalledWith(text);
  });

  test('is read with the decimal sign of the language, and in another one at once', async () => {
    const german = 'Gelesen als 1,234 m';
    await given({ type: 'numeric', options: [], hasUnits: true, question: 'How long?' }, '1.234 m');
    await expect.element(field()).toHaveAccessibleDescription('Read as 1.234 m');
    await chooseLanguage('de');
    await expect.element(page.getByText(german)).toBeVisible();
  });

  test('is amber where its unit cannot be that of the question', async () => {
    await given({ type: 'numeric', options: [], hasUnits: true, question: 'How long, in metres?' });
    await userEvent.keyboard('{Tab}5 kg');
    const hint = page.getByText('Read as 5 kg. The question does not name this unit');
    await expect.element(hint).toHaveClass('text-warn-ink');
    await userEvent.keyboard('{Backspace}{Backspace}cm');
    await expect.element(page.getByText('Read as 5 cm')).toHaveClass('text-ink-2');
  });
});

describe('a short text', () => {
  const field = () => page.getByRole('textbox', { name: 'Your answer' });

  test('keeps spaces while typing, saves without those at the ends, settles when left', async () => {
    await given({ type: 'short_text', options: [] });
    await userEvent.keyboard('{Tab}New York ');
    await expect.element(field()).toHaveValue('New York ');
    expect(saved.mock.calls.map(([value]) => value)).toEqual([
      ...['N', 'Ne', 'New', 'New', 'New Y', 'New Yo', 'New Yor', 'New York', 'New York'],
    ]);
    expect(settled).not.toHaveBeenCalled();
    await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{Backspace}{Tab}');
    expect(saved).toHaveBeenLastCalledWith('New Yok');
    expect(settled).toHaveBeenCalled();
  });

  test('leaves an input method alone while it composes', async () => {
    await given({ type: 'short_text', options: [] });
    await userEvent.keyboard('{Tab}');
    const input = field().element() as HTMLInputElement;
    const composition = async (text: string) =>
      cdp().send('Input.imeSetComposition', {
        text,
        selectionStart: text.length,
        selectionEnd: text.length,
      });
    for (const text of ['n', 'ni', 'ni ', 'ni h', 'ni hao']) {
      await composition(text);
      expect(input.value).toBe(text);
    }
    await cdp().send('Input.insertText', { text: '你好' });
    await expect.element(field()).toHaveValue('你好');
    expect(saved).toHaveBeenLastCalledWith('你好');
  });
});

describe('options', () => {
  const long = ['a1'.repeat(32), 'GATTACA'.repeat(40), 'x'.repeat(90)];
  const kinds = ['multiple_choice', 'multiple_response'] as const;

  test.each(
    kinds.flatMap((type) =>
      (['plain', 'markdown'] as const).map((format) => [type, format] as const),
    ),
  )('without a space break anywhere: %s, %s', async (type, format) => {
    await preloadContent([{ text: 'a', format: 'markdown' }], () => '');
    await given({ type, options: [...long, `\`${long[1]}b\``], format });
    await expect.element(page.getByText(long[1] ?? '', { exact: true })).toBeVisible();
    for (const width of [390, 1280]) {
      await page.viewport(width, 844);
      expect(document.documentElement.scrollWidth).toBe(width);
    }
  });

  test.each(kinds)(
    'stand at the side of a question from right to left, and so does one that begins with a foreign word: %s',
    async (type) => {
      await page.viewport(390, 844);
      await given({
        type,
        question: 'ما هو الحمض النووي؟',
        options: ['DNA هو حمض نووي.', 'RNA', '12'],
      });
      const directionOf = (text: string) => {
        return getComputedStyle(page.getByText(text, { exact: true }).element()).direction;
      };
      expect(['DNA هو حمض نووي.', 'RNA'].map(directionOf)).toEqual(['rtl', 'ltr']);
      const letter = page.getByText('B', { exact: true }).element().getBoundingClientRect();
      expect(letter.left).toBeGreaterThan(300);
      const text = page.getByText('RNA', { exact: true }).element().getBoundingClientRect();
      expect(letter.left - text.right).toBeLessThan(30);
    },
  );
});
