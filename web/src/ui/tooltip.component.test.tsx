import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { pass, show, stopClock } from '../testing/shown.tsx';
import { Tooltip } from './tooltip.tsx';

const tips = () =>
  page
    .getByRole('tooltip')
    .elements()
    .map((tip) => tip.textContent);
const button = (name: string) => page.getByRole('button', { name });

/**
 * Moves the pointer by synthetic events: with the browser's own pointer, Vitest advances a stopped
 * clock.
 */
function point(name: string): void {
  const [from, to] = [pointed, button(name).element()];
  const init = { bubbles: true, pointerType: 'mouse' };
  from.dispatchEvent(new PointerEvent('pointerout', { ...init, relatedTarget: to }));
  to.dispatchEvent(new PointerEvent('pointerover', { ...init, relatedTarget: from }));
  pointed = to;
}
let pointed: Element;

async function showButtons() {
  pointed = document.body;
  stopClock();
  await show(
    <div style={{ display: 'flex', gap: '12rem', padding: '8rem' }}>
      <Tooltip text="Says more about the first">
        <button type="button">First</button>
      </Tooltip>
      <Tooltip text="Says more about the second">
        <button type="button">Second</button>
      </Tooltip>
      <button type="button">Elsewhere</button>
    </div>,
  );
  // Past the skip time.
  await pass(1_000);
}

test('opens after 700 ms, and the next one within 300 ms at once', async () => {
  await showButtons();
  point('First');
  await pass(690);
  expect(tips()).toEqual([]);
  await pass(20);
  expect(tips()).toEqual(['Says more about the first']);
  await expect.element(button('First')).toHaveAccessibleDescription('Says more about the first');
  point('Elsewhere');
  await pass(130);
  expect(tips()).toEqual([]);

  await pass(150);
  point('Second');
  await pass(10);
  expect(tips()).toEqual(['Says more about the second']);
  point('Elsewhere');
  await pass(130);
  expect(tips()).toEqual([]);

  await pass(310);
  point('First');
  await pass(690);
  expect(tips()).toEqual([]);
  await pass(20);
  expect(tips()).toEqual(['Says more about the first']);
});

test('opens on keyboard focus at once and closes on Escape', async () => {
  await showButtons();
  // The clock stands still; only React's own work is awaited.
  await userEvent.tab();
  await expect.element(button('First')).toHaveFocus();
  await expect.poll(tips).toEqual(['Says more about the first']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(tips).toEqual([]);
});
