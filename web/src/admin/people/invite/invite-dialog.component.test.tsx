import { getSmtpSettings } from '@invigil/core/contract/installation/smtp-settings';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { createQueryClient } from '../../../net/query-client.ts';
import { QUIZ } from '../../../testing/fixtures.ts';
import { showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { InviteDialog } from './invite-dialog.tsx';

const HANDED_OUT = {
  signInUrl: 'https://x/login',
  opensAt: null,
  completeBy: 'No end date',
  validUntil: 'Friday 14 August 2026 at 09:00 (UTC)',
  passwords: [{ id: 'a', email: 'a@example.org', code: 'ABCDE-FGHJK-LMNPQ' }],
};

const CHECKS = {
  ...{ signInUrl: 'https://x/login', drafts: 0, isMailTested: true, opensAt: null },
  ...{ completeBy: 'No end date', timeZone: 'UTC' },
};

/** The dialog before a server by which invited addresses are answered and everyone is invited. */
async function openDialog(
  invited: { email: string; state: string; invitedAt: string }[] = [],
  quiz = QUIZ,
  changed?: object[],
  extraTime: { email: string; userName?: string; percent: number }[] = [],
) {
  const sent: string[][] = [];
  const people: object[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    if (changed && url.endsWith(QUIZ.id)) changed.push(JSON.parse(String(body)));
    if (url.endsWith('/find')) return Response.json({ invited, extraTime });
    if (url.endsWith('/checks')) return Response.json(CHECKS);
    if (url.endsWith('/passwords')) return Response.json(HANDED_OUT);
    if (!url.endsWith('/invite'))
      return Response.json(url.endsWith('/delivery') ? { mails: [] } : []);
    const { emails, people: known = [], sendMail = true } = JSON.parse(String(body));
    people.push(...known);
    sent.push(emails);
    const result = (email: string) =>
      /^\S+@\S+\.\w+$/.test(email)
        ? { email, id: email, status: sendMail ? 'queued' : 'invited' }
        : { email, status: 'invalid', reason: 'Not an email address' };
    const all = [...emails, ...known.map(({ email }: { email: string }) => email)];
    const given = quiz.endDate === CUT.endDate ? { minutes: 75, atMost: 60 } : undefined;
    const invitations = all.map((email) => ({ ...result(email), extraTime: given }));
    return Response.json({ invitations });
  });
  const client = createQueryClient();
  client.setQueryData(endpointKey(getSmtpSettings, {}), null as never);
  await showWithToasts(<InviteDialog quiz={quiz} onClose={() => undefined} />, { client });
  return { sent, people, words: () => wordsIn(page.getByRole('dialog')) };
}

/** Ends within the time of someone with 25 % more. */
const CUT = { ...QUIZ, duration: 60, endDate: new Date(Date.now() + 3_600_000).toISOString() };

const box = page.getByLabelText('Email addresses');
const send = page.getByRole('button', { name: 'Send Invitations' });

test('says until when the one-time password is valid, and by which clock', async () => {
  const { words } = await openDialog([], { ...QUIZ, endDate: '2026-05-14T16:00:00Z' });
  expect(words()).toMatch(/valid until 1[45] May 2026, \d\d:\d\d \([\w/]+\)\./);
});

test('offers what was meant, and takes corrections in place', async () => {
  const { words } = await openDialog();
  await box.fill('Name E-mail\na@gmial.com\nb@@example.org\nbroken');
  expect(words()).toContain('1 valid, 2 invalid, 0 duplicate Head row left out: Name E-mail');
  await page.getByRole('button', { name: 'Use 2 suggestions' }).click();
  await expect.element(box).toHaveValue('a@gmail.com\nb@example.org\nbroken');
  const field = page.getByRole('textbox', { name: 'Correct broken' });
  await expect.element(field).toHaveAccessibleDescription(/^Not an email address/);
  await field.fill('c@example.org');
  expect(words()).toContain('2 valid, 1 invalid');
  await userEvent.keyboard('{Enter}');
  expect(words()).toContain('3 valid, 0 invalid, 0 duplicate');
});

test('corrects in the result, and invites those who were left', async () => {
  const { sent, words } = await openDialog();
  await box.fill('a@example.org\nbroken');
  await send.click();
  await page.getByRole('textbox', { name: 'Correct broken' }).fill('b@example.org');
  await userEvent.keyboard('{Enter}');
  await page.getByRole('button', { name: 'Invite 1 address' }).click();
  await expect.element(page.getByRole('button', { name: 'Done' })).toBeVisible();
  expect(sent).toEqual([['a@example.org', 'broken'], ['b@example.org']]);
  await expect.poll(words).toContain('a@example.org Queued b@example.org Queued');
});

test('says what the end date leaves of extra time, and lets people finish after it', async () => {
  const changed: object[] = [];
  const { words } = await openDialog([], CUT, changed);
  await box.fill('a@example.org');
  await send.click();
  await expect.poll(words).toContain('a@example.org At most 60 of 75 minutes');
  expect(words()).toMatch(/at most \d+ of the 75 minutes are left/);
  await page.getByRole('button', { name: 'Let them finish after the end date' }).click();
  await expect.poll(() => changed).toMatchObject([{ finishAfterEnd: true, version: QUIZ.version }]);
});

