import type { Admin } from '@invigil/core/contract/accounts/admins';
import type { Grant } from '@invigil/core/domain/rights';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ADMIN, QUIZ as ANY_QUIZ, refusal } from '../../../testing/fixtures.ts';
import { showWithToasts, wordsIn } from '../../../testing/shown.tsx';
import { AccountScreen } from '../account/account-screen.tsx';
import { AdminsCard } from '../settings/admins-card.tsx';
import { TeamTab } from './team-tab.tsx';

const idOf = (n: number) => `0197f5a3-1c1e-7c3a-9b1a-2f4d5e6a7b8${n}`;
const [Q, C, OTHER] = [idOf(1), idOf(2), idOf(3)];
const QUIZ = { ...ANY_QUIZ, id: Q, categoryId: C };
const AT = '2026-05-04T09:00:00Z';
const admin = (id: string, name: string, ...grants: Grant[]): Admin => ({
  ...{ id, name, grants, email: `${id}@example.org` },
  ...{ createdAt: AT, lastSignInAt: null, hasTotp: false },
});
const OWN = { ...admin('a', '', { role: 'owner' }), email: ADMIN.user.email };
const MAYA = admin('maya', 'Maya Keller', { role: 'reviewer', categoryId: C });
const TOM = admin('tom', '', { role: 'author', quizId: Q }, { role: 'author', quizId: OTHER });
const FAR = admin('far', 'Far Away', { role: 'author', quizId: OTHER });

let sent: [call: string, body: unknown][];
let answers: Record<string, (body: Record<string, unknown>) => Response>;

