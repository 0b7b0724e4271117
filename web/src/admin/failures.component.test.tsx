import type { ComponentType } from 'react';
import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { QUIZ } from '../testing/fixtures.ts';
import { show } from '../testing/shown.tsx';
import { QuizzesScreen } from './assessments/list/quizzes-screen.tsx';
import { CategoriesScreen } from './categories/categories-screen.tsx';
import { DashboardScreen } from './dashboard/dashboard-screen.tsx';
import { NO_INVITATIONS_FILTER } from './invitations/invitations-api.ts';
import { InvitationsList } from './invitations/page/invitations-list.tsx';
import { NO_FILTER } from './participants/participants-filter.ts';
import { DownloadReport, ParticipantsScreen } from './participants/participants-screen.tsx';
import { AdminsCard } from './settings/administrators/admins-card.tsx';
import { AuditCard } from './settings/audit-log/audit-card.tsx';
import { RetentionCard } from './settings/retention-card.tsx';
import { SystemCard } from './settings/system-card.tsx';
import { TotpCard } from './settings/two-step/totp-card.tsx';

const nothing = () => undefined;
const Invitations = () => (
  <InvitationsList
    quizId={QUIZ.id}
    filter={NO_INVITATIONS_FILTER}
    isDelivering={false}
    selected={new Set()}
    selectingAll={false}
    onChange={nothing}
    onSelect={nothing}
    onSelectAll={nothing}
    onClear={nothing}
    onAction={nothing}
    onAccommodate={nothing}
  />
);

test.each<[string, string, ComponentType, unknown]>([
  ['Failed to load Assessments', '/api/quizzes', QuizzesScreen, []],
  ['Failed to load categories', '/api/categories', CategoriesScreen, []],
  ['Failed to load the dashboard', '/api/stats', DashboardScreen, null],
  ['Failed to load participants', '/api/participants', ParticipantsScreen, []],
  ['Failed to load invitations', '/invitations', Invitations, []],
  ['Failed to load administrators', '/api/admins', AdminsCard, []],
  ['Failed to load the audit log', '/api/audit', AuditCard, []],
  ['Failed to load the retention period', '/retention', RetentionCard, { days: 30 }],
  ['Failed to load system information', '/api/system', SystemCard, null],
  ['Failed to load two-step sign-in', '/totp', TotpCard, null],
])(
  '%s: the screen says why, and one click reads it again',
  async (title, path, Screen, content) => {
    let asked = 0;
    let isAway = true;
    vi.stubGlobal('fetch', async (url: string) => {
      if (!new URL(url, location.href).pathname.endsWith(path)) return Response.json([]);
      asked += 1;
      return isAway ? new Response('Out of paper', { status: 500 }) : Response.json(content);
    });
    await show(<Screen />);
    const notice = page.getByRole('alert').filter({ hasText: title });
    await expect.element(notice.getByText('Out of paper')).toBeVisible();
    const before = asked;
    isAway = false;
    await notice.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => asked).toBe(before + 1);
    if (content !== null) await expect.element(notice).not.toBeInTheDocument();
  },
);

test('a report that fails is announced in the browser’s own alert', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  vi.spyOn(console, 'warn').mockReturnValue();
  const alert = vi.spyOn(window, 'alert').mockReturnValue();
  await show(<DownloadReport filter={NO_FILTER} />);
  const button = page.getByRole('button', { name: 'Download report' });
  await button.click();
  await expect
    .poll(() => alert.mock.lastCall)
    .toEqual(['Failed to download report. Please try again.']);
  await expect.element(button).not.toHaveAttribute('aria-disabled');
});
