import { Archive, ArchiveRestore, FolderInput, Tags, Trash2 } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { SelectionBar } from '../questions/selection-bar.tsx';
import { BULK_MAX } from './bank-api.ts';

export type BankAction = 'labels' | 'move' | 'archive' | 'restore' | 'delete';

export interface BankSelectionProps {
  selected: ReadonlySet<string>;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  /** Absent: the list has one page. */
  onSelectAll?: () => void;
  selectingAll?: boolean;
  onClear(): void;
  onAction(action: BankAction): void;
}

/** The selection, "select all matching", and bulk actions. */
export function BankSelection({
  pageIds,
  pageLabel = 'Select all on this page',
  total,
  selected,
  isArchived,
  onSelect,
  onSelectAll,
  selectingAll = false,
  onClear,
  onAction,
}: BankSelectionProps & {
  /** What the first checkbox selects. */
  pageIds: readonly string[];
  pageLabel?: string;
  /** Number of matches on all pages. */
  total: number;
  /** The list shows archived questions: they can be restored. */
  isArchived: boolean;
}) {
  const n = selected.size;
  const isPageSelected = pageIds.every((id) => selected.has(id));
  const all = Math.min(total, BULK_MAX);
  return (
    <SelectionBar
      label={pageLabel}
      ids={pageIds}
      selected={selected}
      onSelect={onSelect}
      more={
        onSelectAll !== undefined &&
        isPageSelected &&
        n < all && (
          <Button
            variant="ghost"
            size="dense"
            busy={selectingAll && 'Selecting…'}
            onClick={onSelectAll}
          >
            {all < total
              ? `Select the first ${all.toLocaleString('en-GB')} that match`
              : `Select all ${total.toLocaleString('en-GB')} that match`}
          </Button>
        )
      }
    >
      {n > 0 && (
        <>
          <Button variant="ghost" size="dense" onClick={onClear}>
            Clear selection
          </Button>
          <span className="flex flex-wrap gap-2 md:ml-auto">
            <Button size="dense" icon={<Tags />} onClick={() => onAction('labels')}>
              Labels
            </Button>
            <Button size="dense" icon={<FolderInput />} onClick={() => onAction('move')}>
              Move
            </Button>
            {isArchived ? (
              <Button size="dense" icon={<ArchiveRestore />} onClick={() => onAction('restore')}>
                Restore
              </Button>
            ) : (
              <Button size="dense" icon={<Archive />} onClick={() => onAction('archive')}>
                Archive
              </Button>
            )}
            <Button
              variant="danger-ghost"
              size="dense"
              icon={<Trash2 />}
              onClick={() => onAction('delete')}
            >
              Delete
            </Button>
          </span>
        </>
      )}
    </SelectionBar>
  );
}
