import { Grant } from '@invigil/core/contract/accounts/admins';
import type { AuditEntry } from '@invigil/core/contract/installation/audit';
import { listText, numberText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { z } from 'zod';
import { formatDateTime, shortId } from '../../../lib/format.ts';
import { grantLines, type PlaceNames } from '../../data/role-words.ts';
import { AUDIT_WORDS } from './audit-words.ts';

const ACTIONS: Partial<Record<string, () => string>> = {
  'admin.added': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.added',
      'Added an administrator',
    ),
  'admin.code_refused': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.codeRefused',
      'Entered the right password but a wrong code',
    ),
  'admin.deleted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.deleted',
      'Deleted an administrator',
    ),
  'admin.password_changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.passwordChanged',
      'Changed their password',
    ),
  'admin.password_reset': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.passwordReset',
      'Reset a forgotten password',
    ),
  'admin.recovery_codes_renewed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.recoveryCodesRenewed',
      'Created new recovery codes',
    ),
  'admin.renamed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.renamed',
      'Changed their name',
    ),
  'admin.reset_requested': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.resetRequested',
      'Requested a password reset link',
    ),
  'admin.roles_changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.rolesChanged',
      'Changed the roles of an administrator',
    ),
  'admin.session_ended': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.sessionEnded',
      'Ended another session of their own',
    ),
  'admin.signed_in': () =>
    t(/* in the audit log: what someone did */ 'settings.audit.admin.signedIn', 'Signed in'),
  'admin.totp_disabled': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.totpDisabled',
      'Turned off two-step sign-in',
    ),
  'admin.totp_enabled': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.totpEnabled',
      'Turned on two-step sign-in',
    ),
  'admin.totp_reset': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.admin.totpReset',
      'Reset an administrator’s two-step sign-in',
    ),
  'audit.exported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.audit.exported',
      'Exported the audit log',
    ),
  'audit.head_mailed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.audit.headMailed',
      'Emailed the head of the audit log',
    ),
  'category.created': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.category.created',
      'Created a category',
    ),
  'category.deleted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.category.deleted',
      'Deleted a category',
    ),
  'category.edited': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.category.edited',
      'Edited a category',
    ),
  'demo.filled': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.demo.filled',
      'Created the demonstration data',
    ),
  'evidence.deleted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.evidence.deleted',
      'Deleted evidence',
    ),
  'evidence.viewed': () =>
    t(/* in the audit log: what someone did */ 'settings.audit.evidence.viewed', 'Viewed evidence'),
  'image.uploaded': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.image.uploaded',
      'Uploaded an image',
    ),
  'images.removed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.images.removed',
      'Removed images that are in no question',
    ),
  'invitation.tested': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitation.tested',
      'Sent a test invitation',
    ),
  'invitation.accommodated': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitation.accommodated',
      'Changed accommodations of an invitation',
    ),
  'invitations.exported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitations.exported',
      'Exported a list of invitations',
    ),
  'invitations.reminded': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitations.reminded',
      'Sent reminders',
    ),
  'invitations.resent': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitations.resent',
      'Resent invitations',
    ),
  'invitations.passwords_made': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitations.passwordsMade',
      'Made one-time passwords to hand out',
    ),
  'invitations.revoked': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitations.revoked',
      'Revoked invitations',
    ),
  'invitations.sent': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.invitations.sent',
      'Sent invitations',
    ),
  'outbox.message_hastened': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.outbox.messageHastened',
      'Had a waiting message tried early',
    ),
  'outbox.message_read': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.outbox.messageRead',
      'Read a waiting message',
    ),
  'outbox.message_revealed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.outbox.messageRevealed',
      'Read a waiting message with the password',
    ),
  'people.exported': () =>
    t(/* in the audit log: what someone did */ 'settings.audit.people.exported', 'Exported people'),
  'people.fields_changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.people.fieldsChanged',
      'Changed the fields of people',
    ),
  'people.imported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.people.imported',
      'Added or changed people by a list',
    ),
  'person.changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.person.changed',
      'Changed what is known of a person',
    ),
  'participant.another_attempt': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.anotherAttempt',
      'Allowed another attempt',
    ),
  'participant.ended': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.ended',
      'Ended an attempt',
    ),
  'participant.extended': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.extended',
      'Gave extra time',
    ),
  'participant.paused': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.paused',
      'Stopped the time of an attempt',
    ),
  'participant.resumed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.resumed',
      'Let the time of an attempt go on',
    ),
  'participant.rescored': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.rescored',
      'Rescored an attempt',
    ),
  'participant.verdict_recorded': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.verdictRecorded',
      'Recorded a verdict',
    ),
  'participant.messaged': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.messaged',
      'Sent a message',
    ),
  'participant.noted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.noted',
      'Changed a note',
    ),
  'participant.reinstated': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.reinstated',
      'Reinstated an attempt',
    ),
  'participant.viewed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.viewed',
      'Viewed the record of an attempt',
    ),
  'participant.watched': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.watched',
      'Watched the camera of an attempt',
    ),
  'participants.exported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participants.exported',
      'Exported the results report',
    ),
  'person.erased': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.person.erased',
      'Erased a person’s data',
    ),
  'person.exported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.person.exported',
      'Exported a person’s data',
    ),
  'question.deleted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.question.deleted',
      'Deleted a question',
    ),
  'question.edited': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.question.edited',
      'Edited a question',
    ),
  'question.rescored': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.question.rescored',
      'Rescored a question',
    ),
  'question.restored': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.question.restored',
      'Took the deletion of a question back',
    ),
  'questions.exported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.questions.exported',
      'Exported questions with their keys',
    ),
  'questions.imported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.questions.imported',
      'Imported questions from a file',
    ),
  'question.labeled': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.question.labeled',
      'Changed the labels of a question',
    ),
  'quiz.release_set': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.releaseSet',
      'Changed the release of results',
    ),
  'quiz.results_released': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.resultsReleased',
      'Released results',
    ),
  'participant.certificate_issued': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.certificateIssued',
      'Issued a certificate',
    ),
  'participant.certificate_revoked': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.participant.certificateRevoked',
      'Revoked a certificate',
    ),
  'quiz.results_set': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.resultsSet',
      'Changed the pass mark or grades of an assessment',
    ),
  'quiz.practice_set': () =>
    t(
      /* in the audit log: what someone did; whether it is for practice, or which one is */ 'settings.audit.quiz.practiceSet',
      'Changed the practice of an assessment',
    ),
  'quiz.schedule_set': () =>
    t(
      /* in the audit log: what someone did; of an assessment */ 'settings.audit.quiz.scheduleSet',
      'Changed the times of groups',
    ),
  'quiz.started_together': () =>
    t(
      /* in the audit log: what someone did; candidates who wait */ 'settings.audit.quiz.startedTogether',
      'Started an assessment for all who wait',
    ),
  'quiz.structured': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.structured',
      'Changed sections or scoring of an assessment',
    ),
  'questions.added': () =>
    t(/* in the audit log: what someone did */ 'settings.audit.questions.added', 'Added questions'),
  'questions.reordered': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.questions.reordered',
      'Reordered questions',
    ),
  'quiz.archived': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.archived',
      'Deleted an assessment',
    ),
  'quiz.created': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.created',
      'Created an assessment',
    ),
  'quiz.duplicated': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.duplicated',
      'Duplicated an assessment',
    ),
  'quiz.edited': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.quiz.edited',
      'Edited an assessment',
    ),
  'institution.changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.institution.changed',
      'Changed the settings of the institution',
    ),
  'translation.checked': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.translation.checked',
      'Recorded a check of a language',
    ),
  'retention.changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.retention.changed',
      'Changed the retention',
    ),
  'retention.deleted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.retention.deleted',
      'Deleted expired monitoring data',
    ),
  'secret_key.lost': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.secretKey.lost',
      'Discarded the previous secret key',
    ),
  'secret_key.rotated': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.secretKey.rotated',
      'Changed the secret key',
    ),
  'sign_in_policy.changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.signInPolicy.changed',
      'Changed the sign-in requirements',
    ),
  'smtp_settings.changed': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.smtpSettings.changed',
      'Changed the SMTP settings',
    ),
  'smtp_settings.tested': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.smtpSettings.tested',
      'Sent a test message',
    ),
  'statistics.exported': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.statistics.exported',
      'Exported statistics with the keys of questions',
    ),
  'trust.accepted': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.trust.accepted',
      'Accepted changed data as is',
    ),
  'trust.extended': () =>
    t(
      /* in the audit log: what someone did */ 'settings.audit.trust.extended',
      'Sealed what a former version had not sealed',
    ),
};

