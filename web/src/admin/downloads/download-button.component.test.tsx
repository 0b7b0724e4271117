import { beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../../testing/shown.tsx';
import { NO_FILTER } from '../participants/participants-filter.ts';
import { DownloadReport } from '../participants/participants-screen.tsx';

const asked: string[] = [];

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  vi.spyOn(window, 'fetch').mockImplementation(async (url) => {
    asked.push(new URL(String(url), location.href).searchParams.get('format') ?? 'csv');
    return new Response('x', { headers: { 'content-disposition': 'attachment; filename="r.x"' } });
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
});

const download = () => page.getByRole('button', { name: 'Download report' }).click();
const choose = async (name: string) => {
  await page.getByRole('button', { name: 'More reports' }).click();
  await page.getByRole('menuitem', { name }).click();
};

test('downloads CSV first, and then the format chosen last, also on the next visit', async () => {
  const { unmount } = await show(<DownloadReport filter={NO_FILTER} />);
  await download();
  await expect.poll(() => asked).toEqual(['csv']);
  await choose('Excel (.xlsx)');
  await expect.poll(() => asked).toEqual(['csv', 'xlsx']);
  await download();
  await expect.poll(() => asked).toEqual(['csv', 'xlsx', 'xlsx']);
  await unmount();
  await show(<DownloadReport filter={NO_FILTER} />);
  await download();
  await expect.poll(() => asked).toHaveLength(4);
  expect(asked.at(-1)).toBe('xlsx');
  await choose('CSV (.csv)');
  await expect.poll(() => asked.at(-1)).toBe('csv');
});

test('offers the formats and the other reports by keyboard', async () => {
  await show(<DownloadReport filter={NO_FILTER} />);
  await userEvent.tab();
  await userEvent.tab();
  await userEvent.keyboard('{Enter}');
  const items = page.getByRole('menuitem');
  await expect.element(items.first()).toBeVisible();
  expect(items.elements().map((item) => item.textContent)).toEqual([
    'Excel (.xlsx)',
    'CSV (.csv)',
    expect.stringContaining('With a column per question'),
    expect.stringContaining('All participants, without the filters'),
  ]);
});
