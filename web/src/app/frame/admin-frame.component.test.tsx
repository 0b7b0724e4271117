import { exportPeople } from '@invigil/core/contract/invitations/people';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { downloadFile } from '../../admin/data/downloads.ts';
import { BEGINS_WORK } from '../../admin/data/works.ts';
import { chooseLanguage, forgetLanguage } from '../../lib/language.ts';
import { ADMIN } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { useKeptFocus } from '../../ui/dialogs/use-return-focus.ts';
import { AdminAccount } from './admin-account.tsx';
import { AdminNav, LiveNav, WorkDot, WorkNav } from './admin-nav.tsx';

test('links to five sections, the question bank and people', async () => {
  const { container } = await show(<AdminNav />, { account: ADMIN });
  expect(wordsIn(container)).toBe(
    'Dashboard Assessments Questions Participants People Categories Settings',
  );
  const links = page.getByRole('link').elements();
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/admin/dashboard',
    '/admin/quizzes',
    '/admin/questions',
    '/admin/participants',
    '/admin/people',
    '/admin/categories',
    '/admin/settings',
  ]);
});

test('shows the address, the role Administrator, a menu and sign-out below them', async () => {
  const asked = vi.fn();
  const { container } = await show(<AdminAccount onShortcuts={asked} />, { account: ADMIN });
  expect(wordsIn(container)).toContain('admin@example.org Administrator');
  const own = page.getByRole('button', { name: /^admin@example.org.*your menu$/ });
  await own.click();
  const items = page.getByRole('menuitem');
  await expect
    .poll(() => items.elements().map((item) => item.textContent))
    .toEqual(['Your account', 'Guide', 'Keyboard shortcuts', 'Language', 'Use dark appearance']);
  await expect.element(page.getByRole('menu')).toHaveFocus();
  // Each key moves the focus a moment later.
  for (const item of ['Your account', 'Guide', 'Keyboard shortcuts']) {
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByRole('menuitem', { name: item })).toHaveFocus();
  }
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => asked).toHaveBeenCalledOnce();
  await own.click();
  await page.getByRole('menuitem', { name: 'Use dark appearance' }).click();
  await expect.poll(() => document.documentElement.dataset.theme).toBe('dark');
  await own.click();
  await page.getByRole('menuitem', { name: 'Use light appearance' }).click();
  const leave = page.getByRole('button', { name: 'Sign out' });
  await leave.click();
  await expect.element(page.getByRole('button', { name: /Signing out/ })).toBeVisible();
});

test('the menu has the languages of the portal, each named in itself; the chosen one is remembered', async () => {
  const stored: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: RequestInit) => {
    stored.push(JSON.parse(String(body)));
    return new Response(String(body), { headers: { 'content-type': 'application/json' } });
  });
  await show(<AdminAccount />, { account: ADMIN });
  const own = page.getByRole('button', { name: /your menu$/ });
  await own.click();
  await expect.element(page.getByRole('menu')).toHaveFocus();
  // No keyboard shortcuts here, so that the languages are the third.
  for (const item of ['Your account', 'Guide', 'Language']) {
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByRole('menuitem', { name: item })).toHaveFocus();
  }
  await userEvent.keyboard('{ArrowRight}');
  const choice = (name: string) => page.getByRole('menuitemradio', { name });
  await expect.element(choice('English')).toHaveFocus();
  await expect.element(choice('English')).toBeChecked();
  for (const name of ['العربية', 'Deutsch']) {
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(choice(name)).toHaveFocus();
  }
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => stored).toEqual([{ language: 'de' }]);
  expect(document.documentElement.lang).toBe('de');
  await own.click();
  await expect.element(page.getByRole('menuitem', { name: /^(Language|Sprache)$/ })).toBeVisible();
  await chooseLanguage('en');
  forgetLanguage();
});

test.each([
  [{ writing: 0 }, ''],
  [{ writing: 0, hasHall: true }, 'Live now 0 in progress 0'],
  [{ writing: 2 }, 'Live now 2 in progress 2'],
])(
  'links to the live board while attempts are in progress or begin together: %o',
  async (count, words) => {
    const fetched = vi.fn(async () => Response.json(count));
    vi.stubGlobal('fetch', fetched);
    const { container } = await show(<LiveNav />, { account: ADMIN });
    await expect.poll(() => fetched.mock.calls.length).toBe(1);
    await expect.poll(() => wordsIn(container)).toBe(words);
  },
);

const ID = '0c7f4a52-9f0e-4a57-8a3f-0d6b9f7f2e11';

