import type { Page } from '@playwright/test';
import type { AdminByHttp } from './admin-by-http.ts';
import { Candidate } from './candidate.ts';
import { Witness } from './witness.ts';

/** Someone in the middle of an assessment of their own, and who sees what is acknowledged. */
export async function seat(page: Page, desk: AdminByHttp, title: string, settings = {}) {
  const quiz = await desk.quiz(title, settings);
  const name = title.toLowerCase().replaceAll(' ', '-');
  const [guest] = await desk.invite(quiz, `${name}@example.org`);
  if (guest === undefined) throw new Error('one was invited');
  const candidate = new Candidate(page, guest);
  const witness = new Witness(desk, quiz);
  witness.watch(page);
  await candidate.signIn();
  await candidate.begin();
  return { candidate, witness };
}
