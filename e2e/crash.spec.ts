import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { AdminClient } from './support/admin-client.ts';
import { Candidate } from './support/candidate.ts';
import { codeIsHere } from './support/code-is-here.ts';
import { expect, test } from './support/e2e-test.ts';
import { holdSignOut, readLastPage } from './support/last-page.ts';
import { Observer } from './support/observer.ts';
import { startAttempt } from './support/start-attempt.ts';

/* Processes on either side are killed without notice. */

test.use({ database: 'crash' });

test('server and database are killed mid-test: no acknowledged answer is lost, the rest is sent later', {
  tag: '@long',
}, async ({ page, testServer, adminClient, consoles }) => {
  consoles.expect(/net::ERR_/, /status of 5\d\d/);
  let office = adminClient;
  const { candidate, observer } = await startAttempt(page, () => office, 'Power cut');
  await observer.select(candidate, 1, 1);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await observer.select(candidate, 2, 2);
  await testServer.crash();

  await observer.select(candidate, 3, 0);
  await expect(candidate.saved).toHaveText(/^Offline: [12] changes? waiting$/);
  await expect(page).toHaveURL('/quiz/assessment');

  await testServer.restart();
  office = await AdminClient.signIn(testServer.url);
  await observer.savedIsTrue(candidate);
  await observer.nothingIsLost();
  expect(await factsAfterSubmit(page)).toMatchObject({ 'Questions Answered': '3 of 5' });
});

test('a reload while the server is away continues the test, with answers, time and images', async ({
  page,
  testServer,
  adminClient,
  consoles,
}) => {
  consoles.expect(/net::ERR_/, /status of 5\d\d/);
  let office = adminClient;
  const { candidate, observer } = await startAttempt(page, () => office, 'Reload without a server');
  await observer.select(candidate, 1, 1);
  await observer.select(candidate, 2, 2);
  await observer.savedIsTrue(candidate);
  await codeIsHere(page);
  await expect.poll(() => hasCopyOf(page, '/quiz/assessment')).toBe(true);
  await testServer.crash();
  await observer.select(candidate, 3, 0);
  await expect(candidate.saved).toHaveText('Offline: 1 change waiting');

  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await candidate.seesQuestions();
  await expect(page.getByRole('timer')).toHaveText(/^2[34]:\d\d$/);
  for (const number of [1, 2, 3]) {
    await candidate.go(number);
    const selected = observer.selected.get(await candidate.questionText()) ?? '';
    await expect(candidate.option(selected)).toBeChecked();
  }
  await observer.select(candidate, 1, 0);
  await observer.select(candidate, 4, 1);
  await expect(candidate.saved).toHaveText('Offline: 3 changes waiting');

  await testServer.restart();
  office = await AdminClient.signIn(testServer.url);
  await observer.savedIsTrue(candidate);
  await observer.nothingIsLost();
  expect(await factsAfterSubmit(page)).toMatchObject({ 'Questions Answered': '4 of 5' });
  // Nothing of the attempt stays on this device.
  await expect.poll(() => page.evaluate(() => caches.keys())).toEqual([]);
  expect(
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
  ).toBe(0);
});

test('a reload continues the test although the server went away in its first second', async ({
  page,
  testServer,
  adminClient,
  consoles,
}) => {
  consoles.expect(/net::ERR_/, /status of 5\d\d/);
  const quiz = await adminClient.quiz('Gone at once');
  const candidate = new Candidate(page, await adminClient.inviteOne(quiz, 'gone@example.org'));
  await candidate.signIn();
  await candidate.consent();
  // The page is kept while the candidate waits there; after the start only the paper and the time are.
  await expect.poll(() => hasCopyOf(page, '/quiz/assessment')).toBe(true);
  await page.getByRole('button', { name: 'Start Assessment' }).click();
  await candidate.seesQuestions();
  await expect.poll(() => hasCopyOf(page, '/api/participants')).toBe(true);
  await testServer.crash();
  await page.reload();
  await page.getByRole('button', { name: 'Return to fullscreen' }).click();
  await candidate.seesQuestions();
  await testServer.restart();
});

