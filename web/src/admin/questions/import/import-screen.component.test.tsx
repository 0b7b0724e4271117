import type { ImportItem, ImportLine } from '@invigil/core/contract/assessments/imports';
import type { Work } from '@invigil/core/contract/installation/works';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { shownToasts } from '../../../ui/toast.ts';
import { ImportScreen } from './import-screen.tsx';
import { UploadQuestions } from './upload-questions.tsx';

const HASH = 'a'.repeat(64);
/** A transparent pixel. */
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const item = (title: string, change: Partial<ImportItem> = {}): ImportItem => ({
  source: { file: 'quiz.xml' },
  title,
  definition: plainDefinition(`${title}?`, ['x', 'y'], 'x'),
  notes: [],
  isDraft: false,
  tags: [],
  categoryPath: [],
  isDuplicate: false,
  ...change,
});

const ADDED_AT = '2026-11-27T10:00:00.123Z';

const END: ImportLine = { end: { format: 'moodle_xml', problems: [] } };

/** A server that reads every file as these lines. Returns what is stored, and how files were read. */
function served(
  given: readonly ImportLine[] | ((query: URLSearchParams) => readonly ImportLine[]),
  held: 'reading' | 'importing' | null = null,
) {
  const stored: unknown[] = [];
  const queries: Record<string, string>[] = [];
  const aborted = vi.fn();
  vi.stubGlobal('fetch', async (url: string, { method, body, signal }: RequestInit) => {
    if (method !== 'POST') return Response.json([]);
    if (url.endsWith('/change')) {
      stored.push(JSON.parse(String(body)));
      return Response.json({ changed: 2, undo: [] });
    }
    if (!url.includes('/import/read')) {
      if (!(body instanceof Blob)) throw new Error('no file');
      stored.push(JSON.parse((await body.text()).split('\n')[0] ?? ''));
      if (held === 'importing') {
        await new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            aborted();
            reject(signal.reason);
          });
        });
      }
      const result = { added: 2, ids: ['a', 'b'], duplicates: 0, left: [], createdAt: ADDED_AT };
      return Response.json(result, { status: 201 });
    }
    const query = new URLSearchParams(url.split('?')[1]);
    queries.push(Object.fromEntries(query));
    const lines = typeof given === 'function' ? given(query) : given;
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        const send = (some: readonly ImportLine[]) => {
          const text = some.map((line) => `${JSON.stringify(line)}\n`).join('');
          controller.enqueue(new TextEncoder().encode(text));
        };
        signal?.addEventListener('abort', () => {
          aborted();
          controller.error(signal.reason);
        });
        if (held === 'reading') {
          return send(Array.from({ length: 120 }, (_, i) => ({ item: item(`Item ${i}`) })));
        }
        send(lines);
        controller.close();
      },
    });
    return new Response(stream);
  });
  return { stored, aborted, queries };
}

const choose = () => page.getByLabelText('Select a file').upload(new File(['<quiz/>'], 'quiz.xml'));

test('reviews every item, and stores only what is selected after the confirmation', async () => {
  const { stored } = served([
    { item: item('First') },
    { item: item('Second', { notes: ['The font was removed'] }) },
    { item: item('Third', { isDuplicate: true }) },
    {
      item: item('Fourth', {
        definition: null,
        notes: ['Essays are not supported'],
        source: { file: 'quiz.xml', identifier: 'q4', line: 40 },
      }),
    },
    END,
  ]);
  await show(<ImportScreen />);
  await choose();
  await expect
    .element(page.getByText('Moodle XML, 4 questions. Nothing is stored yet.'))
    .toBeVisible();
  await expect.element(page.getByText('quiz.xml, item q4, line 40')).toBeVisible();
  await expect.element(page.getByText('Essays are not supported')).toBeVisible();
  await expect.element(page.getByRole('checkbox', { name: '4. Fourth' })).toBeDisabled();
  expect(stored).toEqual([]);

  await page.getByRole('button', { name: 'Changed 1' }).click();
  expect(page.getByRole('listitem').elements()).toHaveLength(1);
  await page.getByRole('checkbox', { name: '2. Second' }).click();
  await page.getByLabelText('Extra tags').fill('autumn,');
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await expect.element(page.getByText('2 questions were imported')).toBeVisible();
  const order = { items: [0], quizId: null, withDuplicates: false, tags: ['autumn'] };
  expect(stored).toEqual([{ name: 'quiz.xml', ...order, work: expect.any(String) }]);
  const link = page.getByRole('link', { name: 'Show questions' }).element();
  const added = new URL(link.getAttribute('href') ?? '', window.location.origin).searchParams;
  expect(Object.fromEntries(added)).toEqual({ createdAt: ADDED_AT });
});

