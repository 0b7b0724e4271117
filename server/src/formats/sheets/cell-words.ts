import type { AttemptStatus, SubmissionType } from '@invigil/core/domain/attempt';
import type { MailState } from '@invigil/core/domain/invitation-states';
import { t } from '@invigil/core/texts/i18n';

/*
 * Words of workbooks for people, some of them also of screens. In English a code is itself, as it is in CSV:
 * programs and formulas of spreadsheets compare it.
 */

/** Stands in place of the address of a person or an administrator whose data was erased. */
export const unknownText = (): string =>
  t(/* in place of the address of a person whose data was erased */ 'table.unknown', 'Unknown');

/** Stands in place of an administrator where the program itself did something. */
export const systemText = (): string =>
  t(/* in place of an administrator: the program itself */ 'auditTable.system', 'System');

/** Stands in place of a text that was erased. */
export const erasedText = (): string =>
  t(/* in place of a text that was erased */ 'auditTable.erased', 'Erased');

export const participantHead = (): string =>
  t(/* head of a column of email addresses */ 'table.participant', 'Participant');

export const statusHead = (): string =>
  t(
    /* head of a column: not started, in progress, completed, dismissed */ 'table.status',
    'Status',
  );

export const startedHead = () => ({
  at: t(/* head of a column of dates and times */ 'table.startedAt', 'Started At'),
});

export const submittedHead = () => ({
  at: t(/* head of a column of dates and times */ 'table.submittedAt', 'Submitted At'),
});

export const STATUS_WORDS: Record<AttemptStatus | 'not_started', () => string> = {
  not_started: () => t(/* state of an attempt, in a cell */ 'table.notStarted', 'not_started'),
  in_progress: () => t(/* state of an attempt, in a cell */ 'table.inProgress', 'in_progress'),
  completed: () => t(/* state of an attempt, in a cell */ 'table.completed', 'completed'),
  dismissed: () =>
    t(/* state of an attempt, in a cell: ended by its rules */ 'table.dismissed', 'dismissed'),
};

export const SUBMISSION_WORDS: Record<SubmissionType, () => string> = {
  manual: () => t(/* how an attempt ended: by the candidate */ 'table.ended.manual', 'manual'),
  auto: () => t(/* how an attempt ended: by its time */ 'table.ended.auto', 'auto'),
  dismissed: () => t(/* how an attempt ended: by its rules */ 'table.ended.dismissed', 'dismissed'),
  database: () =>
    t(/* how an attempt ended: by an administrator */ 'table.ended.database', 'database'),
};

export const RESULT_WORDS: Record<'passed' | 'failed', () => string> = {
  passed: () => t(/* result of an attempt, in a cell */ 'table.passed', 'passed'),
  failed: () => t(/* result of an attempt, in a cell */ 'table.failed', 'failed'),
};

export const MAIL_WORDS: Record<MailState, () => string> = {
  queued: () => t(/* state of an email, in a cell: it waits */ 'table.mail.queued', 'queued'),
  sending: () => t(/* state of an email, in a cell */ 'table.mail.sending', 'sending'),
  sent: () => t(/* state of an email, in a cell */ 'table.mail.sent', 'sent'),
  uncertain: () =>
    t(/* state of an email, in a cell: perhaps it was sent */ 'table.mail.uncertain', 'uncertain'),
  failed: () => t(/* state of an email, in a cell */ 'table.mail.failed', 'failed'),
};

/** The word of a code; a code of a later version as it is, and `''` where there is none. */
export function wordOf(
  words: Readonly<Record<string, () => string>>,
  code: string | null | undefined,
): string {
  return code == null ? '' : (words[code]?.() ?? code);
}
