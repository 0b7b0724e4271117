import { setTimeout as pause } from 'node:timers/promises';
import { HttpPerson } from '@invigil/testkit/running-server';
import { type Browser, launch, type Page } from 'puppeteer-core';
import type { AdminClient } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { ANDROID } from './support/phones.ts';
import { PAGE_ONLY } from './support/policies.ts';

let browser: Browser;
let page: Page;

/** Not Playwright's, which keeps every page "visible": here a new tab really hides the one behind it. */
test.beforeEach(async ({ launchOptions }) => {
  browser = await launch({
    executablePath: launchOptions.executablePath ?? '',
    args: (launchOptions.args ?? []).filter((arg) => !/fake|disable-features/.test(arg)),
    ignoreDefaultArgs: [
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
    ],
    defaultViewport: null,
  });
  page = await browser.newPage();
});
test.afterEach(() => browser?.close());

// biome-ignore lint/performance/useDomNodeTextContent: only what is shown
const text = () => page.evaluate(() => document.body.innerText);
const path = () => page.evaluate(() => location.pathname);
const visibility = () => page.evaluate(() => document.visibilityState);

/** The monitoring code is loaded after the questions. */
const hasInvigilation = () =>
  page.evaluate(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('/monitoring-')),
  );

/** A candidate in a test under the given policy, in a tab that can really be hidden. */
async function writing(
  adminClient: AdminClient,
  url: string,
  tabHidden: 'dismiss' | 'warn' | 'record',
  { phone, tabHiddenMs = PAGE_ONLY.tabHiddenMs }: { phone?: string; tabHiddenMs?: number } = {},
) {
  const policy = { ...PAGE_ONLY, fullscreen: false, tabHidden, tabHiddenMs };
  const title = `Hidden page: ${tabHidden}${phone === undefined ? '' : ' on a phone'}`;
  const quiz = await adminClient.quiz(title, { policy });
  const email = `hidden-${tabHidden}${phone === undefined ? '' : '-phone'}@example.org`;
  const guest = await adminClient.inviteOne(quiz, email);
  const person = new HttpPerson(url, phone);
  await person.signIn(guest.email, guest.code);
  const { body } = await person.call('startParticipant', { body: { quizId: quiz.id } });
  const [name = '', value = ''] = person.cookie.split('=', 2);
  await page.setCookie({ name, value, url, httpOnly: true });
  if (phone !== undefined) {
    const platform = { platform: 'Android', platformVersion: '15', architecture: '' };
    const userAgentMetadata = { ...platform, model: '', mobile: true };
    await page.setUserAgent({ userAgent: phone, userAgentMetadata });
  }
  await page.goto(`${url}/quiz/assessment`);
  await expect.poll(text).toContain('Question 1 of 5');
  await expect.poll(hasInvigilation).toBe(true);
  await pause(3_000);
  return String(body.id);
}

async function hideFor(ms: number): Promise<void> {
  const tab = await browser.newPage();
  await expect.poll(visibility).toBe('hidden');
  await pause(ms);
  await tab.close();
  await expect.poll(visibility).toBe('visible');
}

test('"dismiss": a page hidden for longer than the policy allows ends the attempt, a moment does not', {
  tag: '@long',
}, async ({ adminClient, testServer }) => {
  // Not the two seconds of Strict: a busy machine needs that long to open and close a tab.
  const id = await writing(adminClient, testServer.url, 'dismiss', { tabHiddenMs: 6_000 });
  await hideFor(300);
  await expect.poll(text).toContain('This page was hidden for a moment');
  await pause(10_000);
  expect(await path()).toBe('/quiz/assessment');
  const tab = await browser.newPage();
  // The attempt ends while the page is still hidden.
  await expect
    .poll(async () => (await adminClient.must('getParticipant', { params: { id } })).status)
    .toBe('dismissed');
  await tab.close();
});

test('"dismiss" on a phone, which shows no tabs: a hidden page counts as a fullscreen warning', {
  tag: '@long',
}, async ({ adminClient, testServer }) => {
  const id = await writing(adminClient, testServer.url, 'dismiss', { phone: ANDROID.userAgent });
  await hideFor(4_000);
  await expect.poll(text).toContain('4 more violations end your assessment');
  expect(await text()).toContain('1/5');
  const record = await adminClient.record(id);
  expect(record.participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
  expect(record).toMatchObject({ isPhone: true, tabSwitches: 1 });
});

test('"warn": a hidden page counts as a fullscreen warning', { tag: '@long' }, async ({
  adminClient,
  testServer,
}) => {
  const id = await writing(adminClient, testServer.url, 'warn');
  await hideFor(4_000);
  await expect.poll(text).toContain('4 more violations end your assessment');
  expect(await text()).toContain('1/5');
  expect(await adminClient.must('getParticipant', { params: { id } })).toMatchObject({
    status: 'in_progress',
  });
});

test('"record": a hidden page is recorded and not counted', { tag: '@long' }, async ({
  adminClient,
  testServer,
}) => {
  const id = await writing(adminClient, testServer.url, 'record');
  await hideFor(4_000);
  await expect.poll(text).toContain('This page was hidden');
  expect(await page.$('[role=alertdialog]')).toBeNull();
  const record = await adminClient.record(id);
  expect(record.participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
  expect(record.violations).toMatchObject([{ type: 'tab_hidden' }]);
});
