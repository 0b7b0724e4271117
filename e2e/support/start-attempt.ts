import type { Page } from '@playwright/test';
import type { AdminClient } from './admin-client.ts';
import { Candidate } from './candidate.ts';
import { Observer } from './observer.ts';

/** A candidate in a new assessment, and the observer of the acknowledgements. */
export async function startAttempt(
  page: Page,
  /** A function where another signs in later. */
  admin: AdminClient | (() => AdminClient),
  title: string,
  settings = {},
) {
  const adminClient = typeof admin === 'function' ? admin() : admin;
  const quiz = await adminClient.quiz(title, settings);
  const name = title.toLowerCase().replaceAll(' ', '-');
  const candidate = new Candidate(page, await adminClient.inviteOne(quiz, `${name}@example.org`));
  const observer = new Observer(admin, quiz);
  observer.watch(page);
  await candidate.signIn();
  await candidate.begin();
  return { candidate, observer };
}
