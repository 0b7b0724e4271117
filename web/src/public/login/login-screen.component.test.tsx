import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { forgetEnded, keepEnded } from '../../lib/person/ended-attempt.ts';
import { CANDIDATE, refusal } from '../../testing/fixtures.ts';
import { show, showWithToasts, wordsIn, wordsOf } from '../../testing/shown.tsx';
import { LoginScreen } from './login-screen.tsx';

let container: HTMLElement;
const code = () => container.querySelector('output')?.textContent ?? '';

beforeEach(async () => {
  ({ container } = await showWithToasts(<LoginScreen />));
});

test('shows title, subtitle, note and button', async () => {
  await expect
    .element(page.getByRole('heading', { level: 1, name: 'Assessment Login', exact: true }))
    .toBeVisible();
  const words = wordsIn(container);
  expect(words).toContain('Assessment Login Sign in to your account');
  expect(words).toContain('Use the one-time password provided in your email invitation.');
  expect(words).toMatch(
    /Sign In Administrators sign in here too, with their own password\. Forgot or lost your password\? Check your device$/,
  );
});

test('names the institution that the server wrote into the page', async () => {
  const named = document.createElement('meta');
  named.name = 'institution';
  named.content = 'St. Jude’s College';
  document.head.append(named);
  onTestFinished(() => named.remove());
  expect(wordsIn(container)).not.toContain(named.content);
  const again = await show(<LoginScreen />);
  expect(wordsIn(again.container)).toContain(`${named.content} Assessment Login`);
});

test('has an email field, a password toggle, and a captcha with code, refresh and input', async () => {
  const email = page.getByRole('textbox', { name: /email/i });
  await expect.element(email).toHaveAttribute('type', 'email');
  const password = page.getByLabelText('Password', { exact: true });
  await expect.element(password).toHaveAttribute('type', 'password');
  await password.fill('K7QM2');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect.element(password).toHaveAttribute('type', 'text');
  await expect.element(password).toHaveValue('K7QM2');
  const captcha = page.getByRole('textbox', { name: /captcha/i });
  await expect.element(captcha).toHaveAttribute('type', 'text');
  for (const field of [email, password, captcha]) await expect.element(field).toBeRequired();

  const before = code();
  expect(before).toMatch(/^[A-HJ-NP-Z2-9]{5}$/);
  await page.getByRole('button', { name: 'New captcha code' }).click();
  await expect.poll(code).not.toBe(before);
  expect(code()).toMatch(/^[A-HJ-NP-Z2-9]{5}$/);
});

async function typeIn(captcha: string) {
  await page.getByRole('textbox', { name: /email/i }).fill('a.rahman@example.org');
  await page.getByLabelText('Password', { exact: true }).fill('K7QM2');
  await page.getByRole('textbox', { name: /captcha/i }).fill(captcha);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
}

test('sends nothing after a wrong captcha, replaces it and clears the input', async () => {
  const fetched = vi.fn();
  vi.stubGlobal('fetch', fetched);
  const before = code();
  await typeIn('00000');
  const toast = page.getByRole('alert');
  await expect.element(toast.getByText('Invalid Captcha')).toBeVisible();
  await expect.element(toast.getByText('Please enter the correct captcha')).toBeVisible();
  const field = page.getByRole('textbox', { name: /captcha/i });
  await expect.element(field).toHaveValue('');
  await expect.element(field).toHaveFocus();
  expect(code()).not.toBe(before);
  expect(fetched).not.toHaveBeenCalled();
});

test('shows progress on the button and the reason of a refusal', async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  const fetched = vi.fn((..._call: Parameters<typeof fetch>) => promise);
  vi.stubGlobal('fetch', fetched);
  await typeIn(code());
  await expect.element(page.getByRole('button', { name: 'Signing in...' })).toBeVisible();
  expect(fetched).toHaveBeenCalledOnce();
  resolve(refusal(401, 'INVALID_CREDENTIALS', { message: 'Invalid credentials' }));
  const toast = page.getByRole('alert');
  await expect.element(toast.getByText('Login failed')).toBeVisible();
  await expect.element(toast.getByText('Invalid credentials')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
  const field = page.getByLabelText('Password', { exact: true });
  await expect.element(field).toHaveFocus();
  await expect
    .element(field)
    .toHaveAccessibleDescription(/15 letters and digits.*no letters I or O/);
});

