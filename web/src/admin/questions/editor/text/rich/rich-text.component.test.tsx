import { plainTextOf } from '@invigil/core/content/content-facts';
import fc from 'fast-check';
import { $getSelection, $isNodeSelection, getNearestEditorFromDOMNode } from 'lexical';
import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { cdp, page, userEvent } from 'vitest/browser';
import { IMAGE_HASH, questionServer } from '../../../../../testing/question-server.ts';
import { show } from '../../../../../testing/shown.tsx';
import { shownToasts } from '../../../../../ui/toast.ts';
import { markdownFromClipboard } from '../clipboard.ts';
import { MarkdownField } from '../markdown-field.tsx';
import { TextView } from '../text-view.ts';
import { isRich } from './rich-tree.ts';

let markdown = '';
let setMarkdown: (text: string) => void = () => undefined;

function Held({ initial }: { initial: string }) {
  const [text, setText] = useState(initial);
  const [isSource, setSource] = useState(false);
  markdown = text;
  setMarkdown = setText;
  return (
    <TextView value={{ storedAs: 'markdown', isSource, setSource }}>
      <MarkdownField
        label="Question"
        name="question"
        minHeight="min-h-28!"
        error={undefined}
        value={text}
        onChange={setText}
        format="markdown"
      />
      <button type="button" onClick={() => setSource(!isSource)}>
        Switch
      </button>
    </TextView>
  );
}

const box = () => page.getByRole('textbox', { name: 'Question' });
const tool = (name: string) =>
  page
    .getByRole('toolbar', { name: 'Formatting of question' })
    .getByRole('button', { name, exact: true });
const keys = (text: string) => userEvent.keyboard(text);
const is = (text: string) => expect.poll(() => markdown, { timeout: 3_000 }).toBe(text);

async function opened(initial = '') {
  questionServer(null);
  await show(<Held initial={initial} />);
  await box().click();
}

