import { listPersonFields, type PersonInput } from '@invigil/core/contract/invitations/people';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { createQueryClient } from '../../../net/query-client.ts';
import { show, showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { PeopleFieldsCard } from '../../installation/settings/people-fields-card.tsx';
import { ImportPeopleScreen } from './import-people-screen.tsx';

const CAMPUS = {
  ...{ id: '0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8c', name: 'Campus', kind: 'choice' as const },
  ...{ choices: ['North', 'South'], isPersonal: false },
};

const MOVED = { status: 'refused', reason: 'ada@example.org has this number already' };

/** The screen before a server that knows ada@example.org and refuses the number of someone else. */
async function openImport() {
  const sent: { people: PersonInput[]; dryRun: boolean }[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    if (url.endsWith('/read')) {
      return Response.json({
        rows: [
          ['Participants, winter term'],
          ['Email', 'Name', 'Extra time'],
          ['zoe@example.org', 'Zoë'],
          ['ann@example.org', 'Berg, Ann'],
          ['li@example.org', '王 小明'],
          ['ben@example.org', 'Ben', '1.25'],
        ],
        lines: [1, 3, 4, 5, 7, 8],
        notes: [],
      });
    }
    if (!url.endsWith('/import')) return Response.json([CAMPUS]);
    const order = JSON.parse(String(body));
    sent.push(order);
    const outcomes = order.people.map(({ email, isNewAddress }: PersonInput) =>
      email === 'moved@example.org' && !isNewAddress
        ? { ...MOVED, mayBeNewAddress: true }
        : email === 'taken@example.org'
          ? { status: 'refused', reason: 'The same person as in row 1', sameAs: 1, at: 'email' }
          : { status: email === 'ada@example.org' ? 'changed' : 'added', id: email },
    );
    const isRefused = outcomes.some(({ status }: { status: string }) => status === 'refused');
    return Response.json({ outcomes, isStored: !order.dryRun && !isRefused });
  });
  const client = createQueryClient();
  client.setQueryData(endpointKey(listPersonFields, {}), [CAMPUS] as never);
  await showWithToasts(<ImportPeopleScreen />, { client });
  return { sent, words: () => wordsIn(page.getByRole('region', { name: /people|person/ })) };
}

const check = (n: string) => page.getByRole('button', { name: `Check ${n}` });

test('a list is corrected cell by cell, reviewed row by row, and imported as a whole', async () => {
  const { sent, words } = await openImport();
  await page
    .getByLabelText('Or paste a list')
    .fill(
      'E-Mail,Vorname,Nachname,Campus,Extra time\nada@example.org,Ada,Lovelace,north,25 %\ntaken@example.org,Alan,Turing,West,\nnew@example.org,محمد,,',
    );
  await page.getByRole('button', { name: 'Read the list' }).click();
  await expect.element(check('3 people')).toHaveAttribute('aria-disabled', 'true');
  const campus = page.getByRole('textbox', { name: 'Correct Campus, taken@example.org' });
  await expect.element(campus).toHaveAccessibleDescription(/^One of: North, South/);
  await campus.fill('South');
  await userEvent.keyboard('{Enter}');
  await check('3 people').click();
  await expect.poll(words).toContain('3 To correct Alan Turing');
  await expect.poll(words).toContain('The same person as in row 2');
  await page.getByRole('textbox', { name: 'Correct Email, row 3' }).fill('alan@example.org');
  await userEvent.keyboard('{Enter}');
  await expect.poll(words).toContain('2 Changed Ada Lovelace ada@example.org · +25 % time');
  // Names are in isolates, or the words around them would change places.
  expect(words()).toContain('4 New \u2068محمد\u2069 new@example.org');
  await page.getByRole('button', { name: 'Import 3 people' }).click();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.map(({ dryRun }) => dryRun)).toEqual([true, true, false]);
  const [ada, alan] = sent[2]?.people ?? [];
  expect(ada).toMatchObject({ givenName: 'Ada', fields: { [CAMPUS.id]: 'North' } });
  expect(alan).toMatchObject({ email: 'alan@example.org', fields: { [CAMPUS.id]: 'South' } });
  expect([ada?.extraTime, alan]).toEqual([25, expect.not.objectContaining({ extraTime: 25 })]);
  await expect.element(page.getByLabelText('Or paste a list')).toBeVisible();
});

test('an address is changed by the number beside it, and groups are replaced, where the list says so', async () => {
  const { sent, words } = await openImport();
  await page
    .getByLabelText('Or paste a list')
    .fill('Email,Number,Group\nmoved@example.org,S-1,2B\nada@example.org,S-2,2B');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await page.getByRole('checkbox', { name: /^The groups of this list replace/ }).click();
  await check('2 people').click();
  await expect
    .poll(words)
    .toContain('ada@example.org has this number already. Is moved@example.org their new address?');
  await page.getByRole('button', { name: 'Change the address' }).click();
  await page.getByRole('button', { name: 'Import 2 people' }).click();
  await expect.poll(() => sent.length).toBe(3);
  expect(sent[2]).toMatchObject({
    people: [{ email: 'moved@example.org', isNewAddress: true }, {}],
    replacesGroups: true,
  });
  expect(sent[2]?.people[1]).not.toHaveProperty('isNewAddress');
});

