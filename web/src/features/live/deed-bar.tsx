import { Clock, MessageSquare, Square } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DeedDialog, type DeedKind } from './deed-dialog.tsx';

/** The same to many at once: choose them, then message, time or the end. */
export function DeedBar({
  all,
  chosen,
  onChoose,
}: {
  /** Everyone on the board as it is filtered. */
  all: readonly string[];
  chosen: readonly string[];
  onChoose(ids: readonly string[]): void;
}) {
  return (
    <div className="mb-5 flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2">
      <Checkbox
        label={chosen.length === 0 ? `Choose all ${all.length}` : `${chosen.length} chosen`}
        checked={chosen.length > 0 && chosen.length === all.length}
        onChange={(event) => onChoose(event.target.checked ? all : [])}
      />
      {chosen.length > 0 && <DeedButtons ids={chosen} onDone={() => onChoose([])} />}
    </div>
  );
}

/** What can be done with people who are writing. */
export function DeedButtons({ ids, onDone }: { ids: readonly string[]; onDone?: () => void }) {
  const [open, setOpen] = useState<{ kind: DeedKind; ids: readonly string[] } | null>(null);
  // Whom it concerns stands when the dialog opens: the board goes on behind it.
  const begin = (kind: DeedKind) => () => setOpen({ kind, ids });
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        icon={<MessageSquare aria-hidden="true" strokeWidth={1.5} />}
        onClick={begin('message')}
      >
        Message
      </Button>
      <Button icon={<Clock aria-hidden="true" strokeWidth={1.5} />} onClick={begin('extend')}>
        Extra time
      </Button>
      <Button
        variant="danger-ghost"
        icon={<Square aria-hidden="true" strokeWidth={1.5} />}
        onClick={begin('end')}
      >
        End now
      </Button>
      {open !== null && (
        <DeedDialog
          kind={open.kind}
          ids={open.ids}
          onClose={(done) => {
            setOpen(null);
            if (done) onDone?.();
          }}
        />
      )}
    </div>
  );
}