test('adds nothing of a file that is in the bank already, unless it is selected', async () => {
  const { stored } = served([{ item: item('First', { isDuplicate: true }) }, END]);
  await show(<ImportScreen />);
  await choose();
  await expect.element(page.getByText(/is in the bank already/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Nothing is selected' })).toBeVisible();
  await page.getByRole('checkbox', { name: '1. First' }).click();
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await expect.poll(() => stored).toMatchObject([{ items: [0], withDuplicates: true }]);
});

test('undoes an import', async () => {
  const { stored } = served([{ item: item('First') }, END]);
  await show(<ImportScreen />);
  await choose();
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await page.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('button', { name: 'Delete 2 questions' }).click();
  await expect.element(page.getByText(/^The import was undone/)).toBeVisible();
  expect(stored.at(-1)).toEqual({ ids: ['a', 'b'], isDeleted: true });
});

test('imports what was put right in the review, also of a row that was not supported', async () => {
  const attempt = plainDefinition('Second?', ['x', 'y'], '');
  const notes = ['Correct answer "z" must match one of the options'];
  const { stored } = served([
    { item: item('First') },
    { item: item('Second', { definition: null, attempt, notes }) },
    { item: item('Third', { definition: null, notes: ['Essays are not supported'] }) },
    END,
  ]);
  await show(<ImportScreen />, { at: '/admin/questions/import?quizId=q' });
  await choose();
  await expect.element(page.getByRole('button', { name: 'Change 1' })).toBeVisible();
  expect(page.getByRole('button', { name: 'Change 3' }).elements()).toEqual([]);
  await page.getByRole('button', { name: 'Change 2' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change question' });
  await dialog.getByLabelText('Points').fill('0');
  await dialog.getByRole('button', { name: 'Change question' }).click();
  await expect.element(dialog.getByText(/^Points are/)).toBeVisible();
  await dialog.getByLabelText('Points').fill('2');
  await dialog.getByRole('radio', { name: 'Option B is correct' }).click();
  await dialog.getByRole('button', { name: 'Change question' }).click();
  await expect.element(page.getByText('You changed this question.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 2 questions' }).click();
  await expect.element(page.getByText('2 questions were imported')).toBeVisible();
  const definition = { ...plainDefinition('Second?', ['x', 'y'], 'y'), points: 2 };
  expect(stored).toMatchObject([
    { items: [0, 1], changed: [{ item: 1, definition }], quizId: 'q' },
  ]);
});

test('shows progress, and Cancel ends the request', async () => {
  const { aborted } = served([], 'reading');
  await show(<ImportScreen />);
  await choose();
  await expect.element(page.getByText('Reading quiz.xml: 120 questions so far…')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByLabelText('Select a file')).toBeInTheDocument();
  expect(aborted).toHaveBeenCalledOnce();
});

test('shows that it imports, and Cancel ends that request', async () => {
  const { aborted } = served([{ item: item('First') }, END], 'importing');
  await show(<ImportScreen />);
  await choose();
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await expect.element(page.getByText('Importing 1 question…')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(page.getByText('Import canceled')).toBeVisible();
  expect(aborted).toHaveBeenCalledOnce();
  await expect.element(page.getByRole('button', { name: 'Import 1 question' })).toBeEnabled();
});

const WORK: Work = {
  id: '3f1b3c1e-6a51-4b6c-9d50-0a4b5d0f2c11',
  kind: 'questions.import',
  questionId: null,
  name: 'large.xml',
  quizId: null,
  begunAt: ADDED_AT,
  state: 'running',
  done: 40,
  total: 100,
  result: null,
  failure: null,
};
const RESULT = { added: 2, ids: ['a', 'b'], duplicates: 0, left: [], createdAt: ADDED_AT };

/** A server that has such work until it is forgotten. */
function servedWork(change: Partial<Work>) {
  let works: Work[] = [{ ...WORK, ...change }];
  const forgotten: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method !== 'DELETE') return Response.json(url.endsWith('/works') ? works : []);
    forgotten.push(url.split('/').at(-1) ?? '');
    works = [];
    return new Response(null, { status: 204 });
  });
  return forgotten;
}

test.each<[string, Partial<Work>, string, string]>([
  ['under way', {}, 'large.xml: Reading 40 of 100 questions…', 'Cancel'],
  ['being stored', { done: 100 }, 'large.xml: Storing 100 questions…', 'Cancel'],
  ['done', { state: 'done', result: RESULT }, '2 questions were imported', 'Close'],
  [
    'failed',
    { state: 'failed', failure: 'UNAVAILABLE' },
    'The service is busy right now. Try again in a moment.',
    'Close',
  ],
  ['lost', { state: 'lost' }, 'The server stopped during the import', 'Close'],
])('finds an import again that is %s', async (_, change, text, button) => {
  const forgotten = servedWork(change);
  const { container } = await show(<ImportScreen />);
  await expect.poll(() => wordsIn(container)).toContain(text);
  expect(forgotten).toEqual([]);
  await page.getByRole('button', { name: button }).click();
  await expect.poll(() => wordsIn(container)).not.toContain(text);
  expect(forgotten).toEqual([WORK.id]);
});

test('shows the sentence about a file that cannot be read', async () => {
  served([{ item: item('First') }, { error: 'This is not a question file' }]);
  await show(<ImportScreen />);
  await choose();
  await expect.element(page.getByText('This is not a question file')).toBeVisible();
});

test('shows an item with the images of the file', async () => {
  const definition = {
    ...plainDefinition(`Look: ![A pixel](image:${HASH})`, ['x', 'y'], 'x'),
    format: 'markdown' as const,
  };
  served([
    { image: { hash: HASH, mediaType: 'image/*', base64: GIF } },
    { item: item('First', { definition }) },
    END,
  ]);
  await show(<ImportScreen />);
  await choose();
  await page.getByRole('button', { name: 'Preview 1' }).click();
  const image = page.getByRole('img', { name: 'A pixel' });
  await expect.element(image).toBeVisible();
  await expect.poll(() => image.element()).toMatchObject({ naturalWidth: 1 });
});

test('shows what each option earns or costs, where options have weights', async () => {
  const options = [
    { text: 'two', isCorrect: true, weight: 100 },
    { text: 'nine', isCorrect: false, weight: -50 },
    { text: 'one', isCorrect: false, weight: 0 },
  ];
  const definition = {
    ...plainDefinition('Which are prime?', [], ''),
    ...{ type: 'multiple_response' as const, rule: 'weights' as const, options },
  };
  served([{ item: item('First', { definition }) }, END]);
  await show(<ImportScreen />);
  await choose();
  await page.getByRole('button', { name: 'Preview 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Preview' });
  await expect.element(dialog.getByRole('heading', { name: 'Weights' })).toBeVisible();
  expect(wordsIn(dialog)).toContain('Weights two (100%) nine (-50%) 1 point, Weights');
});

test('pages a file of ten thousand questions', async () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => ({ item: item(`Question ${i + 1}`) }));
  served([...lines, END]);
  await show(<ImportScreen />);
  await choose();
  await expect.element(page.getByRole('button', { name: 'Import 10,000 questions' })).toBeVisible();
  expect(page.getByRole('listitem').elements()).toHaveLength(50);
  await page.getByRole('button', { name: 'Page 200' }).click();
  await expect.element(page.getByText('10000. Question 10000')).toBeVisible();
});

