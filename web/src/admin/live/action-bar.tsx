import { Clock, MessageSquare, OctagonX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { ActionDialog, type ActionKind } from './action-dialog.tsx';

/** An action being prepared, and for whom: the board keeps updating behind it. */
interface Begun {
  kind: ActionKind;
  ids: readonly string[];
}

/**
 * Actions for many at once: select candidates, then message, extra time or end. The dialog stays
 * open when the last selected attempt ends, and when the board is empty.
 */
export function ActionBar({
  all,
  selected,
  onSelect,
}: {
  /** Everyone on the board as it is filtered. */
  all: readonly string[];
  selected: readonly string[];
  onSelect(ids: readonly string[]): void;
}) {
  const [begun, setBegun] = useState<Begun | null>(null);
  return (
    <>
      {all.length > 0 && (
        <div className="mb-5 flex min-h-9 flex-wrap items-center gap-x-5 gap-y-2">
          <Checkbox
            label={
              selected.length === 0 ? `Select all (${all.length})` : `${selected.length} selected`
            }
            checked={selected.length > 0 && selected.length === all.length}
            onChange={(event) => onSelect(event.target.checked ? all : [])}
          />
          {selected.length > 0 && (
            <ActionChoice onBegin={(kind) => setBegun({ kind, ids: selected })} />
          )}
        </div>
      )}
      {begun !== null && (
        <ActionDialog
          {...begun}
          // Keep the selection: a message is often followed by the extra time it mentions.
          onClose={() => setBegun(null)}
        />
      )}
    </>
  );
}

/** Actions for one attempt in progress. An open dialog stays open when the attempt ends. */
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
      <Button icon={<MessageSquare />} onClick={() => onBegin('message')}>
        Message
      </Button>
      <Button icon={<Clock />} onClick={() => onBegin('extend')}>
        Extra time
      </Button>
      <Button variant="danger-ghost" icon={<OctagonX />} onClick={() => onBegin('end')}>
        End now
      </Button>
    </div>
  );
}
