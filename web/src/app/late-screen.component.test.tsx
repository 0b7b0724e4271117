import { Suspense } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ADMIN, CANDIDATE } from '../testing/fixtures.ts';
import { show } from '../testing/shown.tsx';
import { screen } from './screen.ts';
import { LateScreen } from './session-notices.tsx';

const Found = () => <h1>The next page</h1>;

test.each([
  ['a candidate before the start', CANDIDATE, / Your time has not started\.$/],
  ['an administrator', ADMIN, /It is tried again by itself\.$/],
])('a screen whose code does not come is awaited, and %s is told so', async (_, account, words) => {
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  let isDown = true;
  const Next = screen(async () => {
    if (isDown) throw new Error('Failed to fetch');
    return { Found };
  }, 'Found');
  const ui = (
    <>
      <LateScreen />
      <Suspense fallback={<p>The page before</p>}>
        <Next />
      </Suspense>
    </>
  );
  await show(ui, { account });
  const status = page.getByRole('status');
  await expect.poll(() => status.element().textContent).toMatch(words);
  expect(status.element().textContent).toMatch(/^The next page does not load just now\./);
  await expect.element(page.getByText('The page before')).toBeVisible();
  isDown = false;
  await expect.element(page.getByRole('heading', { name: 'The next page' })).toBeVisible();
  await expect.element(status).toBeEmptyDOMElement();
});