const SHEET_END = {
  format: 'csv' as const,
  problems: [],
  notes: ['The column “Note” is not used.'],
  encoding: 'windows-1252' as const,
  columns: [
    { head: 'Question', use: 'question' as const, example: 'First?' },
    { head: 'A', use: 'option' as const, example: 'x' },
    { head: 'B', use: 'option' as const, example: 'y' },
    { head: 'Answer', use: 'answer' as const, example: 'A' },
    { head: 'Note', use: 'unused' as const, example: 'B' },
  ],
};

const select = async (control: string, option: string) => {
  await page.getByRole('combobox', { name: control }).click();
  await page.getByRole('option', { name: option }).click();
};

test('says what each column is, and reads and imports the file by another choice', async () => {
  const { stored, queries } = served((query) =>
    query.has('columns')
      ? [
          { item: item('First', { definition: plainDefinition('First?', ['x', 'y'], 'y') }) },
          { end: SHEET_END },
        ]
      : [{ item: item('First') }, { item: item('Second') }, { end: SHEET_END }],
  );
  await show(<ImportScreen />);
  await choose();
  const uses = () =>
    page
      .getByRole('group', { name: 'Columns' })
      .getByRole('combobox')
      .elements()
      .map(({ textContent }) => textContent);
  await expect.poll(uses).toEqual(['Question', 'Option', 'Option', 'Correct answer', 'Not used']);
  await expect.element(page.getByText('The column “Note” is not used.')).toBeVisible();
  const key = page.getByRole('group', { name: 'Correct answer' });
  await expect.poll(() => wordsIn(key.first())).toMatch(/A: x$/);
  await page.getByLabelText('Extra tags').fill('autumn,');

  await select('Column E: Note', 'Correct answer');
  await expect.element(page.getByRole('button', { name: 'Import 1 question' })).toBeVisible();
  await expect.poll(() => wordsIn(key)).toMatch(/B: y$/);
  const columns = ['question', 'option', 'option', 'unused', 'answer'];
  expect(queries.at(-1)).toEqual({ name: 'quiz.xml', columns: columns.join() });
  // Entered values stay.
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await expect.poll(() => stored).toMatchObject([{ items: [0], columns, tags: ['autumn'] }]);
});

