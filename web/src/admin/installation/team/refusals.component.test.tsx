import { type Endpoint, partsOf, permissionsOf } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { INVITATION_STATES } from '@invigil/core/domain/invitation-states';
import type { Role } from '@invigil/core/domain/rights';
import { type Grant, isNowhere, may, ROLES, reachOf } from '@invigil/core/domain/rights';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { createQueryClient } from '../../../net/query-client.ts';
import { ADMIN, PERSON, QUIZ, refusal } from '../../../testing/fixtures.ts';
import { show, wordsIn } from '../../../testing/shown.tsx';
import { ParticipantsScreen } from '../../attempts/list/participants-screen.tsx';
import { DashboardScreen } from '../../dashboard/dashboard-screen.tsx';
import { Permitted } from '../../parts/permitted.tsx';
import { PeopleScreen } from '../../people/roster/people-screen.tsx';
import { PersonScreen } from '../../people/roster/person-screen.tsx';
import { BankScreen } from '../../questions/bank/bank-screen.tsx';
import { QuizScreen } from '../../quiz-screen.tsx';
import { QuizzesScreen } from '../../quizzes-screen.tsx';
import { AccountScreen } from '../account/account-screen.tsx';
import { CategoriesScreen } from '../categories-screen.tsx';
import { SettingsScreen } from '../settings/settings-screen.tsx';

const AT = '2026-05-04T09:00:00Z';
const COUNTS = Object.fromEntries(['all', ...INVITATION_STATES].map((state) => [state, 1]));
const STATS = {
  ...{ totalQuizzes: 1, totalParticipants: 1, activeQuizzes: 1, averageScore: 50 },
  ...{ recentActivity: [], topScorers: [], endingSoon: [], codesEnding: [] },
  timeZone: 'Pacific/Auckland',
};
const BODIES: Partial<Record<keyof typeof ENDPOINTS, unknown>> = {
  listQuizzes: [{ ...QUIZ, endDate: '2099-05-14T04:00:00Z' }],
  getQuiz: { ...QUIZ, endDate: '2099-05-14T04:00:00Z' },
  listCategories: [{ id: 'c', name: 'Engineering', description: null, createdAt: AT }],
  countInvitations: COUNTS,
  getQuizActivity: { activity: [], timeZone: 'UTC' },
  getStats: STATS,
  getStatsCharts: { histogram: Array(10).fill(1), completions: [], timeZone: 'UTC' },
  getSmtpSettings: null,
  getMailProblems: { quizzes: [], other: 0, delayed: 0 },
  getStructure: {
    ...{ structure: null, negativeMarks: null },
    check: { qualified: [], problems: [] },
  },
  checkInviting: {
    ...{ signInUrl: 'https://exams.example.org', drafts: 0, isMailTested: true },
    ...{ opensAt: null, completeBy: 'Monday', timeZone: 'UTC' },
  },
  getPerson: PERSON,
  getTotp: { enabled: false, recoveryCodesLeft: 0, required: false },
};

/** A server that admits by the table of endpoints; what it has refused. */
function serverFor(grants: readonly Grant[]): string[] {
  const refused: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname } = new URL(url, location.href);
    const found = Object.entries(ENDPOINTS).find(([, each]) => isAt(each, method, pathname));
    if (found === undefined) throw new Error(`No endpoint ${method} ${pathname}`);
    if (!isAdmitted(found[1], grants)) {
      // A report that a candidate's test has left is sent from the same page: no screen of the portal sends one.
      if (permissionsOf(found[1]).length > 0) refused.push(`${method} ${pathname}`);
      return refusal(403, 'FORBIDDEN');
    }
    const body = Object.entries(BODIES).find(([name]) => name === found[0]);
    return Response.json(body === undefined ? [] : body[1]);
  });
  return refused;
}

const isAt = (endpoint: Endpoint, method: string, path: string) =>
  endpoint.method === method &&
  new RegExp(`^${endpoint.path.replace(/:\w+/g, '[^/]+')}$`).test(path);

