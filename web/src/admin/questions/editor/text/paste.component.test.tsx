import { beforeEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { IMAGE_HASH, questionServer } from '../../../../testing/question-server.ts';
import { show } from '../../../../testing/shown.tsx';
import { QuestionEditor } from '../question-editor.tsx';

const nothing = () => undefined;

async function opened() {
  questionServer(null);
  await show(<QuestionEditor stored={null} quiz={null} onCreated={nothing} onLeave={nothing} />);
}

const field = (name: string) => {
  const found = document.querySelector<HTMLElement>(`[name="${name}"]`);
  if (found === null) throw new Error(`no field ${name}`);
  return found;
};
beforeEach(() => localStorage.clear());

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
  await expect.poll(() => textOf('question')).toBe('A **bold** word\n\n- one\n- two');
  document.execCommand('undo');
  await expect.poll(() => textOf('question')).toBe('');
});

test('stores a pasted image and insists on its description', async () => {
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

test('turns what is read as a formula into code in one click, which undo takes back', async () => {
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

test('inserts a formula from the list', async () => {
  await opened();
  field('question').focus();
  const toolbar = page.getByRole('toolbar', { name: 'Formatting of question' });
  await toolbar.getByRole('button', { name: 'Formula' }).click();
  await page.getByRole('button', { name: 'Root' }).click();
  await page.getByRole('button', { name: 'Insert formula' }).click();
  await expect.poll(() => textOf('question')).toBe('$\\sqrt{x}$');
});
