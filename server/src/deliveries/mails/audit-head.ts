import { inOrder } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { ADDRESS, mail, TOKEN } from './mail.ts';

/** The head of the audit log, to AUDIT_HEAD_EMAIL. */
export const auditHead = mail({
  kind: 'audit_head',
  to: 'operator',
  params: { publicUrl: ADDRESS, number: z.number(), hash: TOKEN, signed: TOKEN },
  subjects: {
    standard: ({ number }) =>
      t(
        /* the head of a log: its last entry, which has this number */ 'mail.auditHead.subject',
        'Audit log: head {number}',
        { number },
      ),
  },
  write: ({ publicUrl, number, hash, signed }) => [
    t(
      /* {head} is a number and a hash */ 'mail.auditHead.endsHere',
      'The audit log of {publicUrl} ends here: {head}',
      { publicUrl, head: inOrder(`${number}:${hash}`) },
    ),
    t(
      /* {command} is typed into a terminal */ 'mail.auditHead.keep',
      'Keep this email. To check that the log was not changed or shortened since then, run: {command}',
      // It has no marks of direction, which a terminal would take for a part of it.
      { command: `npm run audit:verify -- --head ${number}:${hash}` },
    ),
    t(
      /* {path} is where the key is; {signed} is the signature */ 'mail.auditHead.signed',
      'Signed with the receipt key ({path}): {signed}',
      { path: inOrder('/api/receipts/key'), signed },
    ),
  ],
});