beforeEach(() => {
  sent = [];
  answers = {
    'GET /api/admins': () => Response.json([OWN, MAYA, TOM, FAR]),
    'GET /api/quizzes': () => Response.json([QUIZ, { ...QUIZ, id: OTHER, title: 'Statics' }]),
    'GET /api/categories': () =>
      Response.json([{ id: C, name: 'Engineering', description: null, createdAt: AT }]),
    'GET /api/admins/me/totp': () =>
      Response.json({ enabled: false, recoveryCodesLeft: 0, required: false }),
  };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${new URL(url, location.href).pathname}`;
    const given = body ? JSON.parse(String(body)) : {};
    if (method !== 'GET') sent.push([call, given]);
    return answers[call]?.(given) ?? new Response('', { status: 500 });
  });
});

/** A server that stores roles. */
const changes = (one: typeof MAYA) => {
  answers[`PUT /api/admins/${one.id}/grants`] = ({ grants }) => {
    const all = [OWN, MAYA, TOM, FAR].map((row) => (row.id === one.id ? { ...row, grants } : row));
    answers['GET /api/admins'] = () => Response.json(all);
    return Response.json({ ...one, grants: [] });
  };
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const told = (words: string) =>
  expect.poll(() => document.querySelector('[data-toaster]')?.textContent).toContain(words);
const rows = () =>
  [...document.querySelectorAll('[aria-label="Team"] > li')].map((row) => wordsIn(row));

test('the team of an assessment: who may do what, roles given and taken, colleagues invited', async () => {
  changes(TOM);
  answers['POST /api/admins'] = ({ email, name = '', grants }) =>
    email === 'sara@example.org'
      ? Response.json({ ...admin('sara', String(name)), grants }, { status: 201 })
      : email === MAYA.email
        ? Response.json({ ...MAYA, grants }, { status: 201 })
        : refusal(409, 'SMTP_NOT_CONFIGURED', { message: 'No mail server' });
  await showWithToasts(<TeamTab quiz={QUIZ} />, { account: ADMIN });
  await expect
    .poll(rows)
    .toEqual([
      `${ADMIN.user.email} (you) Owner everywhere Change roles`,
      'Maya Keller maya@example.org Reviewer in the category Engineering Change roles',
      'tom@example.org Author in Network Fundamentals Change roles',
    ]);

  // Roles that were given elsewhere stay.
  await button('Change roles of tom@example.org').click();
  const edit = page.getByRole('dialog', { name: 'Roles of tom@example.org' });
  await expect.element(edit.getByLabelText('Author')).toBeChecked();
  await edit.getByLabelText('Author').click();
  await edit.getByLabelText('Analyst').click();
  await edit.getByRole('button', { name: 'Save roles' }).click();
  await told('Roles saved');
  const grants = [
    { role: 'author', quizId: OTHER },
    { role: 'analyst', quizId: Q },
  ];
  expect(sent).toEqual([['PUT /api/admins/tom/grants', { grants, before: TOM.grants }]]);
  await expect
    .poll(() => rows()[2])
    .toBe('tom@example.org Analyst in Network Fundamentals Change roles');

  await button('Invite a colleague').click();
  const invite = page.getByRole('dialog', { name: 'Invite a colleague' });
  expect(wordsIn(invite)).toContain('valid for 7 days');
  const submit = invite.getByRole('button', { name: 'Invite', exact: true });
  await invite.getByLabelText('Email').fill('no-mail@example.org');
  await submit.click();
  await expect.element(invite.getByText('Select at least one role')).toBeVisible();
  await invite.getByLabelText('Invigilator').click();
  await submit.click();
  await told('Failed to inviteNo mail server');
  await invite.getByLabelText('Email').fill('sara@example.org');
  await invite.getByLabelText('Name (optional)').fill('Sara Lind');
  await submit.click();
  await expect
    .poll(() => rows()[3])
    .toBe('Sara Lind sara@example.org Invigilator in Network Fundamentals Change roles');
  expect(sent.at(-1)?.[1]).toEqual({
    ...{ email: 'sara@example.org', name: 'Sara Lind' },
    grants: [{ role: 'invigilator', quizId: Q }],
  });

  // An administrator before, who has the roles in addition.
  await button('Invite a colleague').click();
  await invite.getByLabelText('Email').fill(MAYA.email);
  await invite.getByLabelText('Support').click();
  await submit.click();
  await expect
    .poll(() => rows()[1])
    .toBe(
      'Maya Keller maya@example.org Support in Network Fundamentals Reviewer in the category Engineering Change roles',
    );
});

test('administrators with their roles, which are changed for any place', async () => {
  changes(MAYA);
  await showWithToasts(<AdminsCard />, { account: ADMIN });
  const list = page.getByRole('list', { name: 'Administrators' });
  await expect
    .poll(() => wordsIn(list))
    .toContain('Maya Keller maya@example.org Reviewer in the category Engineering Created');
  await button('Change roles of maya@example.org').click();
  const edit = page.getByRole('dialog', { name: 'Roles of Maya Keller' });
  await edit.getByRole('combobox', { name: 'Where' }).click();
  await page.getByRole('option', { name: 'Category Engineering' }).click();
  await expect.element(edit.getByLabelText('Reviewer')).toBeChecked();
  await edit.getByLabelText('Reviewer').click();
  await edit.getByRole('combobox', { name: 'Where' }).click();
  await page.getByRole('option', { name: 'Everything' }).click();
  await edit.getByLabelText('Support').click();
  await edit.getByRole('button', { name: 'Save roles' }).click();
  await told('Roles saved');
  expect(sent).toEqual([
    ['PUT /api/admins/maya/grants', { grants: [{ role: 'support' }], before: MAYA.grants }],
  ]);
  await expect.poll(() => wordsIn(list)).toContain('maya@example.org Support everywhere Created');
});

test('the account: name, roles in words, sessions that can be ended', async () => {
  const session = { signedInAt: AT, lastSeenAt: AT };
  answers['GET /api/admins/me/sessions'] = () =>
    Response.json([
      { ...session, id: 's1', isThis: true },
      { ...session, id: 's2', isThis: false },
    ]);
  answers['DELETE /api/admins/me/sessions/s2'] = () => new Response(null, { status: 204 });
  answers['PUT /api/admins/me/name'] = ({ name }) => Response.json({ ...OWN, name });
  const grants: Grant[] = [{ role: 'author', categoryId: C }, { role: 'analyst' }];
  await showWithToasts(<AccountScreen />, { account: { ...ADMIN, name: '', grants } });
  const may = page.getByRole('region', { name: 'What you may do' });
  await expect
    .poll(() => wordsIn(may))
    .toMatch(
      /Author in the category Engineering Analyst everywhere Author: Writes .* Analyst: Sees .* An owner can give you more roles\.$/,
    );
  await page.getByLabelText('Your name (optional)').fill(' Alex Roy ');
  await button('Save name').click();
  await told('Name saved');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect.poll(() => sessions.elements().length).toBe(2);
  expect(wordsIn(sessions.nth(0))).not.toContain('End');
  await sessions
    .nth(1)
    .getByRole('button', { name: /^End the session of/ })
    .click();
  await told('Session ended');
  await expect.poll(() => sessions.elements().length).toBe(1);
  expect(sent).toEqual([
    ['PUT /api/admins/me/name', { name: 'Alex Roy' }],
    ['DELETE /api/admins/me/sessions/s2', {}],
  ]);
});
