import type { AppContext } from '../../app-context.ts';
import { findHead, findLastEntryAt } from '../../db/queries/audit.ts';
import { auditHead } from '../../deliveries/mails/audit-head.ts';
import { queueMail } from '../../deliveries/queue-mail.ts';
import { receiptKeys, signReceipt } from '../../security/receipts.ts';
import { commandOf, SYSTEM } from '../../sessions/command.ts';
import { readInstitution } from '../../trust/institution.ts';

const DAY_MS = 86_400_000;
const ACTION = 'audit.head_mailed';

/**
 * Once a day, emails the head of the audit log to AUDIT_HEAD_EMAIL: neither the database nor this
 * machine can change what is in a mailbox. Signed as receipts are. Sends nothing while the chain
 * has a problem.
 */
export async function mailAuditHead(
  ctx: Pick<AppContext, 'config' | 'db' | 'keys' | 'trust' | 'wakeMail'>,
  now: Date,
): Promise<void> {
  const recipient = ctx.config.auditHeadEmail;
  if (recipient === null || ctx.trust.chainProblem !== null) return;
  await commandOf(ctx.db, { actor: SYSTEM, now })(async ({ tx, record, afterCommit }) => {
    const lastAt = await findLastEntryAt(tx, ACTION);
    const head = await findHead(tx);
    if (!head || (lastAt && now.getTime() - lastAt.getTime() < DAY_MS)) return;
    const { number } = head;
    const hash = head.hash.toString('hex');
    const { publicUrl } = await readInstitution(ctx, tx);
    const { privateKey } = receiptKeys(ctx.keys.receipts);
    const signed = signReceipt(privateKey, {
      auditHead: `${number}:${hash}`,
      at: now.toISOString(),
    });
    const params = { publicUrl, number, hash, signed };
    await queueMail(tx, ctx, publicUrl, auditHead, [{ recipient, params }], now);
    await record(ACTION, null, { number });
    afterCommit(() => ctx.wakeMail());
  });
}
