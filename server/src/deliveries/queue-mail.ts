import type { BaseContext } from '../app-context.ts';
import type { Tx } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { insertMessages, type SealedMessage } from '../db/queries/outbox.ts';
import { seal } from '../security/sealing.ts';
import { MESSAGES } from '../trust/row-kinds.ts';
import { type Mail, subjectWords } from './mails/mail.ts';
import { messageIdOf } from './message-id.ts';

/** A message to one recipient. */
export interface NewMessage<Params> {
  recipient: string;
  /** A tag; absent: English. */
  language?: string | undefined;
  params: Params;
  /** The candidate's invitation, by which an erasure finds the message. */
  invitationId?: string;
  /** The one-time password in it: the message is canceled when it ends. */
  codeId?: string;
  /** Whose receipt it has. */
  participantId?: string;
  /** A one-time password or a link, which is stored encrypted. */
  secret?: string;
}

/** An administrator as the recipient of a message, in the language of their portal or the institution's first. */
export const toAdmin = (
  { email, language }: { email: string; language: string | null },
  { languages }: { languages: readonly string[] },
) => ({ recipient: email, language: language ?? languages[0] });

/** Puts messages of one kind into the outbox, whose addresses are at `publicUrl`. */
export async function queueMail<Params, Extra>(
  tx: Tx,
  ctx: Pick<BaseContext, 'keys'>,
  publicUrl: string,
  mail: Mail<Params, Extra>,
  messages: readonly NewMessage<Params>[],
  now: Date,
): Promise<void> {
  await insertMessages(
    tx,
    messages.map((message) => messageRow(ctx, publicUrl, mail, message, now)),
  );
}

/** The row of a new message, with its seal. */
export function messageRow<Params, Extra>(
  { keys }: Pick<BaseContext, 'keys'>,
  publicUrl: string,
  mail: Mail<Params, Extra>,
  { params, secret, language = 'en', ...to }: NewMessage<Params>,
  now: Date,
): SealedMessage {
  const { kind } = mail;
  if ((mail.secret === null) !== (secret === undefined)) throw new Error(`the secret of ${kind}`);
  const id = newId();
  return MESSAGES.sealed(keys.integrity, {
    ...to,
    id,
    kind,
    subject: subjectWords(mail, params as object),
    // A message in English is stored as before there were others.
    variables: language === 'en' ? params : { ...params, language },
    sealedCode: secret === undefined ? null : seal(keys.sealing, secret, `outbox/${id}`),
    messageId: messageIdOf(publicUrl, id),
    state: 'queued',
    attempts: 0,
    createdAt: now,
    nextAttemptAt: now,
  });
}
