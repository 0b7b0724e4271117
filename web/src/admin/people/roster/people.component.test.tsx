import { type Person, updatePerson } from '@invigil/core/contract/invitations/people';
import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { Grant } from '@invigil/core/domain/rights';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { chooseLanguage, forgetLanguage } from '../../../lib/language.ts';
import { ADMIN, PERSON, QUIZ, refusal } from '../../../testing/fixtures.ts';
import { PARTICIPANT } from '../../../testing/record-rows.ts';
import { showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { CandidatesTab } from '../invitations/candidates-tab.tsx';
import { PeopleScreen } from './people-screen.tsx';
import { PersonScreen } from './person-screen.tsx';

const AT = '2026-05-14T10:00:00Z';
const person = (id: string, change: Partial<Person> = {}): Person => ({
  ...PERSON,
  ...{ id, email: `${id}@example.org`, givenName: '', familyName: '', externalId: '', groups: [] },
  ...change,
});
/** 120 people, two of them in a group. */
const EVERYONE = [
  PERSON,
  person('zoe', { givenName: 'Zoë', groups: ['2A', 'b', 'c', 'd', 'e'] }),
  ...Array.from({ length: 118 }, (_, i) => person(`p${i}`)),
];
const INVITED = {
  ...{ id: 'i', userId: 'u', quizId: 'q', email: PERSON.email, invitedAt: AT, mail: null },
  ...{ signedInAt: AT, status: 'completed', participantId: PARTICIPANT.id, startedAt: AT },
  ...{ submittedAt: AT, attempt: PARTICIPANT, revokedAt: null, codeValidUntil: null },
  ...{ extraTimeFactor: 1.25, cameraEnabled: true, microphoneEnabled: true },
  quizTitle: QUIZ.title,
};
const NOT_STARTED = {
  ...{ ...INVITED, id: 'j', quizId: 'gone', quizTitle: 'Statics', status: 'not_started' },
  ...{ signedInAt: null, participantId: null, startedAt: null, submittedAt: null },
  ...{ attempt: undefined, extraTimeFactor: 1 },
};

/** Everyone there is; who is first is erased whenever a page of the largest size has been read. */
let everyone: Person[];
let stored: Person;
let sent: [call: string, body: Record<string, unknown>][];
let refuse: Response | null;

beforeEach(() => {
  everyone = EVERYONE;
  stored = PERSON;
  sent = [];
  refuse = null;
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, location.href);
    const given = body ? JSON.parse(String(body)) : {};
    if (method !== 'GET') sent.push([`${method} ${pathname}`, given]);
    switch (`${method} ${pathname}`) {
      case 'GET /api/people/ids':
      case 'GET /api/people': {
        const { group, search = '', limit, offset } = Object.fromEntries(searchParams);
        const found = everyone.filter(
          ({ groups, email, givenName }) =>
            (group === undefined || groups.includes(group)) &&
            `${email} ${givenName}`.includes(search),
        );
        // All at once.
        if (pathname.endsWith('/ids')) return Response.json(found);
        const rows = found.slice(Number(offset), Number(offset) + Number(limit));
        if (Number(limit) === REQUEST_LIMITS.listRowsMax) everyone = everyone.slice(1);
        return Response.json(rows, { headers: { 'x-total-count': String(found.length) } });
      }
      case 'GET /api/people/groups':
        return Response.json([{ group: '2A', people: 2 }]);
      case 'GET /api/people/u':
        return Response.json(stored);
      case 'PUT /api/people/u': {
        if (refuse) return refuse;
        const { email = stored.email } = given;
        const isMoved = email !== stored.email;
        stored = {
          ...{ ...stored, ...given },
          formerEmails: isMoved ? [...stored.formerEmails, stored.email ?? ''] : [],
        };
        return Response.json(stored);
      }
      case 'GET /api/people/u/invitations':
        return Response.json([INVITED, NOT_STARTED]);
      case 'DELETE /api/users/u':
      case 'POST /api/users/u/erase':
        stored = person('u', { email: null });
        return new Response(null, { status: 204 });
      case 'GET /api/quizzes':
        return Response.json([
          QUIZ,
          { ...QUIZ, id: 'closed', title: 'Closed', isOpen: false },
          { ...QUIZ, id: 'far', categoryId: 'far', title: 'Far' },
        ]);
      default:
        return Response.json([]);
    }
  });
});

function At() {
  const { pathname, search } = useLocation();
  return <p data-at="">{pathname + search}</p>;
}
const address = () => document.querySelector('[data-at]')?.textContent;