test('says at the field that a newer one-time password was sent', async () => {
  const message = 'A newer one-time password was sent to you';
  vi.stubGlobal('fetch', async () => refusal(401, 'CODE_REPLACED', { message }));
  await typeIn(code());
  const field = page.getByLabelText('Password', { exact: true });
  await expect.element(field).toHaveAccessibleDescription(message);
  await expect.element(field).toHaveFocus();
});

test('shows the attempt that has just ended here for ten minutes, until someone signs in', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    forgetEnded();
  });
  keepEnded({
    participantId: 'p',
    title: 'Safety',
    submittedAt: '2026-05-14T09:37:05.000Z',
    summary: {
      status: 'completed',
      timeSpent: 125,
      answeredCount: 2,
      totalQuestions: 3,
      violationCount: 0,
      submissionType: 'manual',
    },
    receipt: { id: 'ABCDE-FGHJK', signed: 'a.b' },
    ending: null,
    detected: [],
    notes: { token: 't', until: '2026-05-14T09:47:05.000Z' },
  });
  const { container } = await show(<LoginScreen />);
  expect(wordsIn(container)).toMatch(
    /“Safety” is submitted \d\d:\d\d, receipt ABCDE-FGHJK Show the receipt/,
  );
  expect(wordsIn(container)).not.toContain('add a note');
  vi.advanceTimersByTime(600_000);
  await expect.poll(() => wordsIn(container)).not.toContain('Safety');
});

test.each([
  ['completed', 'manual', 'is submitted', 'Show the receipt'],
  ['completed', 'auto', 'is submitted', 'Show the receipt'],
  ['completed', 'database', 'was ended by the administrator', 'Reason, receipt and notes'],
  ['dismissed', 'dismissed', 'was ended under its rules', 'Reason, receipt and notes'],
] as const)('says how an attempt ended: %s, %s', async (status, submissionType, became, button) => {
  onTestFinished(forgetEnded);
  const figures = { timeSpent: 125, answeredCount: 2, totalQuestions: 3, violationCount: 0 };
  keepEnded({
    ...{ participantId: 'p', title: 'Safety', submittedAt: '2026-05-14T09:37:05.000Z' },
    summary: { status, submissionType, ...figures },
    receipt: { id: 'ABCDE-FGHJK', signed: 'a.b' },
    ...{ ending: null, detected: [], notes: null },
  });
  const words = await wordsOf(<LoginScreen />);
  expect(words).toContain(`“Safety” ${became} `);
  expect(words).toContain(`receipt ABCDE-FGHJK ${button}`);
});

test('says that cookies are refused, after one look, instead of asking again and again', async () => {
  const fetched = vi.fn(async (url: Parameters<typeof fetch>[0]) =>
    String(url).endsWith('/login') ? Response.json(CANDIDATE) : refusal(401, 'NOT_SIGNED_IN'),
  );
  vi.stubGlobal('fetch', fetched);
  await typeIn(code());
  await expect
    .element(page.getByText('This browser does not keep cookies for this site'))
    .toBeVisible();
  await expect.element(page.getByText(/your password is still valid/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Sign In', exact: true })).toBeEnabled();
  expect(fetched).toHaveBeenCalledTimes(2);
});

test('without a response says so, and signs in by itself once the server answers', async () => {
  let isUp = false;
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    if (!isUp) throw new TypeError('Failed to fetch');
    return Response.json(CANDIDATE);
  });
  await typeIn(code());
  await expect
    .element(page.getByText(/^This page keeps trying, and signs you in once/))
    .toBeVisible();
  expect(container.querySelectorAll('input').length).toBe(3);
  window.dispatchEvent(new Event('online'));
  await expect.poll(() => asked.length).toBe(2);
  await expect.element(page.getByText(/^This page keeps trying/)).toBeVisible();
  isUp = true;
  window.dispatchEvent(new Event('online'));
  await expect.element(page.getByText('Login successful')).toBeVisible();
  expect(page.getByText(/^This page keeps trying/).elements()).toHaveLength(0);
});

test('no longer tries by itself once something else is typed', async () => {
  const fetched = vi.fn(async () => {
    throw new TypeError('Failed to fetch');
  });
  vi.stubGlobal('fetch', fetched);
  await typeIn(code());
  const notice = page.getByText(/^This page keeps trying/);
  await expect.element(notice).toBeVisible();
  await page.getByLabelText('Password', { exact: true }).fill('ABCDE');
  await expect.element(notice).not.toBeInTheDocument();
  window.dispatchEvent(new Event('online'));
  expect(fetched).toHaveBeenCalledTimes(1);
});
