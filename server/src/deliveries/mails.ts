import type { SubjectForm } from '../db/queries/outbox.ts';
import { ERASED, ERASED_RECIPIENT } from '../db/queries/people.ts';
import { erasedText, unknownText } from '../formats/sheets/cell-words.ts';
import { auditHead } from './mails/audit-head.ts';
import { earlierLink, earlierNotice } from './mails/earlier-notices.ts';
import { invitation } from './mails/invitation.ts';
import { HOLE, type Mail, subjectOf } from './mails/mail.ts';
import { messageRevealed } from './mails/message-revealed.ts';
import { passwordChanged } from './mails/password-changed.ts';
import { passwordsMade } from './mails/passwords-made.ts';
import { receipt } from './mails/receipt.ts';
import { reminder } from './mails/reminder.ts';
import { resetLink } from './mails/reset-link.ts';
import { resultReleased } from './mails/result-released.ts';
import { rolesChanged } from './mails/roles-changed.ts';
import { setUpLink } from './mails/set-up-link.ts';
import { testMessage } from './mails/test-message.ts';

/** Every mail that Invigil sends. A new one is a file and a row here. */
export const MAILS: readonly Mail[] = [
  // To candidates.
  ...[invitation, reminder, receipt, resultReleased],
  // To administrators, and to the operator.
  ...[setUpLink, resetLink, passwordChanged, rolesChanged],
  ...[messageRevealed, passwordsMade, auditHead, testMessage],
  // Messages that earlier versions stored.
  ...[earlierNotice, earlierLink],
];

const BY_KIND = new Map(MAILS.map((mail) => [mail.kind, mail]));

/** The mail of a stored message. Throws for one of a later version. */
export function mailOf({ kind }: { kind: string }): Mail {
  const found = BY_KIND.get(kind);
  if (!found) throw new Error(`this version knows no mail of the kind ${kind}`);
  return found;
}

/** The subject of a stored message, without the words of an administrator that were erased. */
export const storedSubject = (row: {
  kind: string;
  subject: string;
  variables: unknown;
}): string =>
  row.subject === ERASED ? erasedText() : subjectOf(mailOf(row), row.variables as object);

/** The address of a stored message, or what stands in its place once it was erased. */
export const storedRecipient = ({ recipient }: { recipient: string }): string =>
  recipient === ERASED_RECIPIENT ? unknownText() : recipient;

/** Kinds with a link to set a password. They go out before everything else in their first half hour: it ends then. */
export const LINK_KINDS = MAILS.filter(({ secret }) => secret === 'link').map(({ kind }) => kind);

/** The parameters that an erasure keeps, by kind of mail. */
export const KEPT_PARAMS = Object.fromEntries(MAILS.map(({ kind, kept }) => [kind, kept]));

/** The subjects of all kinds, by which messages are found. */
export const SUBJECTS: readonly SubjectForm[] = MAILS.flatMap(({ kind, subject }) => {
  const { standard, ...forms } = subject;
  const names = Object.keys(forms);
  return [...Object.entries(forms), [null, standard] as const].map(([set, text], i) => ({
    ...{ kind, set, unset: names.slice(0, i) },
    begins: text.replace(HOLE, ''),
  }));
});
