import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { HttpPerson } from '@invigil/testkit/running-server';
import { AdminClient } from './support/admin-client.ts';
import { textFile, toastOn } from './support/controls.ts';
import { expect, test } from './support/e2e-test.ts';
import { mailServer } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'lecturer' });

/** Names as lists have them, and as they are said. */
const NAMES = [
  ['Lovelace, Ada', 'Ada Lovelace'],
  ['王 小明', '王小明'],
  ['佐藤\u3000花子', '佐藤花子'],
  ['남궁 민수', '남궁민수'],
  ['Berg, Anna, PhD', 'Anna Berg PhD'],
  ['Dr. Weiß, Jürgen', 'Dr. Jürgen Weiß'],
  ['عبد الله، محمد', '\u2068محمد عبد الله\u2069'],
  ['Παπαδοπούλου, Μαρία', 'Μαρία Παπαδοπούλου'],
  ['Sukarno', 'Sukarno'],
  ["van 't Hooft, Gerard", "Gerard van 't Hooft"],
] as const;
const FACTORS: Record<number, string> = { 3: '1.25', 21: '2', 100: '1.33' };
const PEOPLE = Array.from({ length: 120 }, (_, i) => {
  const [written, said] = NAMES[i] ?? [`Family${i}, Given${i}`, `Given${i} Family${i}`];
  return { written, said, email: `s${i}@example.org`, factor: FACTORS[i] ?? '' };
});
const SPREADSHEET = [
  'Statistics I, winter term: participants;;;;',
  ';;;;',
  'No.;Name;Seminar group;E-mail;Extra time',
  ...PEOPLE.map(({ written, email, factor }, i) =>
    [i + 1, written, `Seminar ${(i % 3) + 1}`, email, factor].join(';'),
  ),
].join('\n');

/** The candidates of the class, and those of them who do well and know that the key is wrong. */
const [CLASS, STRONG] = [25, 16];

