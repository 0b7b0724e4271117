import { Bell, RotateCcw, Undo2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';

export type SelectionAction = 'resend' | 'remind' | 'revoke';

/** The selection, "select all matching", and bulk actions. */
export function InvitationsSelection({
  pageIds,
  selected,
  total,
  onSelect,
  onSelectAll,
  selectingAll,
  onClear,
  onAction,
}: {
  pageIds: readonly string[];
  selected: ReadonlySet<string>;
  /** Number of matches on all pages. */
  total: number;
  onSelect(ids: readonly string[], isSelected: boolean): void;
  onSelectAll(): void;
  selectingAll: boolean;
  onClear(): void;
  onAction(action: SelectionAction): void;
}) {
  const n = selected.size;
  const isPageSelected = pageIds.length > 0 && pageIds.every((id) => selected.has(id));
  const canAct = n > 0;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-2.5 md:px-5">
      <Checkbox
        label="Select all on this page"
        checked={isPageSelected}
        onChange={(event) => onSelect(pageIds, event.target.checked)}
      />
      {isPageSelected && n < total && (
        <Button
          variant="ghost"
          size="dense"
          busy={selectingAll && 'Selecting…'}
          onClick={onSelectAll}
        >
          {`Select all ${total.toLocaleString('en-GB')} that match`}
        </Button>
      )}
      <span role="status" className="text-sm text-ink-2 tabular-nums">
        {n === 0 ? '' : `${n.toLocaleString('en-GB')} selected`}
      </span>
      {canAct && (
        <Button variant="ghost" size="dense" onClick={onClear}>
          Clear selection
        </Button>
      )}
      <span className="flex flex-wrap gap-2 md:ml-auto">
        <Button
          variant="danger-ghost"
          size="dense"
          icon={<Undo2 />}
          aria-disabled={!canAct}
          onClick={() => onAction('revoke')}
        >
          Revoke
        </Button>
        <Button
          size="dense"
          icon={<Bell />}
          aria-disabled={!canAct}
          onClick={() => onAction('remind')}
        >
          Remind
        </Button>
        <Button
          size="dense"
          icon={<RotateCcw />}
          aria-disabled={!canAct}
          onClick={() => onAction('resend')}
        >
          Resend
        </Button>
      </span>
    </div>
  );
}
