import { GripVertical } from 'lucide-react';
import { type PointerEvent, useState } from 'react';

/** The place in the list that lies under a pointer, by the `data-place` of its rows. */
function placeUnder(event: PointerEvent): number | null {
  const row = document
    .elementFromPoint(event.clientX, event.clientY)
    ?.closest<HTMLElement>('[data-place]');
  return row === null || row === undefined ? null : Number(row.dataset.place);
}

/** Moves a row by drag (mouse, pen or finger) or, while it has the focus, with the arrow keys. */
export function MoveHandle({
  number,
  last,
  locked,
  onOver,
  onMove,
}: {
  /** Place in the list, counted from 1. */
  number: number;
  last: number;
  locked: boolean;
  /** While dragging: the place it would go to. */
  onOver(place: number | null): void;
  onMove(place: number): void;
}) {
  const [dragging, setDragging] = useState(false);
  const stop = () => {
    setDragging(false);
    onOver(null);
  };
  return (
    <button
      type="button"
      data-move=""
      aria-label={`Move question ${number}`}
      aria-description="Arrow up and arrow down move it; it can be dragged too"
      aria-disabled={locked}
      className={`-mt-1.5 -mr-2 grid size-8 flex-none touch-none place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:text-ink-off touch:size-11 ${dragging ? 'cursor-grabbing!' : 'cursor-grab!'}`}
      onKeyDown={(event) => {
        const to =
          event.key === 'ArrowUp' ? number - 1 : event.key === 'ArrowDown' ? number + 1 : 0;
        if (to === 0 && event.key !== 'ArrowUp') return;
        event.preventDefault();
        if (!locked && to >= 1 && to <= last) onMove(to);
      }}
      onPointerDown={(event) => {
        if (locked || event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragging(true);
      }}
      onPointerMove={(event) => {
        if (dragging) onOver(placeUnder(event));
      }}
      onPointerUp={(event) => {
        if (!dragging) return;
        const place = placeUnder(event);
        stop();
        if (place !== null && place !== number) onMove(place);
      }}
      onPointerCancel={stop}
    >
      <GripVertical aria-hidden="true" className="size-4.5" strokeWidth={1.5} />
    </button>
  );
}
