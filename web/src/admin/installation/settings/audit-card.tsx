import { Grant } from '@invigil/core/contract/accounts/admins';
import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { type AuditEntry, exportAudit, listAudit } from '@invigil/core/contract/installation/audit';
import { numberText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RefreshCw, Search } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { z } from 'zod';
import { formatDateTime, shortId, zoneName } from '../../../lib/format.ts';
import { pageQuery } from '../../../net/endpoint-query.ts';
import { formatQuery } from '../../../net/file-download.ts';
import { Button } from '../../../ui/button.tsx';
import { InputWithIcon } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { EmptyState } from '../../../ui/page.tsx';
import { downloadFile } from '../../data/downloads.ts';
import { grantLines, type PlaceNames } from '../../data/role-words.ts';
import { showFailure } from '../../data/show-failure.ts';
import { usePlaceNames } from '../../data/team.ts';
import { List } from '../../list/list.tsx';
import { DownloadButton } from '../../parts/download-button.tsx';

/** The audit log: newest first, searched and paged by the server. */
export function AuditCard() {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const audit = useAudit(search, page);
  const names = usePlaceNames();
  return (
    <List
      title="Audit log"
      aside={
        <IconButton label="Reload the audit log" onClick={() => void audit.refetch()}>
          <RefreshCw />
        </IconButton>
      }
      tools={
        <AuditTools
          search={search}
          onSearch={(next) => {
            setSearch(next);
            setPage(1);
          }}
        />
      }
      read={audit}
      failure="Failed to load the audit log"
      loading="Loading entries..."
      none={
        <EmptyState>
          {search === '' ? 'No entries yet.' : 'No entry matches this search.'}
        </EmptyState>
      }
      narrowed={false}
      pages={{
        page,
        perPage: AUDIT_ROWS,
        onPage: setPage,
        total: (n) => `${n} ${n === 1 ? 'entry' : 'entries'}, times in ${zoneName()}`,
      }}
    >
      {(rows) => (
        <ul aria-label="Audit entries">
          {rows.map((entry) => (
            <AuditRow key={entry.id} entry={entry} names={names} />
          ))}
        </ul>
      )}
    </List>
  );
}

function AuditRow({ entry, names }: { entry: AuditEntry; names: PlaceNames }) {
  const details = auditDetails(entry, names);
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b border-line px-5 py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <div className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-medium">{auditText(entry.action)}</span>
          {/* The name in the search and the file. */}
          <span className="code text-xs text-ink-3">{entry.action}</span>
        </div>
        <div className="text-sm wrap-anywhere text-ink-2" title={entry.subjectId ?? undefined}>
          {auditSubject(entry)}
        </div>
        {details !== '' && <div className="text-sm wrap-anywhere text-ink-3">{details}</div>}
      </div>
      <div className="text-xs text-ink-3 tabular-nums sm:text-end">
        <div className="break-all text-ink-2">{entry.adminEmail ?? 'The system'}</div>
        <time dateTime={entry.at}>{formatDateTime(entry.at)}</time>
        <div>{entry.number === null ? 'not sealed yet' : `No. ${entry.number}`}</div>
      </div>
    </li>
  );
}

function AuditTools({ search, onSearch }: { search: string; onSearch(search: string): void }) {
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(typed.trim());
  };
  return (
    <div className="flex flex-wrap gap-3 border-b border-line px-5 py-3">
      <search className="min-w-0 flex-1 basis-72">
        <form onSubmit={submit} className="flex gap-2">
          <InputWithIcon
            icon={<Search />}
            type="search"
            aria-label="Search the audit log"
            className="min-w-0 flex-1"
            placeholder="Action, email or id"
            maxLength={200}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              // Cleared by typing or by the button in the box.
              if (event.target.value === '') onSearch('');
            }}
          />
          <Button type="submit">Search</Button>
        </form>
      </search>
      <DownloadButton
        onDownload={(format) => downloadAudit(search, format)}
        onFailed={(error) => showFailure('Failed to download the audit log', error)}
      >
        {(format) => (format === 'csv' ? 'Download CSV' : 'Download Excel')}
      </DownloadButton>
    </div>
  );
}

const AUDIT_ROWS = 10;

function useAudit(search: string, page: number) {
  const query = {
    ...(search === '' ? {} : { search }),
    limit: AUDIT_ROWS,
    offset: (page - 1) * AUDIT_ROWS,
  };
  return useQuery({ ...pageQuery(listAudit, { query }), placeholderData: keepPreviousData });
}

async function downloadAudit(search: string, format: TableFormat): Promise<void> {
  const query = { ...(search === '' ? {} : { search }), ...formatQuery(format) };
  await downloadFile({ name: 'Audit log', fallback: `audit_log.${format}` }, exportAudit, {
    query,
  });
}

