import { isReversed } from './direction.ts';

type Side = 'top' | 'right' | 'bottom' | 'left';
/** `end`: where a line goes on. */
export type WishedSide = 'top' | 'bottom' | 'end';

const GAP_PX = 6;
const EDGE_PX = 8;
const OPPOSITE: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' };

interface Box {
  top: number;
  left: number;
  width: number;
  height: number;
}

/**
 * Positions a box beside an anchor: on the preferred side, on the opposite one if there is no room,
 * always inside the window. `arrow` is the position of the anchor's middle along that side.
 */
export function positionBeside(
  size: { width: number; height: number },
  anchor: Box,
  wished: Side,
  view: { width: number; height: number },
): { side: Side; top: number; left: number; arrow: number } {
  const room: Record<Side, number> = {
    top: anchor.top,
    bottom: view.height - anchor.top - anchor.height,
    left: anchor.left,
    right: view.width - anchor.left - anchor.width,
  };
  const isVertical = wished === 'top' || wished === 'bottom';
  const needed = (isVertical ? size.height : size.width) + GAP_PX + EDGE_PX;
  const turns = room[wished] < needed && room[OPPOSITE[wished]] > room[wished];
  const side = turns ? OPPOSITE[wished] : wished;

  const middleX = anchor.left + anchor.width / 2;
  const middleY = anchor.top + anchor.height / 2;
  const within = (at: number, length: number, whole: number) =>
    Math.max(EDGE_PX, Math.min(at, whole - length - EDGE_PX));
  if (isVertical) {
    const left = within(middleX - size.width / 2, size.width, view.width);
    const top =
      side === 'top' ? anchor.top - GAP_PX - size.height : anchor.top + anchor.height + GAP_PX;
    return { side, top, left, arrow: middleX - left };
  }
  const top = within(middleY - size.height / 2, size.height, view.height);
  const left =
    side === 'left' ? anchor.left - GAP_PX - size.width : anchor.left + anchor.width + GAP_PX;
  return { side, top, left, arrow: middleY - top };
}

/** Positions a fixed element beside an anchor; sets `--arrow` for its arrow. */
export function placeBeside(element: HTMLElement, anchor: Box, wished: WishedSide): void {
  const size = { width: element.offsetWidth, height: element.offsetHeight };
  const view = {
    width: document.documentElement.clientWidth,
    height: document.documentElement.clientHeight,
  };
  const { side, top, left, arrow } = positionBeside(
    size,
    anchor,
    wished !== 'end' ? wished : isReversed(element) ? 'left' : 'right',
    view,
  );
  element.style.top = `${Math.round(top)}px`;
  element.style.left = `${Math.round(left)}px`;
  element.dataset.side = side;
  // The arrow is 10 px wide and positioned by its corner.
  element.style.setProperty('--arrow', `${Math.round(arrow) - 5}px`);
}