function paste(data: Record<string, string>, files: File[] = []) {
  const clipboardData = new DataTransfer();
  for (const [type, text] of Object.entries(data)) clipboardData.setData(type, text);
  for (const file of files) clipboardData.items.add(file);
  box()
    .element()
    .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

beforeEach(() => localStorage.clear());

test('stores what is typed, with its signs escaped', async () => {
  await opened();
  await keys('costs $5 and $6, a*b*c, 1. x');
  await is('costs \\$5 and \\$6, a\\*b\\*c, 1. x');
  await keys('{Enter}1.no list{Enter}# no heading');
  await is('costs \\$5 and \\$6, a\\*b\\*c, 1. x\n\n1.no list\n\n\\# no heading');
});

test('formats by shortcuts and by the toolbar', async () => {
  await opened();
  await keys(
    'a {Control>}b{/Control}bold{Control>}b{/Control} {Control>}i{/Control}slanted{Control>}i{/Control} ',
  );
  await keys('{Control>}e{/Control}code{Control>}e{/Control}');
  await is('a **bold** *slanted* `code`');
  await keys('{Control>}u{/Control} plain');
  await keys('{Control>}a{/Control}');
  await tool('Italic').click();
  await expect.element(tool('Italic')).toHaveAttribute('aria-pressed', 'true');
  await is('*a **bold** slanted `code` plain*');
});

test('has buttons that keys reach from anywhere in the text, and says what they did', async () => {
  await opened();
  const said = (sentence: string) =>
    expect.element(page.getByRole('toolbar').getByRole('status')).toHaveTextContent(sentence);
  const go = async (name: string, from: string) => {
    await keys('{Alt>}{F10}{/Alt}');
    await expect.element(tool(from)).toHaveFocus();
    while (document.activeElement !== tool(name).element()) {
      const before = document.activeElement;
      await keys('{ArrowRight}');
      await expect.poll(() => document.activeElement).not.toBe(before);
    }
    await keys('{Enter}');
    await expect.element(box()).toHaveFocus();
  };
  await go('Bold', 'Bold');
  await said('Bold on');
  await expect.element(tool('Bold')).toHaveAttribute('aria-pressed', 'true');
  await keys('so');
  await go('Bold', 'Bold');
  await said('Bold off');
  await go('Table', 'Bold');
  await said('Table of 3 rows and 3 columns inserted');
  await keys('a{Tab}b');
  await go('Delete row', 'Table');
  await said('Row deleted');
  await go('Delete column', 'Delete row');
  await said('Column deleted');
  await keys('{Alt>}{F10}{/Alt}');
  await expect.element(tool('Delete column')).toHaveFocus();
  // Escape leads back also when it closes a tooltip.
  await expect.element(page.getByText('Delete column', { exact: true })).toBeVisible();
  await keys('{Escape}');
  await expect.element(box()).toHaveFocus();
  await keys('c');
  await is('**so**\n\n| c | |\n| - | - |\n| | |');
});

test('raises and lowers what is selected', async () => {
  await opened();
  await keys('x2{Shift>}{ArrowLeft}{/Shift}');
  await tool('Superscript').click();
  await is('x²');
  await keys('{End} max{Shift>}{ArrowLeft}{ArrowLeft}{ArrowLeft}{/Shift}');
  await tool('Subscript').click();
  await is('x² $_{\\text{max}}$');
});

test('writes lists, and lists in lists', async () => {
  await opened();
  await tool('Numbered list').click();
  await keys('one{Enter}two{Enter}{Control>}]{/Control}inner{Enter}{Enter}three');
  await is('1. one\n2. two\n   1. inner\n3. three');
  await tool('Bulleted list').click();
  await is('- one\n- two\n  1. inner\n- three');
  await keys('{Enter}{Enter}after');
  await is('- one\n- two\n  1. inner\n- three\n\nafter');
});

test('makes lists, quotes and code of what begins them, and undo keeps the signs', async () => {
  await opened();
  await keys('- one{Enter}two{Enter}{Enter}3. three{Enter}{Enter}> said');
  await is('- one\n- two\n\n3. three\n\n> said');
  await keys('{Enter}{Enter}```py{Enter}x');
  await is('- one\n- two\n\n3. three\n\n> said\n\n```py\nx\n```');
  await keys('{Control>}a{/Control}{Backspace}');
  await is('');
  await keys('* ');
  await expect.poll(() => box().element().querySelector('li')).not.toBeNull();
  await keys('{Control>}z{/Control}{End}a');
  await is('\\* a');
  await keys('{Backspace}b');
  await is('\\* b');
});

test('writes code, paragraphs and tables into an item of a list', async () => {
  await opened();
  await tool('Bulleted list').click();
  await keys('one');
  await tool('Code block').click();
  await keys('x = 1{Enter}{Enter}{Enter}below{Enter}{Enter}two{Shift>}{Enter}{Enter}{/Shift}more');
  const list = '- one\n\n  ```\n  x = 1\n  ```\n\n  below\n- two\n\n  more';
  await is(list);
  await keys('{Enter}{Enter}');
  await tool('Table').click();
  await keys('c');
  await is(`${list}\n- | c | | |\n  | - | - | - |\n  | | | |\n  | | | |`);
  await keys('{Control>}{End}{/Control}end{Enter}{Enter}last');
  await expect.poll(() => markdown).toMatch(/\| \| \| \|\n\n {2}end\n- last$/);
});

test('leaves a list with all that an item has, and comes back by undo', async () => {
  const text = '1. a\n2. b\n\n   c\n3. d';
  await opened(text);
  await page.getByText('b', { exact: true }).click();
  await keys('{Home}{Control>}]{/Control}');
  await is('1. a\n   1. b\n\n      c\n2. d');
  await keys('{Backspace}');
  await is(text);
  await keys('{Backspace}');
  await is('1. a\n\nb\n\nc\n\n1. d');
  await keys('{Control>}z{/Control}');
  await is(text);
  await page.getByText('c', { exact: true }).click();
  await keys('{Home}{Backspace}');
  await is('1. a\n2. bc\n3. d');
});

test('writes a table as a grid: Tab and Enter move, and add rows', async () => {
  await opened();
  await tool('Table').click();
  await keys('a|b{Tab}c{Enter}d{Enter}e{Enter}f');
  await tool('Center column').click();
  await is('| a\\|b | c | |\n| - | :-: | - |\n| | d | |\n| | e | |\n| | f | |');
  await tool('Delete row').click();
  await tool('Delete column').click();
  // The cursor is in the first cell above.
  await is('| c | |\n| :-: | - |\n| d | |\n| e | |');
});

test('writes code with its language, and leaves it', async () => {
  await opened();
  await tool('Code block').click();
  await keys('if x:{Enter}  y = "```"{Enter}z');
  const language = page.getByLabelText('Language of the code');
  // A usual one from the list, and any other.
  const listed = language.element().getAttribute('list') ?? '';
  const values = [...document.querySelectorAll(`[id="${listed}"] option`)];
  expect(values.map((option) => option.getAttribute('value'))).toContain('python');
  await language.fill('elixir');
  await is('````elixir\nif x:\n  y = "```"\n  z\n````');
  await language.fill('python');
  await is('````python\nif x:\n  y = "```"\n  z\n````');
  await box().click();
  await keys('{Control>}{End}{/Control}after');
  await expect.poll(() => markdown).toContain('after');
});

test('inserts a formula from the list, and changes it with the keyboard', async () => {
  await opened();
  await keys('so ');
  await tool('Formula').click();
  await page.getByRole('button', { name: 'Root' }).click();
  await page.getByRole('button', { name: 'Insert formula' }).click();
  await is('so $\\sqrt{x}$');
  await expect.element(page.getByRole('img', { name: '\\sqrt{x}' })).toBeVisible();
  await keys(' holds{Home}{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect.element(page.getByText(/^Formula .* selected/)).toBeInTheDocument();
  await keys('{Enter}');
  await page.getByLabelText('TeX').fill('\\sqrt{y}');
  await page.getByLabelText('On a line of its own').click();
  await page.getByRole('button', { name: 'Change formula' }).click();
  await is('so\n\n$$\n\\sqrt{y}\n$$\n\nholds');
});

test('has the cursor where it was when a dialog closes', async () => {
  await opened();
  await keys('one two{ArrowLeft}{ArrowLeft}{ArrowLeft}');
  for (const name of ['Formula', 'Link']) {
    await tool(name).click();
    await expect.element(page.getByRole('dialog')).toBeVisible();
    await keys('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(box()).toHaveFocus();
    // The frame after the focus.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await keys('x');
  }
  await is('one xxtwo');
});

test('draws what is typed between dollars, but no amounts, and undo keeps the dollars', async () => {
  await opened();
  await keys('$5-$6 and $x^2$, ');
  await is('\\$5-\\$6 and $x^2$,');
  await keys('{Control>}z{/Control}');
  await is('\\$5-\\$6 and \\$x^2\\$,');
  await keys('{Control>}{End}{/Control} $y$');
  await page.getByRole('button', { name: 'Switch' }).click();
  await is('\\$5-\\$6 and \\$x^2\\$, $y$');
});

test('links the selected words, and refuses what is no address', async () => {
  await opened();
  await keys(
    'see here{Shift>}{ArrowLeft}{ArrowLeft}{ArrowLeft}{ArrowLeft}{/Shift}{Control>}k{/Control}',
  );
  await page.getByLabelText('Address').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Set link' }).click();
  await expect.element(page.getByText(/^Enter an address that begins/)).toBeVisible();
  await page.getByLabelText('Address').fill('example.org/a_b');
  await page.getByRole('button', { name: 'Set link' }).click();
  await is('see [here](https://example.org/a_b)');
});

const PICTURE = () => new File([new Uint8Array([1])], 'figure.png', { type: 'image/png' });

test('uploads a pasted image, asks for its description, and undoes it', async () => {
  await opened('before');
  await keys('{Control>}{End}{/Control}');
  paste({}, [PICTURE()]);
  await page.getByLabelText('Description').fill('a circle');
  await page.getByLabelText(/^Caption/).fill('Figure 1');
  await page.getByLabelText('On a line of its own').click();
  await page.getByRole('button', { name: 'Apply' }).click();
  await is(`before\n\n![a circle](image:${IMAGE_HASH} "Figure 1")`);
  await box().click();
  await keys('{Control>}z{/Control}{Control>}z{/Control}');
  await is('before');
  await keys('{Control>}y{/Control}{Control>}y{/Control}');
  await is(`before\n\n![a circle](image:${IMAGE_HASH} "Figure 1")`);
});

test('names an image without description', async () => {
  await opened(`![](image:${IMAGE_HASH})`);
  await expect.element(page.getByText(/^Line 1: The image has no alternative text/)).toBeVisible();
  await page.getByRole('img', { name: 'Image without description' }).click();
  await page.getByLabelText('Description').fill('a square');
  await page.getByRole('button', { name: 'Apply' }).click();
  await is(`![a square](image:${IMAGE_HASH})`);
});

describe('the width of an image', () => {
  test('is set in the dialog, by keys', async () => {
    await opened(`![a](image:${IMAGE_HASH})`);
    await box().getByRole('img', { name: 'a' }).click();
    page.getByRole('combobox', { name: 'Width' }).element().focus();
    await keys('{Enter}');
    await expect.element(page.getByRole('option', { name: 'Half a line' })).toBeVisible();
    await keys('{ArrowDown}');
    await keys('{ArrowDown}');
    await keys('{Enter}');
    await expect
      .element(page.getByRole('combobox', { name: 'Width' }))
      .toHaveTextContent('Half a line');
    await page.getByRole('button', { name: 'Apply' }).click();
    await is(`![a](image:${IMAGE_HASH}#50)`);
    await keys('{Control>}z{/Control}');
    await is(`![a](image:${IMAGE_HASH})`);
  });

  test('follows its corner, in steps, without opening the dialog', async () => {
    await opened(`![a](image:${IMAGE_HASH}#25)`);
    const line = 44 * Number.parseFloat(getComputedStyle(box().element()).fontSize);
    await userEvent.dragAndDrop(page.getByTitle('Drag to resize'), box(), {
      targetPosition: { x: line * 0.5, y: 60 },
    });
    await is(`![a](image:${IMAGE_HASH}#50)`);
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });
});

describe('pastes', () => {
  const WORD =
    '<html><body><!--StartFragment--><p class="MsoNormal">A <b>bold</b> word<o:p></o:p></p><table class="MsoTableGrid"><tr><td colspan=2><p class="MsoNormal">wide</p></td></tr><tr><td><p>1</p></td><td><p>2</p></td></tr></table><!--EndFragment--></body></html>';
  const DOCS =
    '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400">plain </span><span style="font-weight:700">bold</span></p><ul><li dir="ltr"><p><span>one</span></p></li></ul></b>';
  const EXCEL =
    '<table><col width=64><tr><td>a</td><td align=right>1</td></tr><tr><td>b</td><td align=right>2</td></tr></table>';
  test.each([
    ['Word', WORD, 'A **bold** word\n\n| | |\n| - | - |\n| wide | |\n| 1 | 2 |'],
    ['Google Docs', DOCS, 'plain **bold**\n\n- one'],
    ['Excel', EXCEL, '| | |\n| - | -: |\n| a | 1 |\n| b | 2 |'],
  ])('what the closed list has of %s', async (name, html, expected) => {
    await opened();
    paste({ 'text/html': html, 'text/plain': 'text' });
    await is(expected);
    if (name === 'Word') {
      expect(shownToasts()).toMatchObject([
        {
          title: 'Not everything could be pasted',
          description: 'Merged cells of a table were separated.',
        },
      ]);
    }
    await keys('{Control>}z{/Control}');
    await is('');
  });

  test('inside of a line, and plain lines as they are', async () => {
    await opened('ab');
    await keys('{Home}{ArrowRight}');
    paste({ 'text/html': '<i>x</i>', 'text/plain': 'x' });
    await is('a*x*b');
    paste({ 'text/plain': '*1*\n2' });
    await is('a*x*\\*1\\*\\\n2b');
  });

  test('into a cell and into code only what has a place there', async () => {
    await opened('| a |\n| - |\n| b |\n\n```\nc\n```');
    await page.getByText('b', { exact: true }).click();
    await keys('{End}');
    paste({ 'text/html': '<ul><li>x</li><li>y</li></ul>', 'text/plain': 'x\ny' });
    await expect.poll(() => markdown).toMatch(/\| b ?x y \|/);
    await page.getByText('c', { exact: true }).click();
    await keys('{End}');
    paste({ 'text/html': '<b>z</b>', 'text/plain': 'z\n*' });
    await expect.poll(() => markdown).toContain('```\ncz\n*\n```');
  });
});

test.each([
  '| a\\|b | `c\\|d` |\n| - | -: |\n| $x$ | **e** |',
  '$5 and $6, \\_name\\_, a_b_c, x~1~, https://a.b/c_d',
  '````\n```\n````',
  '***both***, **_this_** and ~~that~~',
  '1\\. no list\n\n\\# no heading\n\n# heading',
  '- a\n  - b\n    1. c\n- d\n  $$\n  x\n  $$\n  e',
  'hard  \nbreak\\\nhere, soft\nbreak',
  `![a](image:${IMAGE_HASH} "b") in a line\n\n![a](image:${IMAGE_HASH})`,
  '> quoted\n>\n> - list\n\n---\n\n$$\n\\frac{1}{2}\n$$',
  'ع **ب** $x$\n\n这是**我想做的事。**所以',
  '[a **b** `c`](https://example.org) <https://a.b>',
  '- a\n\n  b',
  '- ```\n  code\n  ```',
  '- > quoted',
  '1. | a |\n   |---|',
  '- a\n  - b\n\n  c\n  | x |\n  |-|\n\n  | y |\n  |-|\n- ---\n- d',
  '> ',
  '',
])('gives %j back', (text) => {
  expect(isRich(text)).toBe(true);
});

/** More beginnings of links than the parser takes in one paragraph: the text is literal, and escapes add none. */
const TOO_COMPLEX = '['.repeat(501);

test('does not claim to give a text back that is longer than the parser reads', () => {
  expect(isRich(TOO_COMPLEX)).toBe(false);
});

test('copies formulas and images so that other fields can take them', async () => {
  const text = `see $x^2$ ![a](image:${IMAGE_HASH} "b")`;
  await opened();
  setMarkdown(text);
  await expect.element(box().getByRole('img', { name: 'x^2' })).toBeVisible();
  await keys('{Control>}a{/Control}');
  const clipboardData = new DataTransfer();
  const copy = new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true });
  box().element().dispatchEvent(copy);
  await expect.poll(() => clipboardData.getData('text/html')).not.toBe('');
  const html = clipboardData.getData('text/html');
  const got = await markdownFromClipboard(html, 'text', () => Promise.reject(new Error('none')));
  expect(got).toMatchObject({ text, notes: [] });
});

test('shows a text that it could not give back as its source, and says so', async () => {
  await opened(TOO_COMPLEX);
  expect(box().element()).toHaveProperty('value', TOO_COMPLEX);
  await expect.element(page.getByText(/^This text is edited as its Markdown source/)).toBeVisible();
  await keys('{Control>}{End}{/Control}d');
  await is(`${TOO_COMPLEX}d`);
});

test('changes nothing of a text that is only looked at, and shows the source on demand', async () => {
  const text = '* a\n* __b__\n\n\n$5 &amp; ***c***';
  await opened(text);
  await box().click();
  await keys('{ArrowDown}{ArrowLeft}x{Backspace}');
  await is(text);
  await page.getByRole('button', { name: 'Switch' }).click();
  expect(box().element()).toHaveProperty('value', text);
  await page.getByRole('button', { name: 'Switch' }).click();
  await expect.element(box().getByRole('listitem').first()).toHaveTextContent('a');
  setMarkdown('another');
  await expect.element(box()).toHaveTextContent('another');
});

test('takes Chinese and Arabic as input methods write them', async () => {
  await opened();
  const input = cdp();
  for (const text of ['n', 'ni', '你']) {
    await input.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    });
  }
  await input.send('Input.insertText', { text: '你好' });
  await is('你好');
  await keys('{Enter}');
  await input.send('Input.insertText', { text: 'مرحبا x²' });
  await is('你好\n\nمرحبا x²');
  expect(getComputedStyle(page.getByText('مرحبا x²').element()).direction).toBe('rtl');
});

