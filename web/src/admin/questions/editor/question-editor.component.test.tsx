import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { Route, Routes, useLocation } from 'react-router';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { QUIZ, refusal } from '../../../testing/fixtures.ts';
import { bankQuestion, IMAGE_HASH, questionServer } from '../../../testing/question-server.ts';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { shownToasts } from '../../../ui/toast.ts';
import { QuestionEditor } from './question-editor.tsx';
import { QuestionEditorScreen } from './question-editor-screen.tsx';
import { sourceViewKey } from './text/text-view.ts';

const nothing = () => undefined;

/** The editor with a server that stores what it gets. */
async function opened(
  stored: BankQuestion | null = null,
  refuse?: (method: string) => Response | null,
  at?: string,
) {
  const sent = questionServer(stored, refuse);
  const onLeave = vi.fn();
  const onNew = vi.fn();
  const { unmount } = await show(
    <QuestionEditor {...{ stored, onLeave, onNew }} quiz={null} onCreated={nothing} />,
    at === undefined ? {} : { at },
  );
  return { sent, onLeave, onNew, unmount };
}

const field = (name: string) => {
  const found = document.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`);
  if (found === null) throw new Error(`no field ${name}`);
  return found;
};
/** The value of a field, or the text that is seen in it. */
const textOf = (name: string) => {
  const found = field(name);
  return 'value' in found ? found.value : found.textContent.trim();
};
async function typeIn(name: string, text: string) {
  field(name).focus();
  await userEvent.keyboard(text);
}
async function selectType(name: string) {
  await page.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name }).click();
}
const save = () => userEvent.keyboard('{Control>}s{/Control}');
const told = (title: string) =>
  expect.poll(() => shownToasts().map((toast) => toast.title)).toContain(title);
const preview = () => page.getByRole('region', { name: 'Preview' });

beforeEach(() => localStorage.clear());

test('authors a question with the keyboard alone', async () => {
  const { sent } = await opened();
  await typeIn('question', 'Which?');
  await typeIn('options.0.text', 'first');
  await userEvent.tab();
  await typeIn('options.1.text', 'second');
  await typeIn('options.2.text', 'third');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(field('options.3.text'));
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(field('options.4.text'));
  await userEvent.keyboard('fifth');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await expect.poll(() => document.activeElement).toBe(field('options.3.text'));
  page.getByRole('radio', { name: 'Option D is correct' }).element().focus();
  await userEvent.keyboard(' ');
  await save();
  await told('Question added');
  expect(sent[0]?.body.definition?.options).toEqual([
    { text: 'first', isCorrect: false },
    { text: 'second', isCorrect: false },
    { text: 'third', isCorrect: false },
    { text: 'fifth', isCorrect: true },
  ]);
});

const optionsShown = () =>
  [...document.querySelectorAll('[data-field^="options."], textarea[name^="options."]')].map(
    (one) => ('value' in one ? String(one.value) : one.textContent.trim()),
  );

test('Enter goes through the options and adds them, Backspace in an empty one removes it', async () => {
  await opened();
  field('options.0.text').focus();
  await userEvent.keyboard('one{Enter}two{Enter}three{Enter}four{Enter}five');
  expect(optionsShown()).toEqual(['one', 'two', 'three', 'four', 'five']);
  field('options.1.text').focus();
  await userEvent.keyboard('{End}{Enter}');
  await expect.poll(optionsShown).toEqual(['one', 'two', '', 'three', 'four', 'five']);
  await expect.poll(() => document.activeElement).toBe(field('options.2.text'));
  await userEvent.keyboard('{Backspace}');
  await expect.poll(optionsShown).toEqual(['one', 'two', 'three', 'four', 'five']);
  await expect.poll(() => document.activeElement).toBe(field('options.1.text'));
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(optionsShown).toEqual(['one', 'two', '', 'three', 'four', 'five']);
});

test('draws the formulas of options while the focus goes on', async () => {
  await opened();
  field('options.0.text').focus();
  await userEvent.keyboard('$x$');
  await userEvent.keyboard('{Enter}$y$');
  await expect.poll(() => document.activeElement).toBe(field('options.1.text'));
  await page.getByLabelText('Points').click();
  await expect.element(page.getByRole('img', { name: 'x', exact: true })).toBeVisible();
  await expect.element(page.getByRole('img', { name: 'y', exact: true })).toBeVisible();
  await expect.poll(() => document.activeElement).toBe(field('points'));
});

test('makes options of a pasted list: those of Word, and lines with letters', async () => {
  await opened();
  const html = '<ol><li>a <b>bold</b> one</li><li>two</li><li>three</li></ol>';
  paste('options.0.text', { 'text/html': html, 'text/plain': 'a bold one\ntwo\nthree' });
  await expect.poll(optionsShown).toEqual(['a bold one', 'two', 'three']);
  paste('options.2.text', { 'text/plain': 'A) four\n(B) five\n- six' });
  await expect.poll(optionsShown).toEqual(['a bold one', 'two', 'three', 'four', 'five', 'six']);
  await expect.poll(() => document.activeElement).toBe(field('options.5.text'));
  // One line is a text like any other.
  paste('options.5.text', { 'text/plain': 'A) x' });
  await expect.poll(() => optionsShown().at(-1)).toContain('A) x');
});

/** Whether the option with this text is the right one. */
const rightOption = () =>
  optionsShown()[
    [...document.querySelectorAll('[role=radio]')].findIndex(
      (radio) => radio.getAttribute('aria-checked') === 'true',
    )
  ];

test.each(['Formatted text', 'Markdown source'])(
  'has the same keys, pastes and order in options after a click on %s',
  async (view) => {
    await opened();
    await page.getByRole('checkbox', { name: view }).click();
    field('options.0.text').focus();
    await userEvent.keyboard('one{Enter}two{Enter}three{Enter}four');
    expect(optionsShown()).toEqual(['one', 'two', 'three', 'four']);
    await userEvent.keyboard('{Enter}{Backspace}');
    await expect.poll(() => document.activeElement).toBe(field('options.3.text'));
    expect(optionsShown()).toEqual(['one', 'two', 'three', 'four']);
    await page.getByRole('radio', { name: 'Option D is correct' }).click();
    field('options.3.text').focus();
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(optionsShown()).toEqual(['one', 'two', 'four', 'three']);
    await expect.poll(() => document.activeElement).toBe(field('options.2.text'));
    await userEvent.dragAndDrop(
      page.getByRole('button', { name: 'Move option C' }),
      page.getByRole('textbox', { name: 'Option A', exact: true }),
    );
    await expect.poll(optionsShown).toEqual(['four', 'one', 'two', 'three']);
    expect(rightOption()).toBe('four');
    paste('options.1.text', { 'text/plain': '1) x *y*\r\n2) z\n\n• {w}' });
    const said = ['four', 'one', 'x *y*', 'z', '{w}', 'two', 'three'];
    await expect.poll(optionsShown).toEqual(said);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(optionsShown).toEqual(['four', 'one', 'two', 'three']);
  },
);

test('keeps a table and code whole where a source is pasted', async () => {
  await opened();
  await page.getByRole('checkbox', { name: 'Markdown source' }).click();
  // It is left to the field, which takes real pastes.
  for (const text of ['```\na\nb\n```', '| a |\n|---|\n| b |', '$$\nx\ny\n$$']) {
    expect(paste('options.0.text', { 'text/plain': text })).toBe('left');
  }
  expect(paste('options.0.text', { 'text/plain': 'a\nb' })).toBe('taken');
  await expect.poll(optionsShown).toEqual(['a', 'b']);
});

test('takes Chinese and Arabic in options, and Enter of an input method adds none', async () => {
  await opened();
  field('options.0.text').focus();
  const input = cdp();
  for (const text of ['z', 'zh', 'zhong']) {
    await input.send('Input.imeSetComposition', { text, selectionStart: 0, selectionEnd: 0 });
  }
  // The key that ends the composition belongs to the input method.
  const key = { key: 'Process', code: 'Enter', windowsVirtualKeyCode: 229 };
  await input.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  await input.send('Input.insertText', { text: '中文' });
  await expect.poll(optionsShown).toEqual(['中文', '', '', '']);
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => document.activeElement).toBe(field('options.1.text'));
  await input.send('Input.insertText', { text: 'الجواب x²' });
  await expect.poll(optionsShown).toEqual(['中文', 'الجواب x²', '', '']);
  const line = field('options.1.text').querySelector('p');
  expect(line === null ? null : getComputedStyle(line).direction).toBe('rtl');
});

test('saves with Ctrl+Enter, and duplicates what is saved', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'), { tags: ['week 1'] });
  const { sent, onNew } = await opened(stored);
  await typeIn('question', 'Really? ');
  const duplicate = page.getByRole('button', { name: 'Duplicate' });
  await expect.element(duplicate).toHaveAttribute('aria-disabled', 'true');
  field('question').focus();
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await told('Question saved');
  expect(sent[0]?.body.definition?.question).toBe('Really? Which?');
  await duplicate.click();
  expect(onNew).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ question: 'Really? Which?', tags: ['week 1'] }),
  );
});

test('shows the problems of a refused save at their fields and focuses the first', async () => {
  const { sent } = await opened();
  await typeIn('options.0.text', 'same');
  await typeIn('options.1.text', 'same');
  await save();
  await expect.element(page.getByText('Please enter a question')).toBeVisible();
  await expect
    .element(page.getByText('Two options are the same. Change one of them'))
    .toBeVisible();
  await expect.poll(() => document.activeElement).toBe(field('question'));
  expect(sent).toEqual([]);
  await typeIn('question', 'Now?');
  await expect.element(page.getByText('Please enter a question')).not.toBeInTheDocument();
});

test('authors several right options and scores a trial answer', { tags: 'long' }, async () => {
  const { sent } = await opened();
  await selectType('Multiple response');
  await typeIn('question', 'Which are prime?');
  for (const [i, text] of ['two', 'three', 'four'].entries()) {
    await typeIn(`options.${i}.text`, text);
  }
  await page.getByRole('checkbox', { name: 'Option A is correct' }).click();
  await page.getByRole('checkbox', { name: 'Option B is correct' }).click();
  await page.getByRole('combobox', { name: 'Scoring rule' }).click();
  await page.getByRole('option', { name: 'Per option' }).click();
  const look = page.getByRole('button', { name: 'Preview', exact: true });
  await look.click();
  await preview().getByRole('checkbox', { name: 'two' }).click();
  await expect.element(preview().getByText('Partly correct: 0.6667 of 1 point')).toBeVisible();
  await look.click();
  await typeIn('maxSelections', '1');
  await save();
  const problem = 'Options cannot have this many selections: the key itself has another number';
  await expect.element(page.getByText(problem)).toBeVisible();
  await userEvent.fill(field('maxSelections'), '2');
  await save();
  await told('Question added');
  expect(sent[0]?.body.definition).toMatchObject({
    type: 'multiple_response',
    rule: 'per_option',
    maxSelections: 2,
  });
});

test('authors true or false', async () => {
  const { sent } = await opened();
  await selectType('True or false');
  await typeIn('question', 'Water is wet.');
  await page.getByRole('radio', { name: 'Option A is correct' }).click();
  await save();
  await told('Question added');
  expect(sent[0]?.body.definition?.options).toEqual([
    { text: 'True', isCorrect: true },
    { text: 'False', isCorrect: false },
  ]);
});

test('authors a number with a range and a unit', { tags: 'long' }, async () => {
  const { sent } = await opened();
  await selectType('Number');
  await typeIn('question', 'How fast?');
  await typeIn('numeric.accepted.0.value', '9,81');
  await page.getByRole('combobox', { name: 'How number 1 is compared' }).click();
  await page.getByRole('option', { name: 'Within percent' }).click();
  await typeIn('numeric.accepted.0.tolerancePercent', '1');
  await page.getByRole('button', { name: 'Add number' }).click();
  await page.getByRole('combobox', { name: 'How number 2 is compared' }).click();
  await page.getByRole('option', { name: 'Between' }).click();
  await typeIn('numeric.accepted.1.min', '9');
  await typeIn('numeric.accepted.1.max', '8');
  await page.getByRole('button', { name: 'Add unit' }).click();
  await typeIn('numeric.units.0.unit', 'm/s');
  await save();
  await expect.element(page.getByText('The lower end of a range comes first')).toBeVisible();
  await userEvent.fill(field('numeric.accepted.1.max'), '10');
  await save();
  await told('Question added');
  expect(sent[0]?.body.definition?.numeric).toEqual({
    accepted: [
      { value: '9.81', tolerancePercent: '1' },
      { min: '9', max: '10' },
    ],
    units: [{ unit: 'm/s', factor: '1' }],
  });
});

test('authors a short text with weights', { tags: 'long' }, async () => {
  const { sent } = await opened();
  await selectType('Short text');
  await typeIn('question', 'Who?');
  await typeIn('shortText.accepted.0.text', 'Ada Lovelace');
  await page.getByRole('combobox', { name: 'Scoring rule' }).click();
  await page.getByRole('option', { name: 'Weights' }).click();
  await page.getByRole('button', { name: 'Add answer' }).click();
  await typeIn('shortText.accepted.1.text', 'Ada');
  await typeIn('shortText.accepted.1.weight', '50');
  await save();
  await told('Question added');
  expect(sent[0]?.body.definition?.shortText?.accepted).toEqual([
    { text: 'Ada Lovelace', weight: 100 },
    { text: 'Ada', weight: 50 },
  ]);
});

test('authors pairs to match, with problems at their fields, and scores a trial answer', async () => {
  const { sent } = await opened();
  await selectType('Matching');
  await typeIn('question', 'Capitals?');
  await typeIn('matching.pairs.0.item', 'France');
  await typeIn('matching.pairs.0.answer', 'Paris');
  await typeIn('matching.pairs.1.item', 'Spain');
  await typeIn('matching.pairs.1.answer', 'France');
  await save();
  await expect
    .poll(() => field('matching.pairs.1.answer').getAttribute('aria-invalid'))
    .toBe('true');
  await userEvent.fill(field('matching.pairs.1.answer'), 'Madrid');
  await page.getByRole('button', { name: 'Add further answer' }).click();
  await typeIn('matching.further.0.text', 'Rome');
  await page.getByRole('combobox', { name: 'Scoring rule' }).click();
  await page.getByRole('option', { name: 'Per item' }).click();
  await expect.element(page.getByText('Example: None right: 0 of 1 point')).toBeVisible();
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await preview().getByRole('combobox', { name: 'Spain' }).selectOptions('Madrid');
  await expect
    .element(preview().getByRole('status').last())
    .toHaveTextContent('Partly correct: 0.5 of 1 point');
  await save();
  await told('Question added');
  expect(sent.at(-1)?.body.definition).toMatchObject({
    type: 'matching',
    rule: 'per_option',
    options: [
      { text: 'France', match: 2 },
      { text: 'Spain', match: 3 },
      { text: 'Paris' },
      { text: 'Madrid' },
      { text: 'Rome' },
    ],
  });
});

test('Enter goes from item to answer to the next item, and adds a pair behind the last', async () => {
  const { sent } = await opened();
  await selectType('Matching');
  await typeIn('question', 'Signs?');
  field('matching.pairs.0.item').focus();
  for (const text of ['minus five', '- 5', 'plus five', '+ 5', 'nothing', '0']) {
    if (text !== 'minus five') await userEvent.keyboard('{Enter}');
    await userEvent.keyboard(text);
  }
  await page.getByRole('button', { name: 'Add further answer' }).click();
  await expect.poll(() => document.activeElement).toBe(field('matching.further.0.text'));
  await userEvent.keyboard('1{Enter}2');
  await save();
  await told('Question added');
  expect(sent.at(-1)?.body.definition?.options.map(({ text }) => text)).toEqual([
    ...['minus five', 'plus five', 'nothing', '\\- 5', '\\+ 5', '0', '1', '2'],
  ]);
});

test('the keys of a dialog in a text save no question', async () => {
  const { sent } = await opened();
  await typeIn('options.0.text', 'one');
  await typeIn('options.1.text', 'two');
  await page.getByRole('radio', { name: 'Option A is correct' }).click();
  await typeIn('question', 'Which?');
  await userEvent.keyboard('{Control>}m{/Control}');
  await expect.element(page.getByRole('textbox', { name: 'TeX' })).toHaveFocus();
  await userEvent.keyboard('x^2{Control>}{Enter}{/Control}');
  await expect.poll(() => document.activeElement).toBe(field('question'));
  await userEvent.keyboard('!');
  await expect.poll(() => textOf('question')).toMatch(/!$/);
  expect(sent).toEqual([]);
});

test('authors items to put in order, which the preview mixes', async () => {
  const { sent } = await opened();
  await selectType('Ordering');
  await typeIn('question', 'Tea?');
  for (const [i, text] of ['Boil', 'Pour', 'Drink'].entries())
    await typeIn(`options.${i}.text`, text);
  expect(document.querySelector('[aria-label^="Keep option"]')).toBe(null);
  await page.getByRole('button', { name: 'Preview', exact: true }).click();
  await expect
    .poll(() =>
      preview()
        .getByRole('listitem')
        .elements()
        .map((item) => item.querySelector('[dir]')?.textContent)
        .join(),
    )
    .toMatch(/^(?!Boil,Pour,Drink)(?=.*Boil)(?=.*Pour)(?=.*Drink)/);
  await save();
  await told('Question added');
  expect(sent.at(-1)?.body.definition).toMatchObject({
    type: 'ordering',
    options: [{ text: 'Boil' }, { text: 'Pour' }, { text: 'Drink' }],
  });
});

test('undoes a removed option and a changed type', async () => {
  await opened(bankQuestion(plainDefinition('Which?', ['a', 'b', 'c'], 'a')));
  await page.getByRole('button', { name: 'Remove option B' }).click();
  await selectType('Number');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => textOf('options.1.text')).toBe('b');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => textOf('options.1.text')).toBe('c');
});

/** Leaves on the device what a page that crashed leaves: every entry that it has not removed. */
async function crashed(unmount: () => Promise<void> | void) {
  window.dispatchEvent(new Event('pagehide'));
  const left = Object.entries(localStorage);
  await unmount();
  for (const [name, entry] of left) localStorage.setItem(name, entry);
}

test('undoes steps also after a switch to the source and back', async () => {
  await opened();
  await typeIn('question', 'Which?');
  await typeIn('options.0.text', 'one');
  const source = page.getByRole('checkbox', { name: 'Markdown source' });
  await source.click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => textOf('options.0.text')).toBe('');
  expect(textOf('question')).toBe('Which?');
  await source.click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => textOf('question')).toBe('');
  await page.getByRole('button', { name: 'Redo' }).click();
  await expect.poll(() => textOf('question')).toBe('Which?');
});

test('offers older and newer unsaved changes when the offer was left open', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'));
  const offers = page.getByText(/^Restore your unsaved changes from/);
  for (const [i, text] of ['Older?', 'Newer?'].entries()) {
    const { unmount } = await opened(stored);
    await expect.element(offers).toHaveLength(i);
    await userEvent.fill(field('question'), text);
    await crashed(unmount);
  }
  const { unmount } = await opened(stored);
  await expect.element(offers).toHaveLength(2);
  await page.getByRole('button', { name: 'Restore', exact: true }).first().click();
  await expect.poll(() => textOf('question')).toBe('Newer?');
  await expect.element(offers).toHaveLength(1);
  // Saved and left, with the older one still to decide.
  await save();
  await told('Question saved');
  await unmount();
  const last = await opened(stored);
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.poll(() => textOf('question')).toBe('Older?');
  await last.unmount();
  expect(Object.keys(localStorage)).toEqual([]);
});

test('keeps unsaved changes of another new question when one is created', async () => {
  const first = await opened();
  await userEvent.fill(field('question'), 'Another?');
  await crashed(first.unmount);
  const { unmount } = await opened();
  const offer = page.getByText(/^Restore your unsaved changes from/);
  await expect.element(offer).toBeVisible();
  await typeIn('question', 'Which?');
  await typeIn('options.0.text', 'a');
  await typeIn('options.1.text', 'b');
  await page.getByRole('radio', { name: 'Option A is correct' }).click();
  await save();
  await told('Question added');
  await expect.element(offer).not.toBeInTheDocument();
  await unmount();
  await opened();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await expect.poll(() => textOf('question')).toBe('Another?');
});

test('leaves on Escape', async () => {
  const { onLeave } = await opened();
  field('question').focus();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onLeave).toHaveBeenCalledOnce();
});

test('shows both versions if someone else saved, and keeps the selected one', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'));
  const theirs = { ...stored, version: 2, definition: plainDefinition('Theirs?', ['a', 'b'], 'a') };
  let isStale = true;
  const { sent } = await opened(stored, (method) => {
    if (method === 'GET') return Response.json({ ...theirs, versions: [], usedIn: [] });
    return isStale ? refusal(409, 'STALE') : null;
  });
  await userEvent.fill(field('question'), 'Mine?');
  await save();
  const notice = page.getByRole('alert');
  await expect.element(notice).toBeVisible();
  expect(wordsIn(notice)).toContain('removed: Theirs added: Mine ?');
  isStale = false;
  await notice.getByRole('button', { name: 'Save my version' }).click();
  await told('Question saved');
  expect(sent.at(-1)?.body).toMatchObject({ version: 2, definition: { question: 'Mine?' } });
});

test('sends only labels when only labels changed', async () => {
  const { sent } = await opened(bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a')));
  await page.getByLabelText('Tags').fill('algebra');
  await userEvent.keyboard('{Enter}');
  await save();
  await told('Question saved');
  expect(sent[0]?.body).toEqual({
    tags: ['algebra'],
    labelsBefore: { tags: [] },
    version: 1,
  });
});

test('saves a plain question about HTML, and warns of nothing in it', async () => {
  const { sent } = await opened(
    bankQuestion(plainDefinition('Which is a heading?', ['<h1>', '<b>'], '<h1>')),
  );
  await page.getByLabelText('Tags').fill('web');
  await userEvent.keyboard('{Enter}');
  expect(page.getByText(/HTML is shown/).elements()).toEqual([]);
  await save();
  await told('Question saved');
  expect(sent[0]?.body.definition).toBeUndefined();
});

test('shows the labels that someone else has saved since', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'));
  await opened(stored, (method) => {
    if (method === 'GET')
      return Response.json({ ...stored, tags: ['x'], versions: [], usedIn: [] });
    return refusal(409, 'STALE');
  });
  await page.getByLabelText('Tags').fill('algebra');
  await userEvent.keyboard('{Enter}');
  await save();
  const notice = page.getByRole('alert');
  await expect.element(notice).toBeVisible();
  expect(wordsIn(notice)).toContain('Tags removed: x added: algebra');
});

test('names the assessments whose sections have the question', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'));
  questionServer(stored);
  const { container } = await show(
    <QuestionEditor
      stored={stored}
      quiz={null}
      usedIn={['Midterm', 'Final']}
      onCreated={nothing}
      onNew={nothing}
      onLeave={nothing}
    />,
  );
  expect(wordsIn(container)).toContain('Used in the sections of: Midterm, Final');
});

test('rescores on request what papers have, when nothing is unsaved', async () => {
  const rescore = page.getByRole('button', { name: 'Rescore' });
  const definition = plainDefinition('Which?', ['a', 'b'], 'a');
  await opened(bankQuestion(definition, { timesSeen: 0 }));
  await expect.element(rescore).toHaveAttribute('aria-disabled', 'true');
  await opened(bankQuestion(definition, { id: 'seen', timesSeen: 2 }));
  await rescore.last().click();
  const dialog = page.getByRole('dialog', { name: 'Rescore' });
  await expect.element(dialog.getByText(/^2 candidates have this question/)).toBeVisible();
  expect(wordsIn(dialog)).toContain('Finished attempts that have this question are scored again.');
});

test('opens the rescoring that the address asks for, once', async () => {
  const definition = plainDefinition('Which?', ['a', 'b'], 'a');
  await opened(
    bankQuestion(definition, { timesSeen: 2 }),
    undefined,
    '/admin/questions/one?rescore',
  );
  const dialog = page.getByRole('dialog', { name: 'Rescore' });
  await expect.element(dialog.getByText(/^2 candidates have this question/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep scores' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test('offers rescoring after another key of a question that papers have', async () => {
  await opened(
    bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'), { quizId: 'q', timesSeen: 2 }),
  );
  await page.getByRole('radio', { name: 'Option B is correct' }).click();
  await expect.element(page.getByText(/^2 papers have this question/)).toBeVisible();
  await save();
  await expect
    .element(page.getByRole('dialog').getByText(/^2 candidates have this question/))
    .toBeVisible();
});

test('goes on to a new question after another key, and after what is offered for papers', async () => {
  const saveAndNew = () => userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  const definition = plainDefinition('Which?', ['a', 'b'], 'a');
  const onNoPaper = await opened(bankQuestion(definition));
  await page.getByRole('radio', { name: 'Option B is correct' }).click();
  await saveAndNew();
  await expect.poll(() => onNoPaper.onNew).toHaveBeenCalledOnce();
  await onNoPaper.unmount();

  const { onNew } = await opened(bankQuestion(definition, { id: 'seen', timesSeen: 2 }));
  await page.getByRole('radio', { name: 'Option B is correct' }).click();
  await saveAndNew();
  const keep = page.getByRole('dialog').getByRole('button', { name: 'Keep scores' });
  await expect.element(keep).toBeVisible();
  expect(onNew).not.toHaveBeenCalled();
  await keep.click();
  await expect.poll(() => onNew).toHaveBeenCalledOnce();
});

/** Pastes into a field. */
function paste(name: string, data: Record<string, string>, files: File[] = []) {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  for (const file of files) clipboardData.items.add(file);
  field(name).focus();
  const isLeft = field(name).dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
  return isLeft ? 'left' : 'taken';
}

test('pastes formatted text as Markdown, and its own undo takes it back', async () => {
  sourceViewKey.write(true);
  await opened();
  const html = '<ul><li>one</li><li>two</li></ul><p class="MsoNormal">A <b>bold</b> word</p>';
  paste('question', { 'text/html': html, 'text/plain': 'one\ntwo\nA bold word' });
  await expect.poll(() => textOf('question')).toBe('- one\n- two\n\nA **bold** word');
  document.execCommand('undo');
  await expect.poll(() => textOf('question')).toBe('');
});

test('stores an image that was copied from a web page, and no picture of copied text', async () => {
  sourceViewKey.write(true);
  await opened();
  const picture = new File([new Uint8Array([1])], 'image.png', { type: 'image/png' });
  paste('question', { 'text/html': '<img src="https://example.org/a.png">' }, [picture]);
  await expect.poll(() => textOf('question')).toBe(`![describe the picture](image:${IMAGE_HASH})`);
  await userEvent.clear(field('question'));
  paste('question', { 'text/html': '<p>A <b>bold</b> word</p>', 'text/plain': 'A bold word' }, [
    picture,
  ]);
  await expect.poll(() => textOf('question')).toBe('A **bold** word');
});

test('stores a pasted image and insists on its description', async () => {
  sourceViewKey.write(true);
  await opened();
  const picture = new File([new Uint8Array([1])], 'figure.png', { type: 'image/png' });
  paste('question', {}, [picture]);
  await expect.poll(() => textOf('question')).toBe(`![describe the picture](image:${IMAGE_HASH})`);
  await expect.element(page.getByText(/^Line 1: Describe the picture/)).toBeVisible();
  // The placeholder is selected: typing replaces it.
  await userEvent.keyboard('a circle');
  await expect.poll(() => textOf('question')).toBe(`![a circle](image:${IMAGE_HASH})`);
  await expect.element(page.getByText(/Describe the picture/)).not.toBeInTheDocument();
});

const DOCUMENT =
  '<p><b>Not</b> the <u>right</u> one?</p><ol type="a"><li>x</li><li><span style="color:#c00000">y</span></li><li>z</li></ol>';

test('divides a question that is pasted whole, and Ctrl+Z puts all of it into the text', async () => {
  const { sent } = await opened();
  paste('question', { 'text/html': DOCUMENT, 'text/plain': '…' });
  await expect.poll(optionsShown).toEqual(['x', 'y', 'z']);
  expect(textOf('question')).toBe('Not the right one?');
  expect(rightOption()).toBe('y');
  const shown = shownToasts()[0];
  expect(shown?.title).toBe('Pasted as a question with 3 options');
  expect(shown?.description).toMatch(
    /^Correct: B, by bold, a line or a color, which was removed\. /,
  );

  await userEvent.keyboard('{Control>}z{/Control}');
  await expect.poll(optionsShown).toEqual(['', '', '', '']);
  expect(textOf('question')).toBe('Not the right one?xyz');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(optionsShown).toEqual(['x', 'y', 'z']);
  await save();
  await expect
    .poll(() => sent[0]?.body.definition?.options)
    .toEqual([
      { text: 'x', isCorrect: false },
      { text: 'y', isCorrect: true },
      { text: 'z', isCorrect: false },
    ]);
});

test('takes several right answers of a pasted question, and leaves an unclear one in the text', async () => {
  await opened();
  const unclear = { 'text/plain': 'Which?\nA) x\nB) y\nAnswer: C' };
  paste('question', unclear);
  await expect.poll(() => textOf('question')).toContain('Answer: C');
  expect(optionsShown()).toEqual(['', '', '', '']);
  await userEvent.keyboard('{Control>}a{/Control}{Delete}');
  paste('question', { 'text/plain': '2. Which?\n[x] x\n[ ] y\n[x] z' });
  await expect.poll(optionsShown).toEqual(['x', 'y', 'z']);
  await expect.element(page.getByRole('checkbox', { name: 'Option C is correct' })).toBeChecked();
  expect(shownToasts()[0]?.description).toBe(
    'Correct: A and C, by a sign, which was removed. The number “2.” was left out.',
  );
  // The toast takes it back, too; options that are there are not replaced.
  shownToasts()[0]?.undo?.();
  await expect.poll(optionsShown).toEqual(['', '', '', '']);
  await expect
    .element(page.getByRole('combobox', { name: 'Type' }))
    .toHaveTextContent('Single choice');
  field('options.0.text').focus();
  await userEvent.keyboard('mine');
  paste('question', { 'text/plain': 'Which?\nA) x\nB) y' });
  await expect.poll(() => textOf('question')).toContain('B) y');
  expect(optionsShown()).toEqual(['mine', '', '', '']);
});

test('Alt+Enter leads from the question to the options, and marks the one it is in', async () => {
  await opened();
  field('question').focus();
  await userEvent.keyboard('Which?{Alt>}{Enter}{/Alt}');
  await expect.poll(() => document.activeElement).toBe(field('options.0.text'));
  await userEvent.keyboard('x{Enter}y{Alt>}{Enter}{/Alt}');
  await expect.poll(rightOption).toBe('y');
  expect(optionsShown()).toEqual(['x', 'y', '', '']);
  expect(textOf('question')).toBe('Which?');
});

test('turns what is read as a formula into code in one click, which undo takes back', async () => {
  sourceViewKey.write(true);
  await opened();
  await userEvent.fill(page.elementLocator(field('question')), 'Is $(pwd)/$(date) or $x$ right?');
  await expect.element(page.getByText('2 formulas')).toBeVisible();
  await page.getByRole('button', { name: 'Show (pwd)/ as code' }).click();
  await expect.poll(() => textOf('question')).toBe('Is `$(pwd)/$(date)` or $x$ right?');
  await expect.element(page.getByText('1 formula')).toBeVisible();
  // Nothing that looks like code is left, so that the list is closed.
  await expect
    .element(page.getByRole('button', { name: 'Show x as text' }))
    .not.toBeInTheDocument();
  document.execCommand('undo');
  await expect.poll(() => textOf('question')).toBe('Is $(pwd)/$(date) or $x$ right?');
});

/** Shows where the page leads. */
function Address() {
  const { pathname, search } = useLocation();
  return <p data-testid="address">{pathname + search}</p>;
}

const address = () => page.getByTestId('address');

const ID = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;

/** The editor's page among the questions of an assessment; returns what its server has. */
async function openedAt(at: string) {
  const questions: BankQuestion[] = ['First?', 'Second?'].map((text, i) =>
    bankQuestion(plainDefinition(text, ['a', 'b'], 'a'), { id: ID(i), quizId: QUIZ.id }),
  );
  const rule = { count: 1, from: { tags: ['week 1'] } };
  let structure = {
    sections: [
      { id: 'one', title: 'One', isShuffled: true, items: [] },
      { id: 'two', title: 'Two', isShuffled: true, items: [rule] },
    ],
  };
  const check = { qualified: [], problems: [] };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const path = new URL(url, window.location.origin).pathname;
    const sent = body === undefined ? null : JSON.parse(String(body));
    if (path.endsWith('/structure')) {
      if (method === 'PUT') structure = sent.structure;
      return Response.json({ structure, negativeMarks: null, check });
    }
    if (path === `/api/quizzes/${QUIZ.id}`) return Response.json(QUIZ);
    if (path.endsWith('/questions') && method === 'GET') {
      return Response.json(
        questions.map(({ id, definition, orderNumber, version }) => ({
          ...{ id, quizId: QUIZ.id, orderNumber, version, definition, type: definition.type },
          ...{ question: definition.question, options: [], correctAnswer: '' },
        })),
      );
    }
    if (path === '/api/questions') {
      const isDraft = !sent.definition.options.some((one: { isCorrect: boolean }) => one.isCorrect);
      const id = ID(questions.length);
      questions.push(
        bankQuestion(sent.definition, { id, quizId: sent.quizId, tags: sent.tags, isDraft }),
      );
      return Response.json(questions.at(-1), { status: 201 });
    }
    const found = questions.find(({ id }) => path.endsWith(`/${id}`));
    return Response.json(found ? { ...found, versions: [], usedIn: [] } : []);
  });
  await show(
    <>
      <Routes>
        <Route path="/admin/questions/:id" element={<QuestionEditorScreen />} />
        <Route path="*" element={null} />
      </Routes>
      <Address />
    </>,
    { at },
  );
  return { questions, sections: () => structure.sections };
}

test.each([
  ['done', 'Take it off the list', 'Rescoring of it has ended.'],
  ['running', 'Cancel it', 'Rescoring of it is under way.'],
])('takes the work of a deleted question off the list that is %s', async (state, label, text) => {
  const times = { begunAt: '2026-11-27T10:00:00.000Z', done: 1, total: 2 };
  const of = { kind: 'scores.correct', name: '', quizId: null, result: null, failure: null };
  let works = [
    { id: ID(8), ...of, ...times, questionId: ID(1), state },
    { id: ID(9), ...of, ...times, questionId: ID(5), state },
  ];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'DELETE') {
      works = works.filter(({ id }) => !url.endsWith(`/works/${id}`));
      return new Response(null, { status: 204 });
    }
    return url.endsWith('/works') ? Response.json(works) : refusal(404, 'NOT_FOUND');
  });
  const { container } = await show(
    <Routes>
      <Route path="/admin/questions/:id" element={<QuestionEditorScreen />} />
    </Routes>,
    { at: `/admin/questions/${ID(5)}?rescore` },
  );
  await expect.poll(() => wordsIn(container)).toContain(text);
  await page.getByRole('button', { name: label }).click();
  await expect.poll(() => wordsIn(container)).not.toContain(text);
  expect(wordsIn(container)).toContain('The question was deleted');
  expect(works.map(({ id }) => id)).toEqual([ID(8)]);
});

async function typeTrueOrFalse(text: string, key: string | null) {
  await typeIn('question', text);
  if (key !== null) await page.getByRole('radio', { name: `Option ${key} is correct` }).click();
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
}

test('writes one question after the other into a section', async () => {
  const { questions, sections } = await openedAt(
    `/admin/questions/new?quiz=${QUIZ.id}&section=two`,
  );
  await selectType('True or false');
  await userEvent.fill(field('points'), '2');
  await page.getByLabelText('Tags').fill('algebra');
  await userEvent.keyboard('{Enter}');
  for (const [i, text] of ['Water is wet.', 'Ice is hot.'].entries()) {
    await typeTrueOrFalse(text, i === 0 ? 'A' : 'B');
    await expect.poll(() => questions).toHaveLength(3 + i);
    // The next one has the focus, and what questions in a row have in common.
    await expect.poll(() => textOf('question')).toBe('');
    await expect.poll(() => document.activeElement).toBe(field('question'));
    expect(textOf('points')).toBe('2');
  }
  // A question without a key is a draft, which no paper can have.
  await typeTrueOrFalse('Fire is cold.', null);
  await told('Draft saved');
  expect(questions.slice(2).map(({ tags, definition }) => [tags, definition.points])).toEqual(
    Array.from({ length: 3 }, () => [['algebra'], 2]),
  );
  expect(sections().map(({ items }) => items)).toEqual([
    [],
    [{ count: 1, from: { tags: ['week 1'] } }, { questionId: ID(2) }, { questionId: ID(3) }],
  ]);
  expect(shownToasts().map(({ title }) => title)).not.toContain('Question added');
  await expect
    .element(address())
    .toHaveTextContent(`/admin/questions/new?quiz=${QUIZ.id}&section=two`);
});

test('is saved but not put into a section that no longer exists', async () => {
  const { questions, sections } = await openedAt(
    `/admin/questions/new?quiz=${QUIZ.id}&section=hard`,
  );
  await selectType('True or false');
  await page.getByLabelText('Tags').fill('algebra');
  await userEvent.keyboard('{Enter}');
  await typeTrueOrFalse('Water is wet.', 'A');
  await expect.poll(() => questions).toHaveLength(3);
  await told('Question saved, but not added to the section');
  await expect.poll(() => textOf('question')).toBe('');
  expect(shownToasts()).toMatchObject([{ description: 'This section no longer exists' }]);
  expect(sections().map(({ items }) => items.length)).toEqual([0, 1]);
});

test('from right to left, the arrow that points to the next question leads there', async () => {
  document.documentElement.dir = 'rtl';
  onTestFinished(() => document.documentElement.removeAttribute('dir'));
  await openedAt(`/admin/questions/${ID(0)}?quiz=${QUIZ.id}`);
  const next = page.getByRole('button', { name: 'Next question' });
  await expect.element(next).toHaveAttribute('aria-keyshortcuts', 'Alt+ArrowLeft');
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(() => textOf('question')).toBe('Second?');
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}');
  await expect.poll(() => textOf('question')).toBe('First?');
});

test('goes to the previous and the next question, and back to where it was opened', async () => {
  await openedAt(`/admin/questions/${ID(0)}?quiz=${QUIZ.id}`);
  await expect.element(page.getByText('1 of 2')).toBeVisible();
  await expect
    .element(page.getByRole('button', { name: 'Previous question' }))
    .toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('button', { name: 'Next question' }).click();
  await expect.poll(() => textOf('question')).toBe('Second?');
  await expect.element(page.getByRole('heading', { name: 'Edit question' })).toHaveFocus();
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}');
  await expect.poll(() => textOf('question')).toBe('First?');
  // Saved and on: the next question, and behind the last a new one.
  await userEvent.fill(field('question'), 'Really first?');
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  await expect.poll(() => textOf('question')).toBe('Second?');
  await told('Question saved');
  await userEvent.keyboard('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  await expect.element(page.getByRole('heading', { name: 'New question' })).toBeVisible();
  await page.getByRole('button', { name: 'Back', exact: true }).click();
  await expect.element(address()).toHaveTextContent(`/admin/quizzes/${QUIZ.id}/questions`);
});
