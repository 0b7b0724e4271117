import { setTimeout as pause } from 'node:timers/promises';
import { HttpPerson } from '@invigil/testkit/running-server';
import type { AdminClient } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { ANDROID } from './support/phones.ts';
import { PlainBrowser } from './support/plain-browser.ts';
import { PAGE_ONLY } from './support/policies.ts';

let browser: PlainBrowser;

test.beforeEach(async () => {
  browser = await PlainBrowser.open();
});
test.afterEach(() => browser.close());

const text = () => browser.evaluate('document.body.innerText').then(String);
const path = () => browser.evaluate('location.pathname').then(String);

/** The monitoring code is loaded after the questions. */
const HAS_INVIGILATION =
  'performance.getEntriesByType("resource").some(({ name }) => name.includes("/monitoring-"))';

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
  const name = `hidden-${tabHidden}${phone === undefined ? '' : '-phone'}`;
  const guest = await adminClient.inviteOne(quiz, `${name}@example.org`);
  const person = new HttpPerson(url, phone);
  await person.signIn(guest.email, guest.code);
  const { body } = await person.call('startParticipant', { body: { quizId: quiz.id } });
  await browser.visit(`${url}/quiz/assessment`, person.cookie, phone);
  await expect.poll(text).toContain('Question 1 of 5');
  await expect.poll(() => browser.evaluate(HAS_INVIGILATION)).toBe(true);
  await pause(3_000);
  return String(body.id);
}

async function hideFor(ms: number): Promise<void> {
  const tab = await browser.newTab();
  await expect.poll(() => browser.evaluate('document.visibilityState')).toBe('hidden');
  await pause(ms);
  await browser.closeTab(tab);
  await expect.poll(() => browser.evaluate('document.visibilityState')).toBe('visible');
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
  const tab = await browser.newTab();
  // Without returning to the page.
  await expect
    .poll(async () => (await adminClient.must('getParticipant', { params: { id } })).status)
    .toBe('dismissed');
  await browser.closeTab(tab);
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
  expect(await browser.evaluate('document.querySelector("[role=alertdialog]") === null')).toBe(
    true,
  );
  const record = await adminClient.record(id);
  expect(record.participant).toMatchObject({ status: 'in_progress', violationCount: 0 });
  expect(record.violations).toMatchObject([{ type: 'tab_hidden' }]);
});
