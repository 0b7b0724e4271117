import { Trash2 } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';

/** Toolbar of the selection mode: all, none, delete. */
export function QuestionsSelection({
  selected,
  total,
  onAll,
  onDelete,
  onDone,
}: {
  selected: number;
  total: number;
  onAll(isSelected: boolean): void;
  onDelete(): void;
  onDone(): void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line py-2.5">
      <Checkbox
        label="Select all"
        checked={selected === total}
        onChange={(event) => onAll(event.target.checked)}
      />
      <span role="status" className="text-sm text-ink-2 tabular-nums">
        {`${selected} selected`}
      </span>
      <span className="flex flex-wrap gap-2 sm:ml-auto">
        <Button size="dense" onClick={onDone}>
          Cancel
        </Button>
        <Button
          variant="danger-ghost"
          size="dense"
          icon={<Trash2 />}
          aria-disabled={selected === 0}
          onClick={onDelete}
        >
          Delete selected
        </Button>
      </span>
    </div>
  );
}
