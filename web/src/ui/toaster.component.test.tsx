import { t } from '@invigil/core/texts/i18n';
import { expect, onTestFinished, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { chooseLanguage, forgetLanguage, useLanguage } from '../lib/language.ts';
import { pass, show, stopClock } from '../testing/shown.tsx';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

const cards = () => document.querySelectorAll<HTMLElement>('[data-toast]');

test('shows one at a time for five seconds, with F8 and a 50 px swipe to the right', async () => {
  stopClock();
  await show(<Toaster />);
  toast({ title: 'First' });
  await pass(1_000);
  toast({ title: 'Second' });
  await pass(0);
  expect(cards()).toHaveLength(1);
  expect(cards()[0]).toHaveTextContent('Second');
  await pass(4_900);
  expect(cards()).toHaveLength(1);
  await pass(200);
  expect(cards()).toHaveLength(0);

  toast({ title: 'Third' });
  await pass(0);
  await userEvent.keyboard('{F8}');
  await expect.element(page.getByRole('button', { name: 'Dismiss' })).toHaveFocus();
  // The focus pauses the timer.
  await pass(20_000);
  expect(cards()).toHaveLength(1);
  await userEvent.keyboard('{Escape}');
  await pass(0);
  expect(cards()).toHaveLength(0);

  toast({ title: 'Fourth' });
  await pass(0);
  swipe(49);
  await pass(0);
  expect(cards()).toHaveLength(1);
  swipe(50);
  await pass(0);
  expect(cards()).toHaveLength(0);
});

test.each([
  [390, 844],
  [360, 740],
])('leaves the bar of the page in view at %i by %i', async (width, height) => {
  await page.viewport(width, height);
  await show(
    <>
      <header className="fixed inset-x-0 top-0 h-(--bar)" />
      <Toaster />
    </>,
  );
  toast({ title: 'Login successful' });
  await expect.poll(() => cards().length).toBe(1);
  const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0;
  expect(bar).toBeGreaterThan(40);
  expect(cards()[0]?.getBoundingClientRect().top).toBeGreaterThanOrEqual(bar);
});

test('offers to undo for ten seconds, and Escape undoes nothing', async () => {
  stopClock();
  await show(<Toaster />);
  let undone = 0;
  const undo = () => {
    undone += 1;
  };
  toast({ title: 'Archived', undo });
  await pass(9_000);
  await page.getByRole('button', { name: 'Undo' }).click();
  await pass(0);
  expect([undone, cards().length]).toEqual([1, 0]);

  toast({ title: 'Archived', undo });
  await pass(0);
  await userEvent.keyboard('{F8}{Escape}');
  await pass(0);
  expect([undone, cards().length]).toEqual([1, 0]);

  toast({ title: 'Archived', undo });
  await pass(10_100);
  expect([undone, cards().length]).toEqual([1, 0]);
});

test('announces a failure as an alert and a success politely', async () => {
  await show(<Toaster />);
  toast({ title: 'Saved' });
  await expect.element(page.getByRole('status')).toHaveTextContent('Saved');
  expect(page.getByRole('alert').elements()).toEqual([]);
  toast({ title: 'Failed', description: 'Try again', variant: 'destructive' });
  await expect.element(page.getByRole('alert')).toHaveTextContent('FailedTry again');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
});

function swipe(px: number): void {
  const [card] = cards();
  const at = (type: string, clientX: number) =>
    card?.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX }));
  at('pointerdown', 100);
  at('pointermove', 100 + px);
  at('pointerup', 100 + px);
}

/** The toaster under a root that draws everything again, as the app does. */
function Spoken() {
  useLanguage();
  return <Toaster />;
}

test('says a function again in the language that is chosen while it is shown', async () => {
  onTestFinished(async () => {
    await chooseLanguage('en');
    forgetLanguage();
  });
  await show(<Spoken />);
  toast({ title: () => t('ui.close', 'Close'), description: 'As it was' });
  await expect.poll(() => cards()[0]?.textContent).toBe('CloseAs it was');
  await chooseLanguage('de');
  await expect.poll(() => cards()[0]?.textContent).toBe('SchließenAs it was');
});