test('a workbook is read, a picture refused, and rows that cannot be stored are left out', async () => {
  const { sent, words } = await openImport();
  const file = page.getByLabelText('Select a file');
  await file.upload(new File(['\x89PNG\r\n\x1a\n\0\0\0\rIHDR'], 'a.png'));
  const toasts = () => document.querySelector('[data-toaster]')?.textContent;
  await expect.poll(toasts).toContain('Select a CSV or text file, or an Excel workbook');
  await file.upload(new File([new Uint8Array([0x50, 0x4b, 3, 4])], 'people.xlsx'));
  await check('4 people').click();
  await expect.poll(words).toContain('4 New Zoë zoe@example.org');
  expect(words()).toContain('8 New Ben ben@example.org · +25 % time');
  await page.getByRole('button', { name: 'Another list' }).click();
  const box = page.getByLabelText('Or paste a list');
  await box.fill('taken@example.org\nzoe@example.org');
  await page.getByRole('button', { name: 'Read the list' }).click();
  await check('2 people').click();
  await page.getByRole('button', { name: 'Leave out 1 person' }).click();
  await expect.element(page.getByRole('button', { name: 'Import 1 person' })).toBeVisible();
  expect(sent.at(-1)?.people.map(({ email }) => email)).toEqual(['zoe@example.org']);
});

test('what a list is read as is shown for each column and order of names, with the rows of the file', async () => {
  await openImport();
  const file = new File([new Uint8Array([0x50, 0x4b, 3, 4])], 'people.xlsx');
  await page.getByLabelText('Select a file').upload(file);
  const table = page.getByRole('region', { name: 'Columns', exact: true });
  const rows = () =>
    [...table.element().querySelectorAll('tbody tr')].map((row) => row.textContent?.trim());
  await expect
    .poll(rows)
    .toEqual([
      '4zoe@example.orgZoë',
      '5ann@example.orgBerg, Ann',
      '7li@example.org王 小明',
      '8ben@example.orgBen1.25',
    ]);
  const said = () => wordsIn(page.getByRole('region', { name: 'Columns of the list' }));
  expect(said()).toContain('Names are read like Zoë: given name Zoë.');
  expect(said()).toContain('Names are read like Ann Berg: given name Ann, family name Berg.');
  expect(said()).toContain('Names are read like 王小明: given name 小明, family name 王.');
});

test('a file is read in another encoding, and what was corrected is given up only after a question', async () => {
  const { words } = await openImport();
  // "Łódź" by windows-1250.
  const name = [0xa3, 0xf3, 0x64, 0x9f];
  const text = new TextEncoder();
  const bytes = [
    ...text.encode('Email,Name,Campus\nzoe@example.org,'),
    ...name,
    ...text.encode(',West'),
  ];
  await page
    .getByLabelText('Select a file')
    .upload(new File([new Uint8Array(bytes)], 'people.csv'));
  const encoding = page.getByRole('combobox', { name: 'Text encoding' });
  const select = async (option: RegExp) => {
    await encoding.click();
    await page.getByRole('option', { name: option }).click();
  };
  const cells = () => wordsIn(page.getByRole('region', { name: 'Columns', exact: true }));
  await select(/^windows-1251/);
  await expect.poll(cells).toContain('Јуdџ');
  await page.getByRole('textbox', { name: 'Correct Campus, zoe@example.org' }).fill('South');
  await userEvent.keyboard('{Enter}');
  await select(/^windows-1250/);
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect.poll(cells).toContain('Јуdџ');
  await select(/^windows-1250/);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect.poll(cells).toContain('Łódź');
  await page.getByRole('textbox', { name: 'Correct Campus, zoe@example.org' }).fill('South');
  await userEvent.keyboard('{Enter}');
  await check('1 person').click();
  await expect.poll(words).toContain('2 New Łódź zoe@example.org');
});

test('fields of the installation’s own are added, need choices, and say what is lost with them', async () => {
  const saved: object[] = [];
  vi.stubGlobal('fetch', async (_: string, { body, method }: RequestInit = {}) => {
    if (method !== 'PUT') return Response.json([CAMPUS]);
    const { fields } = JSON.parse(String(body));
    saved.push(fields);
    return Response.json(fields);
  });
  await show(<PeopleFieldsCard />);
  await page.getByRole('button', { name: 'Add a field' }).click();
  await page.getByRole('textbox', { name: 'Name' }).nth(1).fill('Born');
  await page.getByRole('combobox', { name: 'Kind' }).nth(1).click();
  await page.getByRole('option', { name: 'Date' }).click();
  await page.getByRole('textbox', { name: 'Choices' }).fill('');
  await page.getByRole('button', { name: 'Save fields' }).click();
  await expect.element(page.getByText('Enter what can be selected')).toBeVisible();
  await page.getByRole('textbox', { name: 'Choices' }).fill('East, West');
  await page.getByRole('button', { name: 'Save fields' }).click();
  await expect.poll(() => saved.length).toBe(1);
  expect(saved[0]).toMatchObject([
    { ...CAMPUS, choices: ['East', 'West'] },
    { name: 'Born', kind: 'date', choices: [], isPersonal: true },
  ]);
  await page.getByRole('button', { name: 'Remove field 1' }).click();
  await page.getByRole('button', { name: 'Save fields' }).click();
  const asks = page.getByRole('alertdialog');
  await expect.poll(() => wordsIn(asks)).toContain('What people have in “Campus” is deleted.');
  await asks.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => saved.length).toBe(2);
});