const SCREENS = (
  <>
    <At />
    <Routes>
      <Route path="/admin/people" element={<PeopleScreen />} />
      <Route path="/admin/people/:id" element={<PersonScreen />} />
      <Route path="/admin/quizzes/q/candidates" element={<CandidatesTab quiz={QUIZ} />} />
    </Routes>
  </>
);
const open = (at: string, ...grants: Grant[]) =>
  showWithToasts(SCREENS, {
    account: { ...ADMIN, ...(grants.length > 0 ? { grants } : {}) },
    at: `/admin${at}`,
  });
const button = (name: string | RegExp) => page.getByRole('button', { name });
const rows = () =>
  [...document.querySelectorAll('[aria-label="People"] :is(tbody tr, li)')].map(wordsIn);
const box = page.getByLabelText('Email addresses');
const told = (words: string) =>
  expect.poll(() => document.querySelector('[data-toaster]')?.textContent).toContain(words);

afterEach(async () => {
  await chooseLanguage('en');
  forgetLanguage();
});

test('people are found, selected over pages and searches, and invited', async () => {
  await page.viewport(1280, 900);
  await open('/people');
  await expect.poll(rows).toHaveLength(50);
  expect(rows().slice(0, 3)).toEqual([
    'Select: Ada Lovelace Ada Lovelace ada@example.org S1 2A Chess',
    'Select: Zoë Zoë zoe@example.org 2A b c +2 more',
    'Select: p0@example.org p0@example.org',
  ]);
  await page.getByLabelText('Select all on this page').click();
  await button('Select all 120 that match').click();
  await expect.element(page.getByText('120 selected')).toBeVisible();
  await button('Clear selection').click();

  // A selection stays when another search follows.
  await page.getByLabelText('Select: p0@example.org').click();
  await page.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: '2A (2)' }).click();
  await expect.poll(address).toBe('/admin/people?group=2A');
  await expect.poll(rows).toHaveLength(2);
  await page.getByLabelText('Select all on this page').click();
  await button('Invite…').click();
  const dialog = page.getByRole('dialog', { name: 'Invite 3 people' });
  await dialog.getByRole('combobox', { name: 'Assessment' }).click();
  const options = page.getByRole('option');
  await expect.poll(() => options.elements().map(wordsIn)).toEqual([QUIZ.title, 'Far']);
  await options.first().click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect.poll(address).toBe('/admin/quizzes/q/candidates');
  await expect.element(box).toHaveValue('p0@example.org\nada@example.org\nzoe@example.org');
});

test('all that match are selected, also where someone is erased meanwhile', async () => {
  everyone = Array.from({ length: 1_500 }, (_, i) => person(`many${i}`));
  await open('/people');
  await page.getByLabelText('Select all on this page').click();
  await button('Select all 1,500 that match').click();
  await expect.element(page.getByText('1,500 selected')).toBeVisible();
});

test('the invitation adds a group or a search to its box, each person once', async () => {
  await open('/quizzes/q/candidates');
  await button('Send invitations').click();
  await box.fill('ADA@example.org');
  await button('Add people').click();
  const add = page.getByRole('region', { name: 'Add people' });
  await add.getByRole('combobox', { name: 'Group' }).click();
  await page.getByRole('option', { name: '2A (2)' }).click();
  await add.getByRole('button', { name: 'Add 2 people' }).click();
  await expect.element(box).toHaveValue('ADA@example.org\nzoe@example.org');
  expect(wordsIn(add)).toContain('1 person added. 1 person was in the box already.');
  await add.getByLabelText('Search people').fill('p11');
  await userEvent.keyboard('{Enter}');
  await add.getByRole('button', { name: 'Add 9 people' }).click();
  await expect.element(page.getByText('11 valid, 0 invalid, 0 duplicate')).toBeVisible();
  expect(sent.filter(([call]) => call.endsWith('/invite'))).toEqual([]);
});

test('a person without a name is headed by their address, once in every language', async () => {
  stored = person('u');
  await chooseLanguage('ar');
  await open('/people/u');
  const heading = page.getByRole('heading', { level: 1 });
  await expect.element(heading).toHaveTextContent('\u2068u@example.org\u2069');
  expect(heading.element().parentElement?.textContent?.split('u@example.org')).toHaveLength(2);
});