/** An action in words; its name stands beside them. */
export const auditText = (action: string): string =>
  ACTIONS[action]?.() ??
  t(
    /* in the audit log: what another version of Invigil did */ 'settings.audit.otherAction',
    'An action that this version does not know',
  );

const SUBJECTS: Partial<Record<string, () => string>> = {
  admin: () =>
    t(/* what an entry of the audit log is about */ 'settings.audit.about.admin', 'Administrator'),
  category: () => t(/* what an entry of the audit log is about */ 'portal.category', 'Category'),
  invitation: () =>
    t(
      /* what an entry of the audit log is about */ 'settings.audit.about.invitation',
      'Invitation',
    ),
  outbox_message: () =>
    t(/* what an entry of the audit log is about */ 'portal.mailMessage', 'Message'),
  participant: () =>
    t(/* what an entry of the audit log is about */ 'portal.participant', 'Participant'),
  question: () => t(/* what an entry of the audit log is about */ 'portal.question', 'Question'),
  quiz: () => t(/* what an entry of the audit log is about */ 'portal.assessment', 'Assessment'),
  session: () =>
    t(/* what an entry of the audit log is about */ 'settings.audit.about.session', 'Session'),
  user: () =>
    t(/* what an entry of the audit log is about */ 'settings.audit.about.user', 'Person'),
};

