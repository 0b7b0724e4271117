import type { Page } from '@playwright/test';
import type { AdminClient } from './admin-client.ts';
import { Candidate } from './candidate.ts';
import { Observer } from './observer.ts';

/** A candidate of a new assessment, signed in. */
export async function signedIn(page: Page, admin: AdminClient, title: string, settings = {}) {
  const quiz = await admin.quiz(title, settings);
  const name = title.toLowerCase().replace(/\W+/g, '-');
  const candidate = new Candidate(page, await admin.inviteOne(quiz, `${name}@example.org`));
  await candidate.signIn();
  return { candidate, quiz };
}

/** The same in the test, and the observer of the acknowledgements. */
export async function startAttempt(
  page: Page,
  /** A function where another signs in later. */
  admin: AdminClient | (() => AdminClient),
  title: string,
  settings = {},
) {
  const adminClient = typeof admin === 'function' ? admin() : admin;
  const { candidate, quiz } = await signedIn(page, adminClient, title, settings);
  const observer = new Observer(admin, quiz);
  observer.watch(page);
  await candidate.begin();
  return { candidate, observer, quiz };
}