test('a person: details are changed, and refused at their fields', async () => {
  await open('/people/u');
  await expect.element(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible();
  const assessments = page.getByRole('region', { name: 'Assessments' });
  await expect
    .poll(() => wordsIn(assessments))
    .toMatch(
      /^Assessments Network Fundamentals Finished .* Accommodations: \+25 % time 22 of 25 Completed Open Statics Invited .* No email Not started$/,
    );
  await expect
    .element(assessments.getByRole('link', { name: QUIZ.title, exact: true }))
    .toHaveAttribute('href', '/admin/quizzes/q');

  const save = button('Save details');
  await page.getByLabelText('Number').fill('S2');
  refuse = refusal(409, 'EXTERNAL_ID_TAKEN', {
    message: 'Someone else has this number',
    issues: [{ path: 'externalId', message: 'Someone else has this number' }],
  });
  await save.click();
  await expect
    .element(page.getByLabelText('Number'))
    .toHaveAccessibleDescription('Someone else has this number');
  await page.getByLabelText('Language').fill('English!');
  await save.click();
  await expect
    .element(page.getByLabelText('Language'))
    .toHaveAccessibleDescription(/^A language code/);

  await page.getByLabelText('Language').fill('');
  refuse = refusal(409, 'STALE', {
    message: 'Grace has changed this. Reload it to see their version',
    details: { stored: { externalId: 'S7' }, by: 'Grace' },
  });
  await save.click();
  await told('Failed to save the details');
  const notice = page.getByRole('alert').filter({ hasText: 'Grace has changed this person' });
  await expect.poll(() => wordsIn(notice)).toContain('theirs “S7”, yours “S2”');
  await notice.getByRole('button', { name: 'Use their version' }).click();
  await expect.element(page.getByLabelText('Number')).toHaveValue('S7');
  await expect.element(notice).not.toBeInTheDocument();
  // Other typed values are still to be saved.
  await expect.element(page.getByLabelText('Language')).toHaveValue('');
  await expect.element(page.getByText('Not saved yet')).toBeVisible();

  refuse = null;
  await page.getByLabelText('Number').fill('S2');
  await page.getByLabelText('Language').fill('en');
  await page.getByLabelText('Email').fill('ada.king@example.org');
  await button('Remove Chess').click();
  await page.getByLabelText('Groups').fill('a, b');
  await userEvent.keyboard('{Enter}');
  await save.click();
  await told('Details saved');
  const change = { email: 'ada.king@example.org', externalId: 'S2', groups: ['2A', 'a, b'] };
  const before = { email: 'ada@example.org', externalId: 'S7', groups: ['2A', 'Chess'] };
  expect(sent.at(-1)).toEqual(['PUT /api/people/u', { ...change, before }]);
  expect(updatePerson.body.parse(change)).toEqual(change);
  await expect
    .element(page.getByLabelText('Email'))
    .toHaveAccessibleDescription(/Former addresses: ada@example\.org$/);

  await page.getByRole('button', { name: 'Remove a, b' }).click();
  await save.click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect
    .poll(() => sent.at(-1))
    .toEqual(['PUT /api/people/u', { groups: ['2A', 'a, b'], before: { groups: ['2A'] } }]);
});

test('a person: an owner erases the data after typing the address', async () => {
  await open('/people/u');
  await button('Erase data').click();
  const dialog = page.getByRole('dialog', { name: "Erase this person's data" });
  await dialog.getByLabelText('Type ada@example.org to confirm').fill('ada@example.org');
  await dialog.getByLabelText('Reason').fill('Asked for it');
  await dialog.getByRole('button', { name: 'Erase data' }).click();
  await expect.element(page.getByText('The data of this person was erased.')).toBeVisible();
  expect(sent.map(([, body]) => body)).toEqual([{ reason: 'Asked for it' }]);
  expect(document.querySelector('[aria-label="Details"]')).toBeNull();
});

test('support of one assessment changes and invites, an invigilator reads', async () => {
  const { unmount } = await open('/people/u', { role: 'support', quizId: 'q' });
  await expect.element(button('Save details')).toBeVisible();
  await expect.element(button('Invite…')).toBeVisible();
  await expect.element(page.getByLabelText('Email')).toHaveAttribute('readonly');
  expect(page.getByLabelText('Note').elements()).toEqual([]);
  expect(document.body.textContent).toContain('What you change is shown in your assessments.');
  expect(document.body.textContent).not.toContain('Erase data');
  expect(document.querySelector('a[href^="/admin/participants"]')).toBeNull();
  await unmount();
  const { container } = await open('/people/u', { role: 'invigilator' });
  await expect.element(page.getByRole('region', { name: 'Details' })).toBeVisible();
  expect(wordsIn(container)).toContain(
    'Details Given name Ada Family name Lovelace Email ada@example.org Number S1 Groups 2A, Chess Language en ' +
      'Only owners and people in support may change these details.',
  );
  expect(document.body.textContent).not.toMatch(/Invite…|Save details/);
});