/** A field as a list of paragraphs with a cursor: what the keys below do, and nothing else. */
class Model {
  lines = [''];
  line = 0;
  at = 0;
  press(key: string): void {
    const text = this.lines[this.line] ?? '';
    if (key === '{Enter}') {
      this.lines.splice(this.line, 1, text.slice(0, this.at), text.slice(this.at));
      this.line += 1;
      this.at = 0;
    } else if (key === '{Backspace}') {
      if (this.at > 0) this.lines[this.line] = text.slice(0, this.at - 1) + text.slice(this.at);
      if (this.at > 0) this.at -= 1;
      else if (this.line > 0) {
        this.line -= 1;
        this.at = this.lines[this.line]?.length ?? 0;
        this.lines.splice(this.line, 2, (this.lines[this.line] ?? '') + text);
      }
    } else if (key === '{Delete}') {
      if (this.at < text.length) {
        this.lines[this.line] = text.slice(0, this.at) + text.slice(this.at + 1);
      } else if (this.line < this.lines.length - 1) {
        this.lines.splice(this.line, 2, text + (this.lines[this.line + 1] ?? ''));
      }
    } else if (key === '{ArrowLeft}') {
      if (this.at > 0) this.at -= 1;
      else if (this.line > 0) {
        this.line -= 1;
        this.at = this.lines[this.line]?.length ?? 0;
      }
    } else if (key === '{ArrowRight}') {
      if (this.at < text.length) this.at += 1;
      else if (this.line < this.lines.length - 1) {
        this.line += 1;
        this.at = 0;
      }
    } else if (key === '{Home}') this.at = 0;
    else if (key === '{End}') this.at = text.length;
    else if (key.length === 1) {
      this.lines[this.line] = text.slice(0, this.at) + key + text.slice(this.at);
      this.at += 1;
    }
  }
}

