import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import type { getCertificate } from '@invigil/core/contract/review/certificates';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { refusal } from '../testing/fixtures.ts';
import { show, wordsIn } from '../testing/shown.tsx';
import { VerifyScreen } from './verify-screen.tsx';

const NUMBER = 'K7QMX-4TREW-PLA29';
const CHECKED: ResponseOf<typeof getCertificate> = {
  ...{ state: 'valid', hasLogo: false },
  certificate: {
    ...{ number: NUMBER, name: 'محمد بن علي', title: 'Chemistry', institution: 'Example' },
    ...{ date: '2026-05-14', grade: 'A', percent: 92.5 },
  },
};

beforeEach(() => {
  history.replaceState(null, '', '#');
});

test('checks the number in the address at once, and says what the certificate says', async () => {
  history.replaceState(null, '', `#${NUMBER}`);
  const fetched = vi.fn(async (_url: string) => Response.json(CHECKED));
  vi.stubGlobal('fetch', fetched);
  await show(<VerifyScreen />);
  const valid = page.getByText('This certificate is valid.');
  await expect.element(valid).toBeVisible();
  expect(valid.element().closest('.print\\:hidden')).not.toBeNull();
  expect(fetched.mock.calls[0]?.[0]).toContain(`/api/certificates/${NUMBER}`);
  const sheet = page.getByRole('article', { name: 'Certificate' });
  expect(wordsIn(sheet)).toBe(
    `Example Certificate محمد بن علي has passed the assessment Chemistry 14 May 2026 · Grade A · 92.5 % Certificate number ${NUMBER}`,
  );
  await expect.element(page.getByLabelText('Certificate number')).toHaveValue(NUMBER);
  await expect.element(page.getByRole('button', { name: 'Download PDF' })).toBeVisible();
});

test.each([
  ['under_correction', 'This certificate is under correction.'],
  ['replaced', 'This certificate was replaced.'],
  ['revoked', 'This certificate was revoked.'],
  ['altered', 'This certificate cannot be confirmed.'],
] as const)('of one that is %s offers no file', async (state, words) => {
  vi.stubGlobal('fetch', async () => Response.json({ ...CHECKED, state }));
  await show(<VerifyScreen />);
  await page.getByLabelText('Certificate number').fill(NUMBER);
  await page.getByRole('button', { name: 'Check certificate' }).click();
  await expect.element(page.getByText(words)).toBeVisible();
  expect(page.getByRole('button', { name: 'Download PDF' }).query()).toBeNull();
  // The words are printed too.
  expect(page.getByText(words).element().closest('.print\\:hidden')).toBeNull();
});

test('says that a number is missing, unknown, or could not be checked', async () => {
  const fetched = vi.fn(async () => refusal(404, 'NOT_FOUND'));
  vi.stubGlobal('fetch', fetched);
  await show(<VerifyScreen />);
  const check = page.getByRole('button', { name: 'Check certificate' });
  await check.click();
  await expect.element(page.getByText('Enter the number of the certificate')).toBeVisible();
  await expect.element(page.getByLabelText('Certificate number')).toHaveFocus();
  expect(fetched).not.toHaveBeenCalled();
  await page.getByLabelText('Certificate number').fill('x');
  await check.click();
  await expect.element(page.getByText('No certificate has this number.')).toBeVisible();
  vi.stubGlobal('fetch', async () => refusal(429, 'TOO_MANY_REQUESTS'));
  await check.click();
  await expect.element(page.getByText('The certificate could not be checked.')).toBeVisible();
});
