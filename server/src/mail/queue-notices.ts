import { isolated } from '@invigil/core/domain/typed-text';
import type { BaseContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { insertNotices } from '../db/queries/outbox.ts';
import { seal } from '../security/sealing.ts';
import { readInstitution } from '../trust/institution.ts';
import { MESSAGES } from '../trust/row-kinds.ts';
import { messageIdOf } from './message-id.ts';
import type { NoticeVariables } from './messages/notice-message.ts';

/**
 * Puts a message to administrators, or to candidates by their invitations, into the outbox; it begins with
 * their names, where known.
 *
 * @param link a secret link: it is stored encrypted, and no administrator can open such a message
 *   in the outbox
 */
export async function queueNotices(
  tx: Tx,
  ctx: Pick<BaseContext, 'config' | 'keys' | 'trust'>,
  recipients: readonly (string | { email: string; invitationId: string; name: string })[],
  notice: NoticeVariables,
  now: Date,
  link?: string,
): Promise<void> {
  if (recipients.length === 0) return;
  const { publicUrl } = await readInstitution(ctx, tx);
  await insertNotices(
    tx,
    recipients.map((recipient) => {
      const id = newId();
      const name = typeof recipient === 'string' ? '' : recipient.name;
      const dear = name === '' ? [] : [`Dear ${isolated(name)},`];
      return MESSAGES.sealed(ctx.keys.integrity, {
        id,
        kind: link === undefined ? 'notice' : 'password_reset',
        ...(typeof recipient === 'string'
          ? { recipient }
          : { recipient: recipient.email, invitationId: recipient.invitationId }),
        subject: notice.subject,
        variables: { ...notice, paragraphs: [...dear, ...notice.paragraphs] },
        sealedCode: link === undefined ? null : seal(ctx.keys.sealing, link, `outbox/${id}`),
        messageId: messageIdOf(publicUrl, id),
        state: 'queued',
        attempts: 0,
        createdAt: now,
        nextAttemptAt: now,
      });
    }),
  );
}