test('says before anything is sent who gets extra time, in minutes, and what the end date leaves', async () => {
  const changed: object[] = [];
  const { sent, words } = await openDialog(
    [{ email: 'done@example.org', state: 'finished', invitedAt: '2026-05-04T09:00:00Z' }],
    CUT,
    changed,
    [
      { email: 'zoe@example.org', userName: 'Zoë Nagy', percent: 25 },
      { email: 'ann@example.org', percent: 33 },
      { email: 'done@example.org', percent: 50 },
    ],
  );
  await box.fill('Zoe@example.org\nann@example.org\nplain@example.org\ndone@example.org');
  await expect.poll(words).toContain('2 people with extra time');
  expect(words()).toContain('Zoë Nagy: 75 minutes instead of 60.');
  expect(words()).toContain('ann@example.org: 79 minutes 48 seconds instead of 60.');
  expect(words()).toMatch(
    /The assessment ends .*: at most \d+ of the 79 minutes 48 seconds are left/,
  );
  // A list says the last word, and an empty cell in it nothing.
  await box.click();
  pasteInto('Email\tName\tExtra time\nann@example.org\tAnn\t0 %\nzoe@example.org\tZ\t\n');
  await expect.poll(words).toContain('1 person with extra time Z: 75 minutes instead of 60.');
  await page.getByRole('button', { name: 'Let them finish after the end date' }).click();
  await expect.poll(() => changed).toMatchObject([{ finishAfterEnd: true }]);
  expect(sent).toEqual([]);
});

test('takes the times of a pasted list in the zone of the institution, and says so', async () => {
  const { words } = await openDialog();
  await box.click();
  const head = 'Email\tOpens\tEnds\tMinutes';
  pasteInto(`${head}\nann@example.org\t14.05.2027 10:00\t14.05.2027 12:00\t45`);
  await expect
    .poll(words)
    .toMatch(
      /read like Friday,? 14 May 2027 at 10:00 \(UTC\), in the time zone of the institution\./,
    );
  pasteInto(`${head}\nzoe@example.org\t5/6/2027 10:00\t\t`);
  await expect
    .element(page.getByRole('textbox', { name: 'Correct Opens, zoe@example.org' }))
    .toHaveAccessibleDescription('Day and month cannot be told apart: enter 2026-05-14 10:00.');
});

test('without mail, leads from the result to slips with one-time passwords', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
  const { words } = await openDialog();
  await box.fill('a@example.org\nb@example.org');
  await page.getByRole('checkbox', { name: /^Send no email/ }).click();
  await page.getByRole('button', { name: 'Invite without email' }).click();
  await page.getByRole('button', { name: 'One-time passwords' }).click();
  expect(words()).toContain('One-time passwords for 2 people');
  await page.getByRole('button', { name: 'Print slips' }).click();
  await expect.poll(() => print.mock.calls.length).toBe(1);
  const paper = document.querySelector('[data-paper]');
  expect(paper?.textContent).toContain('a@example.orgABCDE-FGHJK-LMNPQSign in at https://x/login');
  // A slip in Arabic would show groups that begin with digits in another order.
  expect(paper?.querySelector('bdi[dir="ltr"]')?.textContent).toBe('ABCDE-FGHJK-LMNPQ');
  expect(paper?.textContent).toContain('valid until Friday 14 August 2026 at 09:00 (UTC)');
  expect(words()).toContain('1 person gets none: finished, revoked or erased.');
  window.dispatchEvent(new Event('afterprint'));
  await page.getByRole('button', { name: 'Print again' }).click();
  await expect.poll(() => print.mock.calls.length).toBe(2);
});

test('names who was invited before, and can leave them out', async () => {
  const invitedAt = '2026-05-04T09:00:00Z';
  const { words } = await openDialog([
    { email: 'a@example.org', state: 'finished', invitedAt },
    { email: 'b@example.org', state: 'not_started', invitedAt },
  ]);
  await box.fill('A@example.org\nb@example.org\nnew@example.org');
  await expect.poll(words).toContain('2 people invited before');
  expect(words()).toMatch(/a@example.org \d.* Finished b@example.org \d.* Not started/);
  await page.getByRole('button', { name: 'Leave out' }).click();
  await expect.element(box).toHaveValue('new@example.org');
});

test('names every address that was invited before', async () => {
  const emails = Array.from({ length: 7 }, (_, i) => `p${i}@example.org`);
  const invitedAt = '2026-05-04T09:00:00Z';
  const { words } = await openDialog(
    emails.map((email) => ({ email, state: 'not_started', invitedAt })),
  );
  await box.fill(emails.join('\n'));
  await page.getByRole('button', { name: 'Show all (7)' }).click();
  await expect.poll(words).toMatch(/p6@example.org \d.* Not started/);
});

const pasteInto = (text: string) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData('text', text);
  const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
  document.activeElement?.dispatchEvent(paste);
};

