import { z } from 'zod';
import { ADDRESS, mail, TOKEN } from './mail.ts';

/** The head of the audit log, to AUDIT_HEAD_EMAIL. */
export const auditHead = mail({
  kind: 'audit_head',
  to: 'operator',
  params: { publicUrl: ADDRESS, number: z.number(), hash: TOKEN, signed: TOKEN },
  subject: { standard: 'Audit log: head {number}' },
  write: ({ publicUrl, number, hash, signed }) => [
    `The audit log of ${publicUrl} ends here: ${number}:${hash}`,
    `Keep this email. To check that the log was not changed or shortened since then, run: npm run audit:verify -- --head ${number}:${hash}`,
    `Signed with the receipt key (/api/receipts/key): ${signed}`,
  ],
});
