import { createPublicKey } from 'node:crypto';
import { setUpApp, signInAdmin } from '@invigil/testkit/factories';
import { expect, it } from 'vitest';
import { auditHead } from '../../deliveries/mails/audit-head.ts';
import { renderMail } from '../../deliveries/mails/mail.ts';
import { openReceipt } from '../../security/receipts.ts';
import { sealAudit, verifyAudit } from '../../trust/seal-audit.ts';
import { mailAuditHead } from './mail-head.ts';

const app = setUpApp({ AUDIT_HEAD_EMAIL: 'auditor@example.org' });
const send = () => mailAuditHead(app.context, app.clock.now());
const messages = async () =>
  (await app.pool.query('select recipient, variables from outbox order by created_at')).rows;

it('emails the signed head once a day, and verification accepts it', async () => {
  await send();
  expect(await messages()).toEqual([]);
  await signInAdmin(app);
  await sealAudit(app.context);
  await send();
  await send();
  const [mail, ...more] = await messages();
  expect(more).toEqual([]);
  expect(mail.recipient).toBe('auditor@example.org');
  const { text } = renderMail(auditHead, mail.variables, undefined);
  const [, number, hash = ''] = /ends here: (\d+):([0-9a-f]{64})/.exec(text) ?? [];
  const { pem } = (await app.call('getReceiptKey')).body;
  const signed = /key\): (\S+)$/.exec(text)?.[1] ?? '';
  expect(openReceipt(createPublicKey(pem), signed)).toMatchObject({
    auditHead: `${number}:${hash}`,
  });
  await sealAudit(app.context);
  expect((await verifyAudit(app.context, { number: Number(number), hash })).problem).toBeNull();
  app.clock.advance({ days: 1 });
  await send();
  expect(await messages()).toHaveLength(2);
});

it('emails nothing while the chain has a problem', async () => {
  app.clock.advance({ days: 1 });
  app.context.trust.chainProblem = 'the head of the chain is missing';
  await send();
  app.context.trust.chainProblem = null;
  expect(await messages()).toHaveLength(2);
});
