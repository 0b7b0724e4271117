import { readFileSync } from 'node:fs';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { HttpPerson } from '@invigil/testkit/running-server';
import { AdminClient } from './support/admin-client.ts';
import { toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'results' });

/** The keys of five questions, the first of which is wrong: everyone who knows the others selects b. */
const KEYS = ['a', 'a', 'a', 'a', 'a'];
const PEOPLE = 32;

test('a wrong key is found in the statistics, corrected, and the results released; a candidate reads one on a phone', {
  tag: '@long',
}, async ({ page, visitor, testServer }) => {
  const admin = await AdminClient.signIn(testServer.url);
  const quiz = await admin.quiz('Chemistry', {}, []);
  for (const [i, key] of KEYS.entries()) {
    const definition = plainDefinition(`Question ${i + 1}`, ['a', 'b', 'c'], key);
    await admin.call('addToBank', { body: { definition, quizId: quiz.id } });
  }
  const codes: { email: string; code: string }[] = [];
  for (let n = 0; n < PEOPLE; n += 1) {
    const [guest] = await admin.invite(quiz, `student${n}@example.org`);
    if (guest) codes.push(guest);
    const person = new HttpPerson(testServer.url);
    await person.signIn(guest?.email ?? '', guest?.code ?? '');
    const { body: attempt } = await person.call('startParticipant', { body: {} });
    const { body: paper } = await person.call('listQuestions', {
      params: { id: quiz.id },
      query: { forAssessment: 'true' },
    });
    const answers = paper.map(({ id, question }: { id: string; question: string }) => {
      const number = Number(question.at(-1));
      const knows = n >= number * 5;
      const selectedOption = number === 1 ? (n >= 12 ? 'b' : 'a') : knows ? 'a' : 'c';
      return { questionId: id, selectedOption, isFlagged: false, revision: 1 };
    });
    const params = { id: attempt.id };
    await person.call('submitParticipant', { params, body: { answers } });
  }

  await signInAsAdmin(page);
  await page.goto(`/admin/quizzes/${quiz.id}/results`);
  await page.getByRole('button', { name: 'Set pass mark and grades' }).click();
  const rules = page.getByRole('dialog');
  await rules.getByRole('combobox', { name: 'Pass mark' }).click();
  await page.getByRole('option', { name: 'In percent' }).click();
  await rules.getByLabel('Percent', { exact: true }).fill('60');
  await rules.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Pass mark: 60 %.')).toBeVisible();

  const row = page.getByRole('row', { name: /Question 1 .*The key may be wrong/ });
  await expect(row).toBeVisible();
  const figures = page.getByRole('list', { name: 'Results' });
  const before = (await figures.textContent()) ?? '';
  await row.getByRole('button', { name: /^Details/ }).click();
  await page.getByRole('button', { name: 'Correct how it counts' }).click();
  const correction = page.getByRole('dialog', { name: 'Rescore' });
  await correction.getByRole('combobox', { name: 'How it counts' }).click();
  await page.getByRole('option', { name: 'Accept another answer' }).click();
  await correction.getByRole('checkbox', { name: 'b', exact: true }).click();
  await expect(correction.getByText(/would now pass/)).toBeVisible();
  await correction.getByRole('button', { name: `Rescore ${PEOPLE} candidates` }).click();
  await expect(toastOn(page)).toContainText(`${PEOPLE} candidates rescored`);

  await expect(figures).not.toHaveText(before);
  await page.getByRole('button', { name: 'Set up the release' }).click();
  const release = page.getByRole('dialog', { name: 'Release of results' });
  await release.getByLabel('Their own answers').click();
  await release.getByLabel('Right answers, and with points what each question earned').click();
  await release.getByRole('combobox', { name: 'Answers and explanations' }).click();
  await page.getByRole('option', { name: 'With the result' }).click();
  await release.getByLabel('A certificate, for those who passed').click();
  await release.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Release now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText(`${PEOPLE} released`, { exact: true })).toBeVisible();

  const best = codes.at(-1);
  const phone = await visitor({ viewport: { width: 390, height: 844 } });
  await phone.request.post(`${testServer.url}/api/auth/login`, {
    data: { email: best?.email, password: best?.code },
  });
  await phone.goto('/');
  await expect(phone).toHaveURL(/\/quiz\/result$/);
  await expect(phone.getByText('Passed', { exact: true })).toBeVisible();
  await expect(phone.getByText('5 of 5')).toBeVisible();
  await expect(phone.getByText('More than one answer is accepted here.')).toBeVisible();
  const width = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);

  const opened = phone.waitForEvent('popup');
  await phone.getByRole('link', { name: 'Open certificate' }).click();
  const certificate = await opened;
  await expect(certificate.getByText('This certificate is valid.')).toBeVisible();
  await expect(certificate.getByRole('article', { name: 'Certificate' })).toContainText(
    `${best?.email}has passed the assessmentChemistry`,
  );
  const downloaded = certificate.waitForEvent('download');
  await certificate.getByRole('button', { name: 'Download PDF' }).click();
  const file = readFileSync(await (await downloaded).path(), 'latin1');
  expect(file).toMatch(/^%PDF-[\s\S]*\/FontFile2/);

  const [attempt] = (
    await admin.call('listParticipants', { query: { quizId: quiz.id, search: best?.email ?? '' } })
  ).body;
  await page.goto(`/admin/participants/${attempt?.id}`);
  await page.getByRole('button', { name: 'Revoke certificate' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(toastOn(page)).toContainText('Certificate revoked');
  await certificate.getByRole('button', { name: 'Check certificate' }).click();
  await expect(certificate.getByText('This certificate was revoked.')).toBeVisible();
  await expect(certificate.getByRole('button', { name: 'Download PDF' })).toBeHidden();
});
