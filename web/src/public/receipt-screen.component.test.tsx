import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { show, wordsIn, wordsOf } from '../testing/shown.tsx';
import { OFFLINE_COMMANDS, ReceiptScreen, VerdictNotice } from './receipt-screen.tsx';

const content = {
  version: 1,
  id: '4M8TX-Q2WVK',
  participantId: 'p',
  submittedAt: '2026-05-14T10:20:41.000Z',
  answeredCount: 22,
  totalQuestions: 25,
  digest: 'digest',
} as const;

test('shows forged, outdated, not comparable and valid receipts', async () => {
  const said = (valid: boolean, matches: boolean | null) => {
    const shown = valid ? content : null;
    return wordsOf(<VerdictNotice verdict={{ valid, matches, content: shown }} />);
  };
  expect(await said(false, null)).toMatch(/^This receipt was not issued here\./);
  expect(await said(true, false)).toMatch(
    /^The receipt is genuine, but the stored answers differ\./,
  );
  expect(await said(true, null)).toContain('The answers themselves are no longer stored');
  const right = await said(true, true);
  expect(right).toMatch(/^This receipt is genuine\. The stored answers are exactly the ones/);
  expect(right).toContain('Receipt 4M8TX-Q2WVK');
  expect(right).toContain('Questions answered 22 of 25');
});

test('offers field, file, key and offline instructions without a session', async () => {
  const fetched = vi.fn(async () => Response.json({ valid: true, matches: true, content }));
  vi.stubGlobal('fetch', fetched);
  const { container } = await show(<ReceiptScreen />);
  await expect.element(page.getByLabelText('Select a file')).toHaveAttribute('type', 'file');
  for (const text of ['Check receipt', 'Select a file', 'Save public key', OFFLINE_COMMANDS]) {
    expect(wordsIn(container)).toContain(text.replace(/\s+/g, ' '));
  }
  const check = page.getByRole('button', { name: 'Check receipt' });
  const field = page.getByRole('textbox', { name: 'Receipt' });
  await check.click();
  await expect.element(field).toHaveFocus();
  await expect.element(page.getByText('Paste a receipt', { exact: true })).toBeVisible();
  expect(fetched).not.toHaveBeenCalled();
  await field.fill('content.signature');
  await check.click();
  await expect
    .element(page.getByRole('status').getByText('This receipt is genuine.'))
    .toBeVisible();
  expect(fetched).toHaveBeenCalledOnce();
});