const uses = () =>
  page
    .getByRole('region', { name: 'Columns', exact: true })
    .getByRole('combobox')
    .elements()
    .map(({ textContent }) => textContent);

test('keeps names, numbers, groups and extra time of a pasted list, corrected in place', async () => {
  const { sent, people, words } = await openDialog();
  await box.click();
  pasteInto(
    'Email\tName\tStudent ID\tClass\tExtra time\nada@example.org\tAda Lovelace\tS-1\t2A\t25 %\nbob@example.org\tBob\tS-2\t2A\tlots\ncy@example.org\tCy\tS-3\t2A\tnone\nada@example.org\tAlan\tS-4\t\t',
  );
  await expect
    .poll(uses)
    .toEqual(['Email', 'Full name', 'Number', 'Group', 'Extra time in percent']);
  expect(words()).toContain('Names are read like Ada Lovelace: given name Ada');
  const again = page.getByRole('textbox', { name: 'Correct Email, row 5' });
  await expect.element(again).toHaveAccessibleDescription('The same address as in row 2.');
  const time = page.getByRole('textbox', { name: /^Correct Extra time in percent, bob@/ });
  await expect.element(time).toHaveAccessibleDescription(/^A percentage from 0 to 900/);
  // Judged as it is typed.
  await time.fill('10');
  await expect.element(time).toHaveAttribute('aria-invalid', 'false');
  await again.fill('alan@example.org');
  await expect.element(again).toHaveAttribute('aria-invalid', 'false');
  await expect
    .element(box)
    .toHaveValue(
      'ada@example.org\nbob@example.org\ncy@example.org\nada@example.org\nalan@example.org',
    );
  await send.click();
  const toCorrect = '1 row has something to correct. Correct it or leave it out.';
  await expect.element(page.getByText(toCorrect)).toBeVisible();
  expect(sent).toEqual([]);
  await page.getByRole('textbox', { name: /^Correct Extra time in percent, cy@/ }).fill('');
  await userEvent.keyboard('{Enter}');
  await send.click();
  await expect.element(page.getByRole('button', { name: 'Done' })).toBeVisible();
  expect(sent).toEqual([[]]);
  const row = { familyName: '', language: '', groups: ['2A'], fields: {} };
  expect(people).toEqual([
    {
      ...{ ...row, email: 'ada@example.org', givenName: 'Ada', familyName: 'Lovelace' },
      ...{ externalId: 'S-1', extraTime: 25 },
    },
    { ...row, email: 'bob@example.org', givenName: 'Bob', externalId: 'S-2', extraTime: 10 },
    { ...row, email: 'cy@example.org', givenName: 'Cy', externalId: 'S-3' },
    {
      ...{ ...row, email: 'alan@example.org', givenName: 'Alan', groups: [] },
      externalId: 'S-4',
    },
  ]);
});

test('reads a file in another encoding before anyone is invited', async () => {
  const { people } = await openDialog();
  // “Łódź” by windows-1250, which is plain in windows-1252 but for its last letter.
  const bytes = [...'Email;Name\na@example.org;\xa3\xf3d\x9f\n'].map((c) => c.charCodeAt(0));
  await page
    .getByLabelText('Add from a CSV or Excel file')
    .upload(new File([new Uint8Array(bytes)], 'people.csv'));
  const encoding = page.getByRole('combobox', { name: 'Text encoding' });
  for (const option of [/^windows-1251/, /^UTF-16 \(big/, /^windows-1250/]) {
    await encoding.click();
    await page.getByRole('option', { name: option }).click();
  }
  await expect.element(box).toHaveValue('a@example.org');
  await send.click();
  await expect.poll(() => people).toMatchObject([{ email: 'a@example.org', givenName: 'Łódź' }]);
});

test('invites the addresses of the Email column only, and no one of a row that is left out', async () => {
  await openDialog();
  await box.click();
  pasteInto(
    'Email\tName\tTutor\tExtra time\nada@example.org\tAda\ttutor@example.org\t\nbob@example.org\tBob\ttutor@example.org\tlots',
  );
  await expect.element(box).toHaveValue('ada@example.org\nbob@example.org');
  await page.getByRole('button', { name: 'Leave out row 3' }).click();
  await expect.element(box).toHaveValue('ada@example.org');
  await page.getByRole('combobox', { name: /^Column C/ }).click();
  await page.getByRole('option', { name: 'Email' }).click();
  await expect.element(box).toHaveValue('tutor@example.org');
});

test('keeps the names of a list from a mail program, and what its columns were taken for', async () => {
  const { people } = await openDialog();
  await box.click();
  pasteInto('"Lovelace, Ada" <ada@example.org>; Alan Turing <alan@example.org>');
  await expect.poll(uses).toEqual(['Full name', 'Email']);
  await expect.element(box).toHaveValue('ada@example.org\nalan@example.org');
  await send.click();
  await expect.element(page.getByRole('button', { name: 'Invite more' })).toBeVisible();
  expect(people).toMatchObject([
    { givenName: 'Ada', familyName: 'Lovelace' },
    { givenName: 'Alan', familyName: 'Turing' },
  ]);
});