/** Keys of the keyboard: Lexical drops a letter that comes without a key in the same turn as a handled key. */
const KEYS = [
  ...['a', 'b', 'c', 'd', 'x', '1', 'e', '*', '_', '#', '-', '|', '`', '<'],
  ...[
    '{Enter}',
    '{Backspace}',
    '{Backspace}',
    '{Delete}',
    '{ArrowLeft}',
    '{ArrowRight}',
    '{Home}',
    '{End}',
  ],
  // Formats, which change no letter.
  ...[
    '{Control>}b{/Control}',
    '{Control>}i{/Control}',
    '{Control>}e{/Control}',
    '{Control>}u{/Control}',
  ],
];

test('loses and moves no letter, whatever keys are pressed', async () => {
  await opened();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...KEYS), { minLength: 5, maxLength: 40 }),
      async (pressed) => {
        // Two empty lines, which may be left, would stay: an empty text shows the same.
        for (const text of ['new', ' ']) {
          setMarkdown(text);
          await expect.poll(() => box().element().textContent).toBe(text.trim());
        }
        await box().click();
        const model = new Model();
        for (const key of pressed) model.press(key);
        await keys(pressed.join('').replace(/[[\]]/g, '$&$&'));
        const shown = () =>
          [...box().element().querySelectorAll('p')].map((line) => line.textContent);
        await expect.poll(shown, { timeout: 2_000 }).toEqual(model.lines);
      },
    ),
    { numRuns: 15 },
  );
});