test('names the encoding, and reads and imports the file in another one', async () => {
  const { stored, queries } = served((query) => [
    { item: item(query.get('encoding') === 'windows-1251' ? 'Вопрос' : 'Âîïðîñ') },
    { end: { format: 'gift', problems: [], encoding: 'windows-1252' } },
  ]);
  await show(<ImportScreen />);
  await choose();
  const encoding = page.getByRole('combobox', { name: 'Text encoding' });
  await expect.element(encoding).toHaveTextContent('windows-1252 (Western Europe)');
  await select('Text encoding', 'windows-1251 (Cyrillic)');
  await expect.element(page.getByText('1. Вопрос')).toBeVisible();
  expect(queries.at(-1)).toEqual({ name: 'quiz.xml', encoding: 'windows-1251' });
  await page.getByRole('button', { name: 'Import 1 question' }).click();
  await expect.poll(() => stored).toMatchObject([{ encoding: 'windows-1251' }]);
});

test('asks before another choice takes back what was changed in the review', async () => {
  const { queries } = served([{ item: item('First') }, { end: SHEET_END }]);
  await show(<ImportScreen />);
  await choose();
  await page.getByRole('button', { name: 'Change 1' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change question' });
  await dialog.getByLabelText('Points').fill('2');
  await dialog.getByRole('button', { name: 'Change question' }).click();
  const changed = page.getByText('You changed this question.');
  await expect.element(changed).toBeVisible();
  await select('Column E: Note', 'Correct answer');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect.element(changed).toBeVisible();
  expect(queries).toHaveLength(1);
  await select('Column E: Note', 'Correct answer');
  await page.getByRole('button', { name: 'Discard', exact: true }).click();
  await expect.element(changed).not.toBeInTheDocument();
  expect(queries).toHaveLength(2);
  // Nothing is changed now.
  await select('Text encoding', 'KOI8-R (Cyrillic)');
  await expect.poll(() => queries.length).toBe(3);
});

test('keeps what was read when another choice cannot be read', async () => {
  served((query) =>
    query.has('encoding')
      ? [{ error: 'This file has no questions' }]
      : [{ item: item('First') }, { end: { format: 'gift', problems: [], encoding: 'koi8-r' } }],
  );
  await show(<ImportScreen />);
  await choose();
  await select('Text encoding', 'UTF-16 (big-endian)');
  await expect.element(page.getByText('This file has no questions')).toBeVisible();
  await expect.element(page.getByText('1. First')).toBeVisible();
  await expect
    .element(page.getByRole('combobox', { name: 'Text encoding' }))
    .toHaveTextContent('KOI8-R (Cyrillic)');
});

test('shows the key of every question', async () => {
  const options = ['x', 'y', 'z'].map((text) => ({ text, isCorrect: text !== 'y' }));
  const base = plainDefinition('First?', [], '');
  served([
    { item: item('Second', { definition: { ...base, type: 'multiple_response', options } }) },
    {
      item: item('Third', {
        definition: { ...base, type: 'numeric', numeric: { accepted: [{ min: '3', max: '4' }] } },
      }),
    },
    { item: item('Fourth', { isDraft: true, definition: plainDefinition('?', ['x', 'y'], '') }) },
    END,
  ]);
  await show(<ImportScreen />);
  await choose();
  const list = page.getByRole('list', { name: 'Questions of the file' });
  await expect
    .poll(() => wordsIn(list))
    .toMatch(/A: x.*C: z.*Accepted 3 to 4.*No correct answer yet/);
  await expect
    .element(page.getByRole('region', { name: 'How this file was read' }))
    .not.toBeInTheDocument();
});

describe('Upload CSV', () => {
  const nothing = () => undefined;
  const upload = (file: File) => page.getByLabelText('Select a CSV file').upload(file);
  const csv = (name: string, content = 'Question,A,B,Answer') => new File([content], name);
  const CSV_END = { format: 'csv' as const, encoding: 'utf-8' as const, isFirstRowQuestion: true };
  const LINE_3 = 'Line 3: Each question must have at least a question and 2 options';

  test('reads by the rules of the specification, and adds every valid row', async () => {
    const { stored, queries } = served([
      { item: item('First', { isDuplicate: true }) },
      { item: item('Too short | 1', { definition: null, notes: [LINE_3] }) },
      { item: item('Second') },
      { end: { ...CSV_END, problems: [] } },
    ]);
    const onImported = vi.fn();
    await show(<UploadQuestions quizId="q" onPendingChange={nothing} onImported={onImported} />);
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(csv('q.csv'));
    const zone = page.getByText('or drop it here').element();
    for (const type of ['dragover', 'drop']) {
      zone.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }));
    }
    await expect.element(page.getByText(LINE_3, { exact: true })).toBeVisible();
    await page.getByLabelText('Keep the first row').click();
    await expect
      .poll(() => queries.map(({ firstRow }) => firstRow))
      .toEqual(['header', 'question']);
    const store = page.getByRole('button', { name: 'Import 2 questions' });
    const answering = globalThis.fetch;
    vi.stubGlobal('fetch', async () => new Response('', { status: 500 }));
    await store.click();
    const description = 'Please check the CSV format and try again.';
    const told = { title: 'Failed to upload CSV', description };
    await expect.poll(() => shownToasts().at(-1)).toMatchObject(told);
    vi.stubGlobal('fetch', answering);
    await store.click();
    await expect.poll(() => onImported.mock.calls).toEqual([[['a', 'b']]]);
    const order = { name: 'q.csv', firstRow: 'question', items: [0, 2], quizId: 'q', tags: [] };
    expect(stored).toEqual([{ ...order, withDuplicates: true }]);
  });

  test.each([
    ['questions.xlsx', 'x', 'Only .csv files can be uploaded'],
    ['questions.csv.exe', 'x', 'Only .csv files can be uploaded'],
    ['csv', 'x', 'Only .csv files can be uploaded'],
    ['empty.csv', '', 'The file is empty'],
    [
      'huge.csv',
      'x'.repeat(2_097_155),
      'The file is larger than 1 MiB. Split it into smaller files',
    ],
  ])('does not send %s', async (name, content, sentence) => {
    const { queries } = served([]);
    await show(<UploadQuestions quizId="q" onPendingChange={nothing} onImported={nothing} />);
    await upload(csv(name, content));
    await expect.element(page.getByText(sentence)).toBeVisible();
    const told = { title: 'Failed to upload CSV', description: sentence };
    expect(shownToasts().at(-1)).toMatchObject(told);
    expect(queries).toEqual([]);
  });

  test.each([
    [{ error: 'This file is not text' }, 'This file is not text'],
    [{ end: { ...CSV_END, problems: ['No valid questions'] } }, 'No valid questions'],
  ])('says why no question can be added: %j', async (line, sentence) => {
    served([line]);
    await show(<UploadQuestions quizId="q" onPendingChange={nothing} onImported={nothing} />);
    await upload(csv('q.csv'));
    await expect.element(page.getByText(sentence).first()).toBeVisible();
    const told = { title: 'Failed to upload CSV', description: sentence };
    await expect.poll(() => shownToasts().at(-1)).toMatchObject(told);
  });
});
