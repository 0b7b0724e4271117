import { Clock, MessageSquare, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { ActionDialog, type ActionKind } from './action-dialog.tsx';

/** An action that is being written, and for whom: the board goes on behind it. */
interface Begun {
  kind: ActionKind;
  ids: readonly string[];
}

/**
 * The same to many at once: choose them, then message, time or the end. What is being written stays
 * open when the last of those it is for ends, and when nobody is left on the board.
 */
export function ActionBar({
  all,
  chosen,
  onChoose,
}: {
  /** Everyone on the board as it is filtered. */
  all: readonly string[];
  chosen: readonly string[];
  onChoose(ids: readonly string[]): void;
}) {
  const [begun, setBegun] = useState<Begun | null>(null);
  return (
    <>
      {all.length > 0 && (
        <div className="mb-5 flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2">
          <Checkbox
            label={chosen.length === 0 ? `Select all (${all.length})` : `${chosen.length} selected`}
            checked={chosen.length > 0 && chosen.length === all.length}
            onChange={(event) => onChoose(event.target.checked ? all : [])}
          />
          {chosen.length > 0 && (
            <ActionChoice onBegin={(kind) => setBegun({ kind, ids: chosen })} />
          )}
        </div>
      )}
      {begun !== null && (
        <ActionDialog
          {...begun}
          // The selection stays: after a message often comes the time that it speaks of.
          onClose={() => setBegun(null)}
        />
      )}
    </>
  );
}

/** What can be done with one person who is writing. What was begun stays open when they end. */
export function ActionButtons({ id, ended }: { id: string; ended: boolean }) {
  const [kind, setKind] = useState<ActionKind | null>(null);
  return (
    <>
      {!ended && <ActionChoice onBegin={setKind} />}
      {kind !== null && <ActionDialog kind={kind} ids={[id]} onClose={() => setKind(null)} />}
    </>
  );
}

function ActionChoice({ onBegin }: { onBegin(kind: ActionKind): void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        icon={<MessageSquare aria-hidden="true" strokeWidth={1.5} />}
        onClick={() => onBegin('message')}
      >
        Message
      </Button>
      <Button
        icon={<Clock aria-hidden="true" strokeWidth={1.5} />}
        onClick={() => onBegin('extend')}
      >
        Extra time
      </Button>
      <Button
        variant="danger-ghost"
        icon={<OctagonX aria-hidden="true" strokeWidth={1.5} />}
        onClick={() => onBegin('end')}
      >
        End now
      </Button>
    </div>
  );
}
