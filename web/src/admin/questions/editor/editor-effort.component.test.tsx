import { parseContent } from '@invigil/core/content/parse-content';
import { isShownTheSame } from '@invigil/core/content/runs';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { IMAGE_HASH, questionServer } from '../../../testing/question-server.ts';
import { show } from '../../../testing/shown.tsx';
import { QuestionEditor } from './question-editor.tsx';

/*
 * Counts the clicks and keys of a first assessment: twelve questions, three each with a table, a list, code and an
 * image, all with bold words, a formula and four answers; by someone who knows the editor. A click, a drag, and a
 * key that is no letter are one press each, also with Ctrl or Shift. Letters that candidates read, the language of
 * code and the description of an image are the same in any editor and not counted.
 */

/** Around the questions, now and at 858b093b (the steps of e2e/first-assessment.spec.ts). */
const AROUND = [
  ...['Create an assessment', 'Title', 'Category', 'Total Questions', 'End Date'],
  ...['Create Assessment', 'Write a question'],
  ...['Back', 'Assessments', 'Invite to First exam', 'Send me a test invitation'],
].length;

/** A question of each kind at 858b093b, in Markdown source with its keys and buttons. */
const TYPED_IN_SOURCE = 80;

/**
 * The same from a document that does not mark the right answers, read off the code of 858b093b. There, answers are
 * moved one by one out of the pasted text, in which their letters stay. Nothing is typed again: whoever types the
 * four answers needs 11 presses a question, and all of their letters.
 */
const MOVED_BEFORE = [
  ...['select the question', 'copy', 'change windows', 'paste'],
  ...['A', 'B', 'C', 'D'].flatMap((letter) => [`select ${letter}`, `drag ${letter} to its field`]),
  ...['select what is left of the answers', 'delete it'],
  ...['right answer', 'save and next', 'change windows'],
].length;
/** The image comes by itself, as Word and web pages give no image with their text; the text of it is selected. */
const IMAGE_BEFORE = [
  ...['change windows', 'select the image', 'copy', 'change windows'],
  ...['click behind the text', 'new line', 'paste'],
].length;
const BROUGHT_TO_SOURCE = 4 * MOVED_BEFORE + IMAGE_BEFORE;

const nothing = () => undefined;
/** By what they are for. */
const presses = new Map<string, number>();
let doing = '';
const count = (more: number) => presses.set(doing, (presses.get(doing) ?? 0) + more);

const content = (text: string) => userEvent.keyboard(text.replace(/[[\]{}]/g, '$&$&'));
async function press(...keys: string[]) {
  count(keys.length);
  for (const key of keys) await userEvent.keyboard(key);
}
async function click(role: 'button' | 'radio' | 'textbox', name: string) {
  count(1);
  await page.getByRole(role, { name, exact: true }).click();
}

/** Pastes what was selected and copied in the document into the question. */
function bring(data: DataTransfer) {
  count(['select', 'copy', 'change windows', 'paste'].length);
  const event = { clipboardData: data, bubbles: true, cancelable: true };
  page
    .getByRole('textbox', { name: 'Question', exact: true })
    .element()
    .dispatchEvent(new ClipboardEvent('paste', event));
}
const picture = () => new File([new Uint8Array([1])], 'ball.png', { type: 'image/png' });

interface Kind {
  name: string;
  /** Below the sentence of the question. */
  block: string;
  /** The same in a document; empty: the image is copied by itself. */
  html: string;
  write(): Promise<void>;
}

const KINDS: Kind[] = [
  {
    name: 'table',
    block: '| h | t | n |\n|-|-|-|\n| 20 | 2.02 | v |\n| 30 | 2.47 | a |',
    html: '<table><tr><th>h</th><th>t</th><th>n</th></tr><tr><td>20</td><td>2.02</td><td>v</td></tr><tr><td>30</td><td>2.47</td><td>a</td></tr></table>',
    write: async () => {
      await click('button', 'Table');
      const cells = 'h,t,n,20,2.02,v,30,2.47,a'.split(',');
      for (const [i, cell] of cells.entries()) {
        if (i > 0) await press('{Tab}');
        await content(cell);
      }
    },
  },
  {
    name: 'list',
    block: '- Flat.\n- Empty.\n- Small.',
    html: '<ul><li>Flat.</li><li>Empty.</li><li>Small.</li></ul>',
    write: async () => {
      await press('-', ' ');
      await content('Flat.');
      await press('{Enter}');
      await content('Empty.');
      await press('{Enter}');
      await content('Small.');
    },
  },
  {
    name: 'code',
    block: '```py\ndef f(h):\n    return h\n```',
    html: '<pre><code class="language-py">def f(h):\n    return h</code></pre>',
    write: async () => {
      await press('`', '`', '`');
      await content('py');
      await press('{Enter}');
      await content('def f(h):');
      await press('{Enter}');
      await content('    return h');
    },
  },
  {
    name: 'image',
    block: `![Ball](image:${IMAGE_HASH})`,
    html: '',
    write: async () => {
      count(1);
      const picker = document.querySelector('[aria-label="Images for question"]');
      if (!(picker instanceof HTMLInputElement)) throw new Error('no picker');
      const chosen = new DataTransfer();
      chosen.items.add(picture());
      picker.files = chosen.files;
      picker.dispatchEvent(new Event('change', { bubbles: true }));
      await expect.element(page.getByLabelText('Description')).toHaveFocus();
      await content('Ball');
      await press('{Control>}{Enter}{/Control}');
    },
  },
];