test.each([
  [[], ''],
  [[{ state: 'running', done: 40, total: 100 }], 'Import under way 40 %'],
  [[{ state: 'running', done: 40, total: null }], 'Import under way'],
  [[{ state: 'done', done: 100, total: 100 }], 'Import finished'],
  [[{ state: 'lost', done: 40, total: 100 }], 'Import failed'],
  [
    [{ kind: 'scores.check', questionId: ID, state: 'running', done: 9, total: 10 }],
    'Check of scores under way 90 %',
  ],
  [
    [{ kind: 'scores.correct', questionId: ID, state: 'done', done: 9, total: 9 }],
    'Rescoring finished',
  ],
])('links to long work, under way or ended: %o', async (found, words) => {
  const work = { id: 'w', kind: 'questions.import', name: 'q.xml', quizId: ID };
  const more = {
    questionId: null,
    begunAt: '2026-11-27T10:00:00.000Z',
    result: null,
    failure: null,
  };
  const fetched = vi.fn(async () =>
    Response.json(found.map((one) => ({ ...work, ...more, ...one }))),
  );
  vi.stubGlobal('fetch', fetched);
  const { container } = await show(<WorkNav />, { account: ADMIN });
  const bar = await show(<WorkDot />, { account: ADMIN });
  await expect.poll(() => fetched.mock.calls.length).toBeGreaterThan(0);
  await expect.poll(() => wordsIn(container)).toBe(words);
  await expect.poll(() => wordsIn(bar.container)).toBe(words);
  const [one] = found;
  const address =
    one && 'questionId' in one
      ? `/admin/questions/${ID}?quiz=${ID}&rescore`
      : `/admin/questions/import?quizId=${ID}`;
  for (const shown of [container, bar.container]) {
    expect(shown.querySelector('a')?.getAttribute('href')).toBe(one && address);
  }
});

/** A write that another page of this tab began. */
function Begins({ end }: { end: Promise<void> }) {
  const { mutate } = useMutation({ mutationKey: BEGINS_WORK, mutationFn: () => end });
  return (
    <button type="button" onClick={() => mutate()}>
      Begin
    </button>
  );
}

test('asks for long work while some is under way or begins, and when the tab is looked at', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const work = { id: 'w', kind: 'questions.import', name: 'q.xml', quizId: null };
    const more = { questionId: null, begunAt: '2026-11-27T10:00:00.000Z', failure: null };
    const known = { ...work, ...more, result: null, done: 40, total: 100 };
    let works: object[] = [];
    const fetched = vi.fn(async () => Response.json(works));
    vi.stubGlobal('fetch', fetched);
    const calls = () => fetched.mock.calls.length;
    const rest = async () => {
      const before = calls();
      await vi.advanceTimersByTimeAsync(60_000);
      return calls() - before;
    };
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const both = await show(
      <>
        <WorkNav />
        <Begins end={ended} />
      </>,
      { account: ADMIN },
    );
    await expect.poll(calls).toBe(1);
    expect(await rest()).toBe(0);
    // Another tab began some.
    works = [{ ...known, state: 'running' }];
    window.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => wordsIn(both.container)).toContain('Import under way 40 %');
    works = [{ ...known, state: 'done' }];
    await vi.advanceTimersByTimeAsync(1_000);
    await expect.poll(() => wordsIn(both.container)).toContain('Import finished');
    expect(await rest()).toBe(0);
    await page.getByRole('button', { name: 'Begin' }).click();
    expect(await rest()).toBeGreaterThan(0);
    end();
    await expect.poll(rest).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test('shows how far a download is when its page was left, and asks before it is lost', async () => {
  const type = 'text/csv; charset=utf-8';
  const headers = { 'content-type': type, 'x-total-count': '10' };
  let send: (text: string) => void = () => undefined;
  let end: () => void = () => undefined;
  const body = new ReadableStream({
    start(stream) {
      send = (text) => stream.enqueue(new TextEncoder().encode(text));
      end = () => stream.close();
    },
  });
  const fetched = vi.fn(async (asked: URL | string | Request) =>
    String(asked).includes('/api/works') ? Response.json([]) : new Response(body, { headers }),
  );
  vi.stubGlobal('fetch', fetched);
  const { container } = await show(<WorkNav />, { account: ADMIN });
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(isAsked()).toBe(false);
  const blobs = vi.spyOn(URL, 'createObjectURL').mockReturnValue('#saved');
  const file = { name: 'People', fallback: 'people.csv' };
  const saved = downloadFile(file, exportPeople, { query: {} });
  send('name\r\n'.repeat(4));
  await expect.poll(() => wordsIn(container)).toBe('People is coming 40 %');
  expect(isAsked()).toBe(true);
  send('name\r\n'.repeat(6));
  await expect.poll(() => wordsIn(container)).toBe('People is coming 99 %');
  end();
  await saved;
  await expect.poll(() => wordsIn(container)).toBe('');
  expect(isAsked()).toBe(false);
  const [[blob] = []] = blobs.mock.calls;
  expect(await (blob as Blob).text()).toBe('name\r\n'.repeat(10));
});

let removeRow: (row: string) => void;

/** Each button removes itself with its row. */
function Rows() {
  const area = useRef<HTMLElement>(null);
  const [rows, setRows] = useState(['Zero', 'One', 'Two', 'Three']);
  useKeptFocus(area);
  removeRow = (row) => setRows(rows.filter((other) => other !== row));
  return (
    <section ref={area} tabIndex={-1} aria-label="List">
      {rows.map((row) => (
        <p key={row}>
          <button type="button" onClick={() => removeRow(row)}>
            {row}
          </button>
        </p>
      ))}
    </section>
  );
}

test('keeps the focus where a control removes itself', async () => {
  await show(<Rows />);
  const button = (name: string) => page.getByRole('button', { name });
  // A control that goes without being pressed passes the focus to no other.
  button('Zero').element().focus();
  removeRow('Zero');
  await expect.element(button('Zero')).not.toBeInTheDocument();
  expect(document.activeElement).toBe(document.body);
  await button('Two').click();
  await expect.element(button('Three')).toHaveFocus();
  await button('Three').click();
  await expect.element(button('One')).toHaveFocus();
  await button('One').click();
  await expect.element(page.getByRole('region', { name: 'List' })).toHaveFocus();
});
