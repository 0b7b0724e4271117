import type { BankQuestion } from '@invigil/core/contract/assessments/bank';
import {
  plainDefinition,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { shownToasts } from '../../../ui/toasts/toast.ts';
import { QuestionEditor } from './question-editor.tsx';

const HASH = 'ab'.repeat(32);
const nothing = () => undefined;

function bankQuestion(definition: QuestionDefinition, part: Partial<BankQuestion> = {}) {
  return {
    id: 'one',
    version: 1,
    definition,
    isDraft: false,
    tags: [],
    categoryId: null,
    difficulty: null,
    note: '',
    quizId: null,
    quizTitle: null,
    orderNumber: 1,
    archivedAt: null,
    createdAt: '2026-05-04T09:00:00Z',
    updatedAt: '2026-05-04T09:00:00Z',
    timesSeen: 0,
    ...part,
  } satisfies BankQuestion;
}

interface Sent {
  method: string;
  path: string;
  body: { definition?: QuestionDefinition; version?: number; tags?: string[] };
}

/** The editor with a server that stores what it gets. */
async function opened(
  stored: BankQuestion | null = null,
  refuse?: (method: string) => Response | null,
) {
  const sent: Sent[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body }: RequestInit) => {
    const path = new URL(address, window.location.origin).pathname;
    if (path === '/api/images') {
      return Response.json(
        { hash: HASH, mediaType: 'image/webp', width: 1, height: 1, bytes: 1 },
        { status: 201 },
      );
    }
    if (path === '/api/questions/tags') return Response.json([{ tag: 'week 1', count: 3 }]);
    if (path === '/api/categories') return Response.json([]);
    if (path.endsWith('/rescore')) {
      return Response.json({ participants: 2, unchanged: 0, changes: [], applied: false });
    }
    if (method === 'GET') {
      const refused = refuse?.(method);
      return refused ?? Response.json({ ...stored, versions: [], usedIn: [] });
    }
    const parsed = JSON.parse(String(body));
    sent.push({ method, path, body: parsed });
    const refused = refuse?.(method);
    if (refused) return refused;
    const definition = parsed.definition ?? stored?.definition;
    const saved = { ...(stored ?? bankQuestion(definition)), ...parsed, definition };
    return Response.json(
      { ...saved, version: (stored?.version ?? 0) + 1 },
      {
        status: method === 'POST' ? 201 : 200,
      },
    );
  });
  const onLeave = vi.fn();
  const { container, unmount } = await show(
    <QuestionEditor stored={stored} quiz={null} onCreated={nothing} onLeave={onLeave} />,
  );
  return { sent, onLeave, container, unmount };
}