/** The subject of an entry: `Assessment: Network Fundamentals`; empty without one. */
export function auditSubject({
  subjectType,
  subjectId,
  subjectName,
}: Pick<AuditEntry, 'subjectType' | 'subjectId' | 'subjectName'>): string {
  if (subjectType === null) return '';
  const type = SUBJECTS[subjectType]?.() ?? subjectType;
  const name = subjectName ?? (subjectId === null ? null : shortId(subjectId));
  return name === null
    ? type
    : t(
        /* what an entry of the audit log is about: “Assessment: Networks” */ 'settings.audit.subject',
        '{type}: {name}',
        {
          type,
          name: isolated(name),
        },
      );
}

/**
 * The details in one line of words: `participants: 12, reason: typo`. Omits empty values; an id is the name of its
 * place, or is left out, and lists of ids are shown by length. The file has all details.
 */
export function auditDetails({ details }: Pick<AuditEntry, 'details'>, names: PlaceNames): string {
  const known = Object.entries(details ?? {})
    .map(
      ([name, value]) =>
        [labelOf(name), isTyped(name, value) ? isolated(value) : inWords(value, names)] as const,
    )
    .filter(([, text]) => text !== '');
  return listText(
    known.map(([label, text]) =>
      t(
        /* a detail of an entry of the audit log: “reason: typo” */ 'settings.audit.detail',
        '{label}: {text}',
        {
          label,
          text,
        },
      ),
    ),
    'unit',
  );
}

/** A name in code in words; one of a later version has the words that it is made of: `openDays` is `open days`. */
const labelOf = (name: string): string =>
  (Object.hasOwn(AUDIT_WORDS, name) ? AUDIT_WORDS[name]?.() : undefined) ??
  name
    .replace(/^(?:is|has)(?=[A-Z])|(?<=[a-z])Id$/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();

/** A person's own words are no names in code. */
const isTyped = (name: string, value: unknown): value is string =>
  (name === 'reason' || name === 'group') && typeof value === 'string';

const Grants = z.array(Grant);

/** A value of any shape without the signs of code; empty where there is nothing to say. */
function inWords(value: unknown, names: PlaceNames): string {
  if (typeof value === 'boolean')
    return value
      ? t(/* the value of a detail in the audit log: “filtered: yes” */ 'settings.audit.yes', 'yes')
      : t(/* the value of a detail in the audit log: “filtered: no” */ 'settings.audit.no', 'no');
  if (typeof value === 'number') return numberText(value, { maximumFractionDigits: 4 });
  if (typeof value === 'string') return textInWords(value, names);
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isId)) return String(value.length);
    const grants = Grants.safeParse(value).data;
    if (grants !== undefined) return listText(grantLines(grants, names), 'unit');
    return listText(filled(value.map((one) => inWords(one, names))), 'unit');
  }
  if (typeof value !== 'object' || value === null) return '';
  // A name comes first: `A from 90`. A kind that has a field of its own is said there.
  const { name, title, kind, ...others } = value as Record<string, unknown>;
  const ofKind = typeof kind === 'string' && kind in others ? '' : kind;
  const called = filled([name, title, ofKind].map((one) => inWords(one, names)));
  const parts = Object.entries(others).map(([field, of]) => {
    const text = isTyped(field, of) ? isolated(of) : inWords(of, names);
    return text === '' ? '' : `${labelOf(field)} ${text}`;
  });
  return filled([called.join(' '), filled(parts).join('; ')]).join(' ');
}

const filled = (texts: readonly string[]) => texts.filter((text) => text !== '');

function textInWords(text: string, names: PlaceNames): string {
  if (isId(text)) return isolated(names.quizzes.get(text) ?? names.categories.get(text) ?? '');
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)) return formatDateTime(text);
  return /^[a-z][a-zA-Z0-9]*(?:_[a-zA-Z0-9]+)*$/.test(text) ? labelOf(text) : isolated(text);
}

/** An id, or the hash of an image. */
function isId(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,})$/.test(value)
  );
}
