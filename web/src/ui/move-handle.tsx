import { t } from '@invigil/core/texts/i18n';
import { GripVertical } from 'lucide-react';
import { type PointerEvent, useEffect, useRef, useState } from 'react';

export function movedTo<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = [...list];
  const [moved] = rest.splice(from, 1);
  if (moved !== undefined) rest.splice(to, 0, moved);
  return rest;
}

function placeUnder(event: PointerEvent): number | null {
  const row = document
    .elementFromPoint(event.clientX, event.clientY)
    ?.closest<HTMLElement>('[data-place]');
  return row === null || row === undefined ? null : Number(row.dataset.place);
}

const EDGE_PX = 48;
const STEP_PX = 8;

function scrollAtEdge(body: Element | null, y: number): void {
  const { top, bottom } = body?.getBoundingClientRect() ?? { top: 0, bottom: window.innerHeight };
  const scrolling = body ?? document.documentElement;
  if (y < top + EDGE_PX) scrolling.scrollTop -= STEP_PX;
  else if (y > bottom - EDGE_PX) scrolling.scrollTop += STEP_PX;
}

/** Moves a row by drag (mouse, pen or finger) or, while it has the focus, with the arrow keys. */
export function MoveHandle({
  number,
  label = t('ui.move.question', 'Move question {number}', { number }),
  last,
  locked,
  onOver,
  onMove,
}: {
  number: number;
  label?: string;
  last: number;
  locked: boolean;
  onOver(place: number | null): void;
  onMove(place: number): void;
}) {
  const [dragging, setDragging] = useState(false);
  const scrolling = useRef<ReturnType<typeof setInterval>>(undefined);
  const pointerY = useRef(0);
  useEffect(() => () => clearInterval(scrolling.current), []);
  const stop = () => {
    clearInterval(scrolling.current);
    setDragging(false);
    onOver(null);
  };
  return (
    <button
      type="button"
      data-move=""
      aria-label={label}
      aria-description={t(
        /* it: the row to be moved */ 'ui.move.hint',
        'Press the up or down arrow key, or drag it',
      )}
      aria-disabled={locked}
      className={`-mt-1.5 -me-2 grid size-8 max-sm:-ms-3 max-sm:-me-3 flex-none touch-none place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink aria-disabled:cursor-not-allowed aria-disabled:text-ink-off touch:size-11 ${dragging ? 'cursor-grabbing!' : 'cursor-grab!'}`}
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
        pointerY.current = event.clientY;
        const body = event.currentTarget.closest('[data-dialog-body]');
        scrolling.current = setInterval(() => scrollAtEdge(body, pointerY.current), 16);
      }}
      onPointerMove={(event) => {
        pointerY.current = event.clientY;
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
      <GripVertical className="size-4.5" />
    </button>
  );
}