const ACTIONS: Partial<Record<string, string>> = {
  'admin.added': 'Added an administrator',
  'admin.code_refused': 'Entered the right password but a wrong code',
  'admin.deleted': 'Deleted an administrator',
  'admin.password_changed': 'Changed their password',
  'admin.password_reset': 'Reset a forgotten password',
  'admin.recovery_codes_renewed': 'Created new recovery codes',
  'admin.renamed': 'Changed their name',
  'admin.reset_requested': 'Requested a password reset link',
  'admin.roles_changed': 'Changed the roles of an administrator',
  'admin.session_ended': 'Ended another session of their own',
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
  'invitation.tested': 'Sent a test invitation',
  'invitation.accommodated': 'Changed accommodations of an invitation',
  'invitations.exported': 'Exported a list of invitations',
  'invitations.reminded': 'Sent reminders',
  'invitations.resent': 'Resent invitations',
  'invitations.passwords_made': 'Made one-time passwords to hand out',
  'invitations.revoked': 'Revoked invitations',
  'invitations.sent': 'Sent invitations',
  'outbox.message_hastened': 'Had a waiting message tried early',
  'outbox.message_read': 'Read a waiting message',
  'outbox.message_revealed': 'Read a waiting message with the password',
  'people.exported': 'Exported people',
  'people.fields_changed': 'Changed the fields of people',
  'people.imported': 'Added or changed people by a list',
  'person.changed': 'Changed what is known of a person',
  'participant.another_attempt': 'Allowed another attempt',
  'participant.ended': 'Ended an attempt',
  'participant.extended': 'Gave extra time',
  'participant.rescored': 'Rescored an attempt',
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
  'question.restored': 'Took the deletion of a question back',
  'questions.exported': 'Exported questions with their keys',
  'questions.imported': 'Imported questions from a file',
  'question.labeled': 'Changed the labels of a question',
  'quiz.release_set': 'Changed the release of results',
  'quiz.results_released': 'Released results',
  'participant.certificate_issued': 'Issued a certificate',
  'participant.certificate_revoked': 'Revoked a certificate',
  'quiz.results_set': 'Changed the pass mark or grades of an assessment',
  'quiz.structured': 'Changed sections or scoring of an assessment',
  'questions.added': 'Added questions',
  'questions.reordered': 'Reordered questions',
  'quiz.archived': 'Deleted an assessment',
  'quiz.created': 'Created an assessment',
  'quiz.duplicated': 'Duplicated an assessment',
  'quiz.edited': 'Edited an assessment',
  'institution.changed': 'Changed the settings of the institution',
  'retention.changed': 'Changed the retention',
  'retention.deleted': 'Deleted expired monitoring data',
  'secret_key.lost': 'Discarded the previous secret key',
  'secret_key.rotated': 'Changed the secret key',
  'sign_in_policy.changed': 'Changed the sign-in requirements',
  'smtp_settings.changed': 'Changed the SMTP settings',
  'smtp_settings.tested': 'Sent a test message',
  'statistics.exported': 'Exported statistics with the keys of questions',
  'trust.accepted': 'Accepted changed data as is',
  'trust.extended': 'Sealed what a former version had not sealed',
};

export function auditText(action: string): string {
  return ACTIONS[action] ?? action;
}

const SUBJECTS: Partial<Record<string, string>> = {
  admin: 'Administrator',
  category: 'Category',
  invitation: 'Invitation',
  outbox_message: 'Message',
  participant: 'Participant',
  question: 'Question',
  quiz: 'Assessment',
  session: 'Session',
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
  return name === null ? type : `${type}: ${isolated(name)}`;
}

/**
 * The details in one line of words: `participants: 12, reason: typo`. Omits empty values; an id is the name of its
 * place, or is left out, and lists of ids are shown by length. The file has all details.
 */
export function auditDetails({ details }: Pick<AuditEntry, 'details'>, names: PlaceNames): string {
  return Object.entries(details ?? {})
    .map(([name, value]) => [labelOf(name), inWords(value, names)] as const)
    .filter(([, text]) => text !== '')
    .map(([label, text]) => `${label}: ${text}`)
    .join(', ');
}

/** Labels that say more than the words of the field's name. */
const LABELS: Partial<Record<string, string>> = {
  isNamed: 'selected one by one',
  externalId: 'number',
  extraTimeFactor: 'time factor',
  publicUrl: 'public address',
  totpRequired: 'two-step sign-in required',
};

/** The words of a name in code: `openDays` and `open_days` are `open days`. */
const labelOf = (name: string): string =>
  LABELS[name] ??
  name
    .replace(/^(?:is|has)(?=[A-Z])|(?<=[a-z])Id$/g, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .trim()
    .toLowerCase();

const Grants = z.array(Grant);

/** A value of any shape without the signs of code; empty where there is nothing to say. */
function inWords(value: unknown, names: PlaceNames): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number') return numberText(value, { maximumFractionDigits: 4 });
  if (typeof value === 'string') return textInWords(value, names);
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isId)) return String(value.length);
    const grants = Grants.safeParse(value).data;
    if (grants !== undefined) return grantLines(grants, names).join(', ');
    return filled(value.map((one) => inWords(one, names))).join(', ');
  }
  if (typeof value !== 'object' || value === null) return '';
  // A name comes first: `A from 90`. A kind that has a field of its own is said there.
  const { name, title, kind, ...others } = value as Record<string, unknown>;
  const ofKind = typeof kind === 'string' && kind in others ? '' : kind;
  const called = filled([name, title, ofKind].map((one) => inWords(one, names)));
  const parts = Object.entries(others).map(([field, of]) => {
    const text = inWords(of, names);
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