/** Texts with every block of the closed list, in which the keys below begin. */
const BEGUN = [
  ' ',
  '- a\n\n  b\n- c\n  1. d',
  '| a | b |\n| - | - |\n| c | d |\n\ne',
  '```js\na\n  b\n```\n\nc',
  '> a\n>\n> - b\n\n---\n\n- ```\n  c\n  ```\n- | d | e |\n  | - | - |',
  `a $x$ b ![f](image:${IMAGE_HASH}#50) c\n\n$$\ny\n$$\n\nd`,
];
const MOVES = ['{ArrowLeft}', '{ArrowRight}', '{ArrowUp}', '{ArrowDown}', '{Home}', '{End}'];
/** Keys that take no letter away. */
const KEEPING = [
  ...['a', 'b', 'x', '1', '*', '|', '{Enter}', '{Enter}', '- ', '1. ', '> '],
  ...[...MOVES, '{Shift>}{Enter}{/Shift}', '{Control>}b{/Control}', '{Control>}e{/Control}'],
  ...['{Control>}]{/Control}', '{Control>}[{/Control}'],
  ...['paste line', 'paste list', 'paste table', 'paste code'],
];
const PASTES: Record<string, Record<string, string>> = {
  line: { 'text/plain': 'p *q*' },
  list: { 'text/html': '<ul><li>p<ol><li>q</li></ol></li></ul>', 'text/plain': 'p\nq' },
  table: { 'text/html': '<table><tr><td>p</td><td>q</td></tr></table>', 'text/plain': 'p\tq' },
  code: { 'text/html': '<pre><code>p\n q</code></pre>', 'text/plain': 'p\n q' },
};

