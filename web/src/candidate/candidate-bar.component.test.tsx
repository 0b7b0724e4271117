import { currentLanguage } from '@invigil/core/domain/locale';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { chooseLanguage, forgetLanguage, speakTo, useLanguage } from '../lib/language.ts';
import { ADMIN, CANDIDATE } from '../testing/fixtures.ts';
import { show, wordsIn } from '../testing/shown.tsx';
import { CandidateBar } from './candidate-bar.tsx';

afterEach(async () => {
  await chooseLanguage('en');
  forgetLanguage();
});

const chosen = () => /language=([\w-]*)/.exec(document.cookie)?.[1];

/** A screen under a root that draws everything again, as the app does. */
function Screen() {
  useLanguage();
  return (
    <>
      <CandidateBar canLeave />
      <input aria-label="Typed" defaultValue="" />
    </>
  );
}

test('changes the language without losing what is on the screen', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    sent.push(`${method} ${url} ${body}`);
    return Response.json({ language: 'ar' });
  });
  const { container } = await show(<Screen />, {
    account: { ...CANDIDATE, language: 'de', languages: ['de', 'ar', 'en'] },
  });
  await page.getByLabelText('Typed').fill('kept');
  const menu = page.getByRole('combobox');
  await menu.selectOptions('العربية');
  await expect.poll(() => document.documentElement.dir).toBe('rtl');
  expect([currentLanguage(), document.documentElement.lang, chosen()]).toEqual(['ar', 'ar', 'ar']);
  expect(wordsIn(container)).toMatch(/\p{Script=Arabic}/u);
  await expect.element(page.getByLabelText('Typed')).toHaveValue('kept');
  expect(sent).toEqual(['PUT /api/auth/language {"language":"ar"}']);
  await menu.selectOptions('English');
  await expect.poll(() => wordsIn(container)).toContain('Sign out');
  expect([document.documentElement.lang, document.documentElement.dir]).toEqual(['en', '']);
});

test('has no menu where there is one language', async () => {
  await show(<Screen />, { account: CANDIDATE });
  await expect.element(page.getByLabelText('Typed')).toBeVisible();
  expect(page.getByRole('combobox').elements()).toEqual([]);
});

/** The bar of the test, before and after its questions are here. */
function Test() {
  const [isHere, setHere] = useState(false);
  return (
    <>
      <CandidateBar compact>{isHere && <output>Time left</output>}</CandidateBar>
      <button type="button" onClick={() => setHere(true)}>
        Show the questions
      </button>
    </>
  );
}

test('is fetched in the test when the questions are here, and moves nothing', async () => {
  await page.viewport(1440, 900);
  await show(<Test />, { account: { ...CANDIDATE, language: 'en', languages: ['en', 'ar'] } });
  const menu = page.getByRole('combobox');
  expect(menu.elements()).toEqual([]);
  await page.getByRole('button', { name: 'Show the questions' }).click();
  const time = page.getByText('Time left');
  const { x } = time.element().getBoundingClientRect();
  await expect.element(menu).toBeInTheDocument();
  expect(time.element().getBoundingClientRect().x).toBe(x);
});

test('speaks to a candidate as the server says, unless another was chosen here, and to administrators in English', async () => {
  const account = { ...CANDIDATE, language: 'de', languages: ['de', 'ar', 'en'] } as const;
  await speakTo({ ...account, languages: [...account.languages] });
  expect([currentLanguage(), chosen()]).toEqual(['de', 'de']);
  await chooseLanguage('ar');
  await speakTo({ ...account, languages: [...account.languages] });
  expect(currentLanguage()).toBe('ar');
  await speakTo(ADMIN);
  expect([currentLanguage(), chosen()]).toEqual(['en', 'en']);
});