async function factsAfterSubmit(page: Page) {
  await page.getByRole('button', { name: 'Review & Submit' }).click();
  await page.getByRole('button', { name: 'Submit Final Assessment' }).click();
  await holdSignOut(page);
  await page.getByRole('button', { name: 'Skip Feedback' }).click();
  return (await readLastPage(page, 'Assessment Completed!')).facts;
}

/** Whether the page keeps a copy for a reload. */
function hasCopyOf(page: Page, path: string): Promise<boolean> {
  return page.evaluate(async (name) => (await caches.match(name)) !== undefined, path);
}

test.describe('the browser is killed', { tag: '@long' }, () => {
  let profile: string;
  test.beforeEach(() => {
    profile = mkdtempSync(join(tmpdir(), 'invigil-profile-'));
  });
  test.afterEach(() => rmSync(profile, { recursive: true, force: true }));

  test('and the attempt continues with its profile, then with a new one', async ({
    launchOptions,
    viewport,
    testServer,
    consoles,
  }) => {
    // Three browsers, one after the other.
    consoles.expect(/net::ERR_INTERNET_DISCONNECTED/);
    const adminClient = await AdminClient.signIn(testServer.url);
    const quiz = await adminClient.quiz('Killed');
    const guest = await adminClient.inviteOne(quiz, 'killed@example.org');
    const observer = new Observer(adminClient, quiz);
    const start = async (userDataDir: string) => {
      const options = { ...launchOptions, viewport, baseURL: testServer.url, locale: 'en-GB' };
      const context = await chromium.launchPersistentContext(userDataDir, options);
      await consoles.watch(context);
      const candidate = new Candidate(await context.newPage(), guest);
      observer.watch(candidate.page);
      // A browser that had time to store its cookies is still signed in after the kill.
      await candidate.page.goto('/login');
      const form = candidate.page.getByLabel('Email address');
      const start = candidate.page.getByRole('button', { name: 'Start Assessment' });
      await expect(form.or(start).or(candidate.goOn)).toBeVisible();
      if (await form.isVisible()) await candidate.signIn();
      return { context, candidate };
    };

    const first = await start(profile);
    await first.candidate.begin();
    await observer.select(first.candidate, 1, 1);
    await observer.savedIsTrue(first.candidate);
    const saved = new Map(observer.selected);
    await codeIsHere(first.candidate.page);
    await first.context.setOffline(true);
    await observer.select(first.candidate, 2, 2);
    await observer.waitingIsTrue(first.candidate, 1);
    await kill(first.context, profile);
    expect(await observer.stored()).toEqual(saved);

    // Changes that were queued on the device are sent once its owner has signed in again.
    const again = await start(profile);
    await again.candidate.begin();
    await observer.savedIsTrue(again.candidate);
    await observer.select(again.candidate, 3, 0);
    await observer.savedIsTrue(again.candidate);
    await kill(again.context, profile);

    const fresh = mkdtempSync(join(tmpdir(), 'invigil-profile-'));
    const other = await start(fresh);
    await other.candidate.begin();
    for (const number of [1, 2, 3]) {
      await other.candidate.go(number);
      const selected = observer.selected.get(await other.candidate.questionText()) ?? '';
      await expect(other.candidate.option(selected)).toBeChecked();
    }
    await observer.nothingIsLost();
    await other.context.close();
    rmSync(fresh, { recursive: true, force: true });
  });
});

/** SIGKILL to every process of the browser with this profile, and to no other. */
async function kill(context: BrowserContext, profile: string): Promise<void> {
  const closed = context.waitForEvent('close');
  const own = readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--user-data-dir=${profile}`);
    } catch {
      return false;
    }
  });
  expect(own.length).toBeGreaterThan(0);
  for (const pid of own) {
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended with its parent.
    }
  }
  await closed;
}