test('from the spreadsheet as it is to a corrected key and the certificates that follow', {
  tag: '@long',
}, async ({ page, visitor, testServer }) => {
  const admin = await AdminClient.signIn(testServer.url);
  await admin.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  const quiz = await admin.quiz('Statistics I', { duration: 60, totalQuestions: 10 }, []);
  for (let n = 1; n <= 10; n += 1) {
    // The key of the first is wrong: it is b.
    const definition = plainDefinition(`Question ${n}`, ['a', 'b', 'c', 'd'], n === 1 ? 'd' : 'a');
    await admin.must('addToBank', { body: { definition, quizId: quiz.id } });
  }

  await signInAsAdmin(page);
  await page.goto('/admin/people/import');
  await page.getByLabel('Select a file').setInputFiles(textFile('list.csv', SPREADSHEET));
  const columns = page.getByRole('region', { name: 'Columns of the list' });
  await expect(columns.getByRole('combobox')).toHaveText([
    ...['Not used', 'Full name', 'Group', 'Email', 'Extra time as a factor'],
  ]);
  await page.getByRole('button', { name: 'Check 120 people' }).click();
  const rows = page.getByRole('list', { name: 'Rows of the list' });
  await expect(rows.getByRole('listitem').first()).toContainText('4NewAda Lovelace');
  await page.getByRole('button', { name: 'Import 120 people' }).click();
  await page.getByLabel('Select all on this page').click();
  await page.getByRole('button', { name: 'Select all 120' }).click();
  await page.getByRole('button', { name: 'Invite…' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  const invitation = page.getByRole('dialog', { name: 'Send Assessment Invitations' });
  const times = invitation.getByRole('region', { name: 'Extra time' });
  await expect(times).toContainText('3 people with extra time');
  for (const time of ['75 minutes', '79 minutes 48 seconds', '120 minutes'])
    await expect(times).toContainText(`${time} instead of 60`);
  await invitation.getByRole('button', { name: 'Send Invitations' }).click();
  await expect(invitation).toContainText('120 sent of 120');
  const mailTo = (email: string) =>
    testServer.sink.mails.findLast(({ to }) => to.includes(email))?.mail.text ?? '';
  for (const { email, said, factor } of PEOPLE) {
    const minutes = Math.floor(60 * Number(factor || 1));
    expect(mailTo(email)).toMatch(
      new RegExp(`^Dear ${said},\n[^]*\nDuration: +${minutes} minutes`),
    );
  }

  const codeOf = (email: string) => /One-time password: +(\S+)/.exec(mailTo(email))?.[1] ?? '';
  const codes = PEOPLE.map(({ email }) => codeOf(email));
  const signIn = async (n: number) => {
    const person = new HttpPerson(testServer.url);
    await person.signIn(PEOPLE[n]?.email, codes[n]);
    return person;
  };
  const attempts: string[] = [];
  for (let n = 0; n < CLASS; n += 1) {
    const person = await signIn(n);
    const { id } = await person.must('startParticipant', { body: {} });
    attempts.push(id);
    const query = { forAssessment: 'true' };
    const paper = await person.must('listQuestions', { params: { id: quiz.id }, query });
    const answers = paper.map((one: { id: string; question: string }) => {
      const number = Number(one.question.split(' ').at(-1));
      const guess = ['a', 'c', 'd'][n % 3];
      const known = number + (n % 4) < 11 ? 'a' : 'c';
      const selectedOption =
        number === 1 ? (n < STRONG ? 'b' : guess) : n < STRONG ? known : number < 4 ? 'a' : 'c';
      return { questionId: one.id, selectedOption, isFlagged: false, revision: 1 };
    });
    await person.must('submitParticipant', { params: { id }, body: { answers } });
  }
  const resultOf = async (n: number) => {
    const params = { id: attempts[n] ?? '' };
    return (await signIn(n)).must('getResult', { params });
  };

  await page.goto(`/admin/quizzes/${quiz.id}/results`);
  await page.getByRole('button', { name: 'Set pass mark and grades' }).click();
  const rules = page.getByRole('dialog');
  await rules.getByRole('combobox', { name: 'Pass mark' }).click();
  await page.getByRole('option', { name: 'In percent' }).click();
  await rules.getByLabel('Percent', { exact: true }).fill('50');
  await rules.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Set up the release' }).click();
  const release = page.getByRole('dialog', { name: 'Release of results' });
  for (const part of ['Their own answers', /^Right answers/, /^A certificate/])
    await release.getByLabel(part).click();
  await release.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Release now' }).click();
  const asked = page.getByRole('alertdialog');
  await expect(asked).toContainText('95 people can still start');
  await asked.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText(`${CLASS} released`, { exact: true })).toBeVisible();
  const first = await resultOf(0);
  expect(first).not.toHaveProperty('questions');
  expect(first.waiting.parts).toEqual(['answers', 'key']);

  // The doubtful question stands first.
  const doubtful = page.getByRole('row', { name: /The key may be wrong/ });
  await expect(doubtful).toContainText('Question 1');
  await doubtful.getByRole('button', { name: /^Details/ }).click();
  await page.getByRole('button', { name: 'Correct how it counts' }).click();
  const correction = page.getByRole('dialog', { name: 'Rescore' });
  await correction.getByRole('combobox', { name: 'How it counts' }).click();
  await page.getByRole('option', { name: 'Accept another answer' }).click();
  await correction.getByRole('checkbox', { name: 'b', exact: true }).click();
  await expect(correction).toContainText(`${STRONG} finished scores would change`);
  await correction.getByRole('button', { name: `Rescore ${CLASS} candidates` }).click();
  await expect(toastOn(page)).toContainText(`${CLASS} candidates rescored`);

  const stranger = await visitor();
  const says = async (number: string, words: string) => {
    await stranger.goto('/verify');
    await stranger.getByLabel('Certificate number').fill(number);
    await stranger.getByRole('button', { name: 'Check certificate' }).click();
    await expect(stranger.getByText(words)).toBeVisible();
  };
  await says(first.certificate.number, 'This certificate is under correction.');
  await page.getByRole('button', { name: 'Release again' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
  await expect(page.getByRole('button', { name: 'Release again' })).toBeHidden();
  await says(first.certificate.number, 'This certificate was replaced.');
  const corrected = await resultOf(0);
  expect(corrected.score.points).toBe(first.score.points + 1);
  await says(corrected.certificate.number, 'This certificate is valid.');
});
