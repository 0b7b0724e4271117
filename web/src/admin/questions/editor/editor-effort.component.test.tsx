import { parseContent } from '@invigil/core/content/parse-content';
import { isShownTheSame } from '@invigil/core/content/runs';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { IMAGE_HASH, questionServer } from '../../../testing/question-server.ts';
import { show } from '../../../testing/shown.tsx';
import { QuestionEditor } from './question-editor.tsx';

/*
 * Counts the clicks and keys of someone who knows the editor, for a question each with a table, a list, code
 * and an image, all with bold words and a formula. Letters that candidates read, the language of code and
 * the description of an image are the same in any editor and not counted; a key with Ctrl or Shift is one.
 */

/** The same questions at 858b093b, in Markdown source with its keys and buttons, counted in the same way. */
const PRESSES_IN_SOURCE = 80;

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

interface Kind {
  name: string;
  /** Below the sentence of the question. */
  block: string;
  write(): Promise<void>;
}

const KINDS: Kind[] = [
  {
    name: 'table',
    block: '| h | t | n |\n|-|-|-|\n| 20 | 2.02 | v |\n| 30 | 2.47 | a |',
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
    write: async () => {
      count(1);
      const picker = document.querySelector('[aria-label="Images for question"]');
      if (!(picker instanceof HTMLInputElement)) throw new Error('no picker');
      const chosen = new DataTransfer();
      chosen.items.add(new File([new Uint8Array([1])], 'ball.png', { type: 'image/png' }));
      picker.files = chosen.files;
      picker.dispatchEvent(new Event('change', { bubbles: true }));
      await expect.element(page.getByLabelText('Description')).toHaveFocus();
      await content('Ball');
      await press('{Control>}{Enter}{/Control}');
    },
  },
];

async function write(kind: Kind) {
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

test('rich questions take four fifths of the presses of their source', async () => {
  for (const kind of KINDS) await write(kind);
  expect(Object.fromEntries(presses)).toEqual({
    ...{ 'bold words': 8, formula: 8, table: 10, list: 5, code: 6, image: 3 },
    ...{ options: 16, 'right option': 4, 'save and next': 4 },
  });
  const all = [...presses.values()].reduce((sum, one) => sum + one, 0);
  expect(all).toBe(0.8 * PRESSES_IN_SOURCE);
});
