import type { Account } from '@invigil/core/contract/accounts/auth';
import { type ReactNode, useCallback, useState } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { Route } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { currentAttempt } from '../candidate/current-attempt.ts';
import { ExpiredScreen } from '../candidate/outcome/expired-screen.tsx';
import { ThankYouScreen } from '../candidate/outcome/thank-you-screen.tsx';
import { AttemptLayout } from '../candidate/test/attempt-layout.tsx';
import { SessionContext } from '../lib/person/session.tsx';
import { ADMIN, ATTEMPT, CANDIDATE, QUIZ, refusal, sessionOf } from '../testing/fixtures.ts';
import { show, wordsIn } from '../testing/shown.tsx';
import { AttemptOnly, ExpiredOnly, Home } from './guards.tsx';

const RUNNING: Account = { ...CANDIDATE, attempt: ATTEMPT };
const COMPLETED: Account = { ...CANDIDATE, attempt: { ...ATTEMPT, status: 'completed' } };
const EXPIRED = (
  <ExpiredOnly>
    <ExpiredScreen />
  </ExpiredOnly>
);

test.each<[string, Account | null, string | null]>([
  ['a visitor without a session', null, null],
  ['a candidate of a closed assessment', { ...CANDIDATE, quiz: { ...QUIZ, isOpen: false } }, null],
  ['a candidate before the start', CANDIDATE, '/quiz/instructions'],
  ['a running attempt', RUNNING, '/quiz/instructions'],
  ['a completed attempt', COMPLETED, '/quiz/thankyou'],
  ['an administrator', ADMIN, '/admin/dashboard'],
])('shows the expired page only to whom it applies: %s', async (_, account, to) => {
  const location = memoryLocation({ path: '/quiz/expired', record: true });
  const { container } = await show(EXPIRED, { account, location });
  expect(wordsIn(container).includes('Assessment Expired')).toBe(to === null);
  expect(location.history).toEqual([to ?? '/quiz/expired']);
});

test('ends no session while the server cannot say whether the page applies', async () => {
  const { container } = await show(EXPIRED, { session: { status: 'failed' } });
  expect(wordsIn(container)).toContain('The server cannot be reached');
  expect(wordsIn(container)).not.toContain('sign-in page');
});

/** A session that is another one when it is read again. */
function ReadAgain({
  as,
  onRead,
  children,
}: {
  as: Account;
  onRead(): Promise<void>;
  children: ReactNode;
}) {
  const [account, setAccount] = useState(RUNNING);
  const refresh = useCallback(async () => {
    await onRead();
    setAccount(as);
    return as;
  }, [as, onRead]);
  const session = { ...sessionOf(account), refresh, signedIn: setAccount };
  return <SessionContext value={session}>{children}</SessionContext>;
}

test('leads once to its own last page from an attempt that ended elsewhere', async () => {
  onTestFinished(() => {
    currentAttempt.close();
    localStorage.clear();
  });
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'POST' && url.endsWith('/api/participants')) {
      return refusal(403, 'ALREADY_COMPLETED');
    }
    return method === 'GET' ? Response.json([]) : new Promise(() => undefined);
  });
  const location = memoryLocation({ path: '/quiz/assessment', record: true });
  // Answered twice at most: a page that asked for ever would hang the browser.
  const onRead = vi.fn<() => Promise<void>>().mockReturnValue(new Promise(() => undefined));
  onRead.mockResolvedValueOnce().mockResolvedValueOnce();
  await show(
    <ReadAgain as={COMPLETED} onRead={onRead}>
      <Route path="/" component={Home} />
      <Route path="/quiz/assessment">
        <AttemptOnly>
          <AttemptLayout />
        </AttemptOnly>
      </Route>
      <Route path="/quiz/thankyou">
        <AttemptOnly>
          <ThankYouScreen />
        </AttemptOnly>
      </Route>
    </ReadAgain>,
    { location },
  );
  await expect
    .element(page.getByText('Your answers are on their way to the server.'))
    .toBeVisible();
  expect(location.history).toEqual(['/quiz/thankyou']);
  expect(onRead).toHaveBeenCalledOnce();
});
