import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import { shortId } from '../../../lib/short-id.ts';

/** Labels of all logged actions. */
const ACTIONS: Partial<Record<string, string>> = {
  'admin.added': 'Added an administrator',
  'admin.code_refused': 'Entered the right password but a wrong code',
  'admin.deleted': 'Deleted an administrator',
  'admin.password_changed': 'Changed their password',
  'admin.password_reset': 'Reset a forgotten password',
  'admin.recovery_codes_renewed': 'Created new recovery codes',
  'admin.reset_requested': 'Requested a password reset link',
  'admin.signed_in': 'Signed in',
  'admin.totp_disabled': 'Turned off two-step sign-in',
  'admin.totp_enabled': 'Turned on two-step sign-in',
  'admin.totp_reset': 'Reset an administrator’s two-step sign-in',
  'audit.exported': 'Exported the audit log',
  'audit.head_mailed': 'Emailed the head of the audit log',
  'category.created': 'Created a category',
  'category.deleted': 'Deleted a category',
  'category.edited': 'Edited a category',
  'demo.filled': 'Created the demonstration data',
  'evidence.deleted': 'Deleted evidence',
  'evidence.viewed': 'Viewed evidence',
  'image.uploaded': 'Uploaded an image',
  'images.removed': 'Removed images that are in no question',
  'invitation.accommodated': 'Changed accommodations of an invitation',
  'invitations.exported': 'Exported a list of invitations',
  'invitations.reminded': 'Sent reminders',
  'invitations.resent': 'Resent invitations',
  'invitations.revoked': 'Revoked invitations',
  'invitations.sent': 'Sent invitations',
  'outbox.message_read': 'Read a waiting message',
  'outbox.message_revealed': 'Read a waiting message with the password',
  'participant.another_attempt': 'Allowed another attempt',
  'participant.ended': 'Ended an attempt',
  'participant.extended': 'Gave extra time',
  'participant.verdict_recorded': 'Recorded a verdict',
  'participant.messaged': 'Sent a message',
  'participant.noted': 'Changed a note',
  'participant.reinstated': 'Reinstated an attempt',
  'participant.viewed': 'Viewed the record of an attempt',
  'participant.watched': 'Watched the camera of an attempt',
  'participants.exported': 'Exported the results report',
  'person.erased': 'Erased a person’s data',
  'person.exported': 'Exported a person’s data',
  'question.deleted': 'Deleted a question',
  'question.edited': 'Edited a question',
  'question.rescored': 'Rescored a question',
  'questions.exported': 'Exported questions with their keys',
  'questions.imported': 'Imported questions from a file',
  'question.labeled': 'Changed the labels of a question',
  'quiz.structured': 'Changed sections or scoring of an assessment',
  'questions.added': 'Added questions',
  'questions.reordered': 'Reordered questions',
  'quiz.archived': 'Deleted an assessment',
  'quiz.created': 'Created an assessment',
  'quiz.duplicated': 'Duplicated an assessment',
  'quiz.edited': 'Edited an assessment',
  'retention.changed': 'Changed the retention',
  'retention.deleted': 'Deleted expired monitoring data',
  'secret_key.lost': 'Discarded the previous secret key',
  'secret_key.rotated': 'Changed the secret key',
  'sign_in_policy.changed': 'Changed the sign-in requirements',
  'smtp_settings.changed': 'Changed the SMTP settings',
  'smtp_settings.tested': 'Sent a test message',
  'trust.accepted': 'Accepted changed data as is',
};

/** The label of an action; unknown ones by name. */
export function auditWords(action: string): string {
  return ACTIONS[action] ?? action;
}

const SUBJECTS: Partial<Record<string, string>> = {
  admin: 'Administrator',
  category: 'Category',
  invitation: 'Invitation',
  participant: 'Participant',
  question: 'Question',
  quiz: 'Assessment',
  user: 'Person',
};

/** The subject of an entry: `Assessment: Network Fundamentals`; empty without one. */
export function auditSubject({
  subjectType,
  subjectId,
  subjectName,
}: Pick<AuditEntry, 'subjectType' | 'subjectId' | 'subjectName'>): string {
  if (subjectType === null) return '';
  const type = SUBJECTS[subjectType] ?? subjectType;
  const name = subjectName ?? (subjectId === null ? null : shortId(subjectId));
  return name === null ? type : `${type}: ${name}`;
}

/**
 * The details in one line: `participants: 12, reason: typo`. Omits empty values and ids;
 * lists of ids are shown by length. The file has all details.
 */
export function auditDetails({ details }: Pick<AuditEntry, 'details'>): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null && value !== '' && !isId(value))
    .map(([name, value]) => `${name}: ${detailText(value)}`)
    .join(', ');
}

function detailText(value: unknown): string {
  if (Array.isArray(value) && value.length > 0 && value.every(isId)) return String(value.length);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isId(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);
}
