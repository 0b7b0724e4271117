import { AdminClient, type PreparedQuiz } from './support/admin-client.ts';
import { expect, test } from './support/e2e-test.ts';
import { mailServer } from './support/server-settings.ts';
import { signInAsAdmin } from './support/sign-in.ts';

test.use({ database: 'outbox' });

test('the outbox can be searched and filtered, and a delayed message sent at once', {
  tag: '@long',
}, async ({ page, testServer }) => {
  const adminClient = await AdminClient.signIn(testServer.url);
  const quiz: PreparedQuiz = await adminClient.quiz('Delayed');
  await adminClient.must('putSmtpSettings', { body: mailServer(testServer.sink.port) });
  const late = { to: 'late@example.org', at: 'rcpt', code: 451, text: '4.2.2 Full' } as const;
  testServer.sink.faults.push(...Array(6).fill(late));
  await adminClient.must('inviteToQuiz', {
    params: { id: quiz.id },
    body: { emails: ['late@example.org', 'prompt@example.org'] },
  });
  await signInAsAdmin(page);
  await page.goto('/admin/settings/outbox');
  const outbox = page.getByRole('region', { name: 'Outbox' });
  await outbox.getByLabel('Search the outbox').fill('LATE@');
  const messages = outbox.getByRole('list', { name: 'Messages' }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  await expect(messages).toContainText('Delayed');
  await expect(messages).toContainText(
    'Temporary problem: the recipient’s mailbox is full (451 4.2.2 Full).',
  );
  const tries = async () => {
    const words = (await messages.textContent()) ?? '';
    return words.includes('Tried once') ? 1 : Number(/Tried (\d+) times/.exec(words)?.[1]);
  };
  const before = await tries();
  await outbox.getByRole('button', { name: 'Send now to late@example.org' }).click();
  await expect.poll(tries).toBeGreaterThan(before);
  await outbox.getByLabel('Search the outbox').fill('');
  await outbox.getByLabel('State').click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(outbox.getByText('prompt@example.org')).toHaveCount(0);
});