const isAdmitted = (endpoint: Endpoint, grants: readonly Grant[]) =>
  permissionsOf(endpoint).some((one) => {
    const parts = partsOf(one);
    if (parts === null) return true;
    if (parts.on === 'anywhere') return !isNowhere(reachOf(grants, parts.permission));
    const place = parts.on === 'installation' ? {} : { quizId: 'q', categoryId: 'c' };
    return may(grants, parts.permission, place);
  });

const SCREENS = (
  <Routes>
    <Route path="/dashboard" element={<DashboardScreen />} />
    <Route path="/quizzes" element={<QuizzesScreen />} />
    <Route path="/quizzes/:id/:tab?" element={<QuizScreen />} />
    <Route path="/account" element={<AccountScreen />} />
    <Route element={<Permitted page="questions" />}>
      <Route path="/questions" element={<BankScreen />} />
    </Route>
    <Route element={<Permitted page="participants" />}>
      <Route path="/participants" element={<ParticipantsScreen />} />
    </Route>
    <Route element={<Permitted page="people" />}>
      <Route path="/people" element={<PeopleScreen />} />
      <Route path="/people/:id" element={<PersonScreen />} />
    </Route>
    <Route element={<Permitted page="categories" />}>
      <Route path="/categories" element={<CategoriesScreen />} />
    </Route>
    <Route element={<Permitted page="settings" />}>
      <Route path="/settings/:tab?" element={<SettingsScreen />} />
    </Route>
  </Routes>
);
const TABS = ['', '/questions', '/candidates', '/results', '/settings', '/team'];
const PATHS = [
  ...TABS.map((tab) => `/quizzes/q${tab}`),
  ...['/dashboard', '/quizzes', '/account', '/questions', '/participants', '/categories'],
  ...['/people', '/people/u', '/settings/outbox'],
];

async function wordsAt(at: string, grants: readonly Grant[]): Promise<string> {
  const client = createQueryClient();
  const account = { ...ADMIN, grants: [...grants] };
  const { container, unmount } = await show(SCREENS, { account, client, at });
  await expect.poll(() => client.isFetching()).toBe(0);
  const words = wordsIn(container);
  await unmount();
  return words;
}

test.each(
  ROLES.flatMap(
    (role) =>
      [
        [role, {}],
        [role, { quizId: 'q' }],
      ] as const,
  ),
)('no screen asks for what the server refuses an %s with %j', async (role, place) => {
  const grants = [{ role, ...place }];
  const refused = serverFor(grants);
  for (const path of PATHS) await wordsAt(path, grants);
  expect(refused).toEqual([]);
});

test.each<[Role, string, string]>([
  ['owner', 'Overview Questions Candidates Results Settings Team', 'Watch live'],
  ['author', 'Overview Questions Settings', ''],
  ['invigilator', 'Overview Candidates', 'Watch live'],
  ['reviewer', 'Overview Candidates Results', 'Review 1'],
  ['blind_reviewer', 'Overview Results', ''],
  ['analyst', 'Overview Results', ''],
  ['support', 'Overview Candidates', 'Check and invite'],
])('the tabs and the next step of an %s', async (role, tabs, step) => {
  const grants = [{ role, quizId: 'q' }];
  serverFor(grants);
  const account = { ...ADMIN, grants };
  const { container } = await show(SCREENS, { account, at: '/quizzes/q' });
  const nav = page.getByRole('navigation', { name: QUIZ.title });
  await expect.element(nav).toBeVisible();
  expect(wordsIn(nav)).toBe(tabs);
  const steps = /Engineering (Watch live|Review 1|Check and invite|Download report)/;
  await expect.poll(() => steps.exec(wordsIn(container))?.[1] ?? '').toBe(step);
});

test.each(ROLES)('the overview has the zone of the institution for an %s', async (role) => {
  const grants = [{ role, quizId: 'q' }];
  serverFor(grants);
  expect(await wordsAt('/quizzes/q', grants)).toMatch(
    /End date Thursday,? 14 May at 16:00 \(Pacific\/Auckland\)/,
  );
});

test('a tab of others says whose it is', async () => {
  const grants: Grant[] = [{ role: 'reviewer', quizId: 'q' }];
  serverFor(grants);
  expect(await wordsAt('/quizzes/q/settings', grants)).toContain(
    'Only owners and authors may change the settings. An owner can give you a role.',
  );
});