const field = (name: string) => {
  const found = document.querySelector<HTMLElement>(`[name="${name}"]`);
  if (found === null) throw new Error(`no field ${name}`);
  return found;
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
  vi.waitFor(() => expect(shownToasts().map((toast) => toast.title)).toContain(title), 5_000);
const preview = () => page.getByRole('region', { name: 'Preview' });

beforeEach(() => localStorage.clear());

test('authors a question with the keyboard alone', async () => {
  const { sent } = await opened();
  await typeIn('question', 'Which?');
  await typeIn('options.0.text', 'first');
  await userEvent.tab();
  await typeIn('options.1.text', 'second');
  await typeIn('options.2.text', 'third');
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(document.activeElement).toBe(field('options.4.text')));
  await userEvent.keyboard('fifth');
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await vi.waitFor(() => expect(document.activeElement).toBe(field('options.3.text')));
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

test('shows the problems of a refused save at their fields and focuses the first', async () => {
  const { sent } = await opened();
  await typeIn('options.0.text', 'same');
  await typeIn('options.1.text', 'same');
  await save();
  await expect.element(page.getByText('Please enter a question')).toBeVisible();
  await expect
    .element(page.getByText('Two options are the same. Change one of them'))
    .toBeVisible();
  await vi.waitFor(() => expect(document.activeElement).toBe(field('question')));
  expect(sent).toEqual([]);
  await typeIn('question', 'Now?');
  await expect.element(page.getByText('Please enter a question')).not.toBeInTheDocument();
});

test('authors several right options and scores a trial answer', async () => {
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
  await preview().getByRole('checkbox', { name: 'two' }).click();
  await expect.element(preview().getByText('Partly correct: 0.6667 of 1 point')).toBeVisible();
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

test('authors a number with a range and a unit', async () => {
  const { sent } = await opened();
  await selectType('Number');
  await typeIn('question', 'How fast?');
  await typeIn('numeric.accepted.0.value', '9,81');
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
    accepted: [{ value: '9.81' }, { min: '9', max: '10' }],
    units: [{ unit: 'm/s', factor: '1' }],
  });
});

test('authors a short text with weights', async () => {
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

test('undoes a removed option and a changed type', async () => {
  await opened(bankQuestion(plainDefinition('Which?', ['a', 'b', 'c'], 'a')));
  await page.getByRole('button', { name: 'Remove option B' }).click();
  await selectType('Number');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  expect(field('options.1.text')).toHaveProperty('value', 'b');
  await page.getByRole('button', { name: 'Redo' }).click();
  expect(field('options.1.text')).toHaveProperty('value', 'c');
});

test('offers unsaved changes of an earlier page and restores them', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'));
  await opened(stored);
  await typeIn('question', ' Really');
  window.dispatchEvent(new Event('pagehide'));
  const left = Object.entries(localStorage);
  expect(left).toHaveLength(1);
  // As after a crash: nothing of the first page runs any more.
  const second = await opened({ ...stored, id: 'two' });
  await second.unmount();
  const [name = '', draft = ''] = left[0] ?? [];
  localStorage.setItem(name.replace('one', 'three'), draft);
  await opened({ ...stored, id: 'three' });
  await expect
    .element(page.getByText(/^Restore your unsaved changes from \d\d:\d\d\?$/))
    .toBeVisible();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  const last = [...document.querySelectorAll<HTMLTextAreaElement>('[name="question"]')].at(-1);
  expect(last?.value).toContain('Really');
});

test('leaves on Escape', async () => {
  const { onLeave } = await opened();
  field('question').focus();
  await userEvent.keyboard('{Escape}');
  await vi.waitFor(() => expect(onLeave).toHaveBeenCalledOnce());
});

test('shows both versions if someone else saved, and keeps the selected one', async () => {
  const stored = bankQuestion(plainDefinition('Which?', ['a', 'b'], 'a'));
  const theirs = { ...stored, version: 2, definition: plainDefinition('Theirs?', ['a', 'b'], 'a') };
  let isStale = true;
  const { sent } = await opened(stored, (method) => {
    if (method === 'GET') return Response.json({ ...theirs, versions: [], usedIn: [] });
    const refusal = { statusCode: 409, error: 'Conflict', code: 'STALE', message: 'Reload.' };
    return isStale ? Response.json(refusal, { status: 409 }) : null;
  });
  await userEvent.fill(field('question'), 'Mine?');
  await save();
  const notice = page.getByRole('alert');
  await expect.element(notice).toBeVisible();
  expect(wordsIn(notice)).toContain('removed: Theirs? added: Mine?');
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
  expect(sent[0]?.body).toEqual({ tags: ['algebra'], version: 1 });
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

/** Pastes into a field. */
function paste(name: string, data: Record<string, string>, files: File[] = []) {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  for (const file of files) clipboardData.items.add(file);
  field(name).focus();
  field(name).dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  );
}
const textOf = (name: string) => (field(name) as HTMLTextAreaElement).value;

test('pastes formatted text as Markdown, and its own undo takes it back', async () => {
  await opened();
  const html = '<p class="MsoNormal">A <b>bold</b> word</p><ul><li>one</li><li>two</li></ul>';
  paste('question', { 'text/html': html, 'text/plain': 'A bold word\none\ntwo' });
  await vi.waitFor(
    () => expect(textOf('question')).toBe('A **bold** word\n\n- one\n- two'),
    10_000,
  );
  document.execCommand('undo');
  await vi.waitFor(() => expect(textOf('question')).toBe(''));
});

test('stores a pasted image and insists on its description', async () => {
  await opened();
  const picture = new File([new Uint8Array([1])], 'figure.png', { type: 'image/png' });
  paste('question', {}, [picture]);
  await vi.waitFor(() => expect(textOf('question')).toBe(`![describe the picture](image:${HASH})`));
  await expect.element(page.getByText(/^Line 1: Describe the picture/)).toBeVisible();
  // The placeholder is selected: typing replaces it.
  await userEvent.keyboard('a circle');
  await vi.waitFor(() => expect(textOf('question')).toBe(`![a circle](image:${HASH})`));
  await expect.element(page.getByText(/Describe the picture/)).not.toBeInTheDocument();
});

test('inserts a formula from the list', async () => {
  await opened();
  field('question').focus();
  const toolbar = page.getByRole('toolbar', { name: 'Formatting of question' });
  await toolbar.getByRole('button', { name: 'Formula' }).click();
  await page.getByRole('button', { name: 'Root' }).click();
  await page.getByRole('button', { name: 'Insert formula' }).click();
  await vi.waitFor(() => expect(textOf('question')).toBe('$\\sqrt{x}$'));
});
