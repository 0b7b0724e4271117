import type { AuditEntry } from '@invigil/core/contract/audit';

/** What an entry is about: `quiz 3f2a…`, or nothing where it has no subject. */
export function auditSubject({
  subjectType,
  subjectId,
}: Pick<AuditEntry, 'subjectType' | 'subjectId'>): string {
  return [subjectType, subjectId].filter((part) => part !== null).join(' ');
}

/** The details in one line: `participants: 12, reason: typo`; what is empty is left out. */
export function auditDetails({ details }: Pick<AuditEntry, 'details'>): string {
  return Object.entries(details ?? {})
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