/** A new question is written, saved and compared with what it should be. */
async function make(kind: Kind, write: () => Promise<void>) {
  const sent = questionServer(null);
  const onNew = vi.fn();
  const { unmount } = await show(
    <QuestionEditor
      stored={null}
      quiz={null}
      onCreated={nothing}
      onLeave={nothing}
      onNew={onNew}
      startsAt="text"
    />,
  );
  await expect.element(page.getByRole('textbox', { name: 'Question', exact: true })).toHaveFocus();
  await write();
  doing = 'right option';
  await click('radio', 'Option A is correct');
  doing = 'save and next';
  await press('{Control>}{Shift>}{Enter}{/Shift}{/Control}');
  await expect.poll(() => onNew).toHaveBeenCalledOnce();
  const writes = sent.filter(({ body }) => body.definition !== undefined);
  expect(writes).toHaveLength(1);
  const { definition } = writes[0]?.body ?? {};
  const wanted = `Is **not** if $x_1$?\n\n${kind.block}`;
  const stored = definition?.question ?? '';
  expect([stored, isShownTheSame(parseContent(stored), parseContent(wanted))]).toEqual([
    stored,
    true,
  ]);
  expect(definition?.options).toEqual(
    ['A1', 'A2', 'A3', 'A4'].map((text, i) => ({ text, isCorrect: i === 0 })),
  );
  await unmount();
}

async function type(kind: Kind) {
  doing = 'bold words';
  await content('Is ');
  await press('{Control>}b{/Control}');
  await content('not');
  await press('{Control>}b{/Control}');
  await content(` if `);
  doing = 'formula';
  await press('$');
  await content('x_1');
  await press('$');
  await content('?');
  doing = kind.name;
  await press('{Enter}');
  await kind.write();
  doing = 'options';
  await click('textbox', 'Option A');
  for (const option of ['A1', 'A2', 'A3', 'A4']) {
    if (option !== 'A1') await press('{Enter}');
    await content(option);
  }
}

const SENTENCE =
  '<p>Is <b>not</b> if <math><semantics><msub><mi>x</mi><mn>1</mn></msub><annotation encoding="application/x-tex">x_1</annotation></semantics></math>?</p>';
const ANSWERS = '<p>A) A1</p><p>B) A2</p><p>C) A3</p><p>D) A4</p>';

async function bringOver(kind: Kind) {
  doing = 'question';
  const question = new DataTransfer();
  question.setData('text/html', SENTENCE + kind.html + ANSWERS);
  question.setData('text/plain', 'Is not if x?');
  bring(question);
  await expect.element(page.getByRole('textbox', { name: 'Option D' })).toHaveTextContent('A4');
  if (kind.html === '') {
    doing = 'image';
    count(['change windows'].length);
    // Behind the text, which is clicked on.
    count(1);
    await userEvent.keyboard('{Control>}{End}{/Control}');
    await press('{Enter}');
    const image = new DataTransfer();
    image.items.add(picture());
    bring(image);
    await expect.element(page.getByLabelText('Description')).toHaveFocus();
    await content('Ball');
    await press('{Control>}{Enter}{/Control}');
  }
  doing = 'to the next in the document';
  count(['change windows'].length);
}

function counted() {
  const found = Object.fromEntries(presses);
  presses.clear();
  return { found, all: Object.values(found).reduce((sum, one) => sum + one, 0) };
}

/** The whole assessment, from the presses of a question of each kind. */
const assessment = (presses: number) => 3 * presses + AROUND;

test('from nothing, twelve rich questions take four fifths of the presses of their source', async () => {
  for (const kind of KINDS) await make(kind, () => type(kind));
  const { found, all } = counted();
  expect(found).toEqual({
    ...{ 'bold words': 8, formula: 8, table: 10, list: 5, code: 6, image: 3 },
    ...{ options: 16, 'right option': 4, 'save and next': 4 },
  });
  expect([assessment(all), assessment(TYPED_IN_SOURCE)]).toEqual([203, 251]);
});

test('from a document, they take half of the presses of before', async () => {
  for (const kind of KINDS) await make(kind, () => bringOver(kind));
  const { found, all } = counted();
  expect(found).toEqual({
    ...{ question: 16, image: 8, 'right option': 4, 'save and next': 4 },
    'to the next in the document': 4,
  });
  expect([assessment(all), assessment(BROUGHT_TO_SOURCE)]).toEqual([119, 236]);
  expect(assessment(all)).toBeLessThanOrEqual(0.6 * assessment(BROUGHT_TO_SOURCE));
});
