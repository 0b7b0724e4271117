import type { ImportItem } from '@invigil/core/contract/assessments/imports';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { isDraft } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';

export const IMPORT_STATUSES = [
  'unchanged',
  'changed',
  'draft',
  'duplicate',
  'unsupported',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const STATUS_LABELS: Record<ImportStatus, () => string> = {
  unchanged: () =>
    t(
      /* said of a question of a file: it is imported as it is there */ 'import.status.unchanged',
      'Unchanged',
    ),
  changed: () =>
    t(
      /* said of a question of a file: not everything in it is kept */ 'import.status.changed',
      'Changed',
    ),
  draft: () =>
    t(/* said of a question of a file: it is not finished */ 'import.status.draft', 'Draft'),
  duplicate: () =>
    t(
      /* said of a question of a file: it is in the bank already */ 'import.status.duplicate',
      'Duplicate',
    ),
  unsupported: () =>
    t(
      /* said of a question of a file: it cannot be imported */ 'import.status.unsupported',
      'Not supported',
    ),
};

export function statusOfItem({
  definition,
  isDuplicate,
  isDraft,
  notes,
}: ImportItem): ImportStatus {
  if (definition === null) return 'unsupported';
  if (isDuplicate) return 'duplicate';
  if (isDraft) return 'draft';
  return notes.length > 0 ? 'changed' : 'unchanged';
}

/** The items, some of them as a person changed them. */
export function withChanges(
  items: readonly ImportItem[],
  changes: ReadonlyMap<number, QuestionDefinition>,
): readonly ImportItem[] {
  return items.map((item, i) => {
    const definition = changes.get(i);
    return definition === undefined
      ? item
      : {
          ...item,
          definition,
          isDraft: isDraft(definition),
          isDuplicate: false,
          notes: [
            t(
              /* a note about a question of a file */ 'import.youChanged',
              'You changed this question.',
            ),
          ],
        };
  });
}

export function countByStatus(items: readonly ImportItem[]): Record<ImportStatus, number> {
  const counts = { unchanged: 0, changed: 0, draft: 0, duplicate: 0, unsupported: 0 };
  for (const item of items) counts[statusOfItem(item)] += 1;
  return counts;
}

/** Positions of the items with a status; `null`: all. */
export function positionsOf(items: readonly ImportItem[], status: ImportStatus | null): number[] {
  return items.flatMap((item, i) => (status === null || statusOfItem(item) === status ? [i] : []));
}

/** The first selection: everything that can be imported and, unless `withDuplicates`, is new. */
export function initialSelection(
  items: readonly ImportItem[],
  withDuplicates: boolean,
): Set<number> {
  return new Set(
    items.flatMap(({ definition, isDuplicate }, i) =>
      definition !== null && (withDuplicates || !isDuplicate) ? [i] : [],
    ),
  );
}

export function placeOf({ source: { file, identifier, line } }: ImportItem): string {
  if (identifier === undefined) {
    return line === undefined
      ? file
      : t(/* the place of a question */ 'import.place.line', '{file}, line {line}', { file, line });
  }
  return line === undefined
    ? t(
        /* the place of a question in a package: identifier is the item’s own name */ 'import.place.item',
        '{file}, item {identifier}',
        { file, identifier },
      )
    : t('import.place.itemLine', '{file}, item {identifier}, line {line}', {
        file,
        identifier,
        line,
      });
}