/** Letters, sorted: digits may number a list. */
const lettersOf = (text: string) =>
  plainTextOf(text)
    .replace(/[^a-z]/g, '')
    .split('')
    .sort();

/** Whether Enter would open the dialog of a selected formula or image, which takes the keys that follow. */
function isNodeSelected(): boolean {
  const editor = getNearestEditorFromDOMNode(box().element());
  return editor?.read(() => $isNodeSelection($getSelection())) ?? false;
}

async function press(pressed: readonly string[]): Promise<void> {
  for (const key of pressed) {
    if (key.includes('{Enter}') && isNodeSelected()) continue;
    const pasted = PASTES[key.replace('paste ', '')];
    if (pasted === undefined) await keys(key.replace(/[[\]]/g, '$&$&'));
    else {
      paste(pasted);
      await expect.poll(() => page.getByText('Converting…').elements()).toEqual([]);
    }
  }
}

/** All that was done taken back, and done again. */
async function undoAndRedo(initial: string): Promise<void> {
  const done = markdown;
  const settle = async (key: string, wanted: string) => {
    for (let times = 0; times < 80 && markdown !== wanted; times += 1) {
      await keys(`{Control>}${key}{/Control}`);
    }
    await is(wanted);
  };
  await settle('z', initial);
  await settle('y', done);
}

test.each(BEGUN)('keeps the letters in any block, whatever keys are pressed: %j', async (text) => {
  await opened();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...KEEPING), { minLength: 3, maxLength: 12 }),
      async (pressed) => {
        setMarkdown('reset');
        setMarkdown(text);
        await expect.poll(() => box().element().textContent).not.toContain('reset');
        await box().click({ position: { x: 2, y: 12 } });
        await press(pressed);
        const typed = pressed.map((key) =>
          key.startsWith('paste ') ? 'pq' : key.length === 1 ? key : '',
        );
        const all = [...lettersOf(text), ...typed.join('').replace(/[^a-z]/g, '')].sort();
        await expect.poll(() => lettersOf(markdown), { timeout: 2_000 }).toEqual(all);
        expect(isRich(markdown)).toBe(true);
        expect(page.getByText(/^Part of this cannot be stored/).elements()).toEqual([]);
        await undoAndRedo(text);
      },
    ),
    { numRuns: 40 },
  );
});
