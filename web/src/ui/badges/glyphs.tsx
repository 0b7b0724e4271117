import type { ReactNode } from 'react';

/** The status glyphs: a ring is to do, a filled circle is done. */
export type GlyphName = 'dashed' | 'half' | 'ticked' | 'slashed' | 'dot' | 'ring' | 'cross';

const RING = <circle cx="6" cy="6" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />;
const DISC = <circle cx="6" cy="6" r="5" fill="currentColor" />;
/** Strokes inside a disc have its background color, passed by the badge as `--g`. */
const INNER = {
  fill: 'none',
  stroke: 'var(--g, var(--color-surface))',
  strokeWidth: 1.4,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const;

const SHAPES: Record<GlyphName, ReactNode> = {
  dashed: (
    <circle
      cx="6"
      cy="6"
      r="4.25"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2.2 2.25"
    />
  ),
  half: (
    <>
      {RING}
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" fill="currentColor" />
    </>
  ),
  ticked: (
    <>
      {DISC}
      <path d="m3.7 6.2 1.6 1.6 3-3.4" {...INNER} />
    </>
  ),
  slashed: (
    <>
      {RING}
      <path d="m3.1 8.9 5.8-5.8" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
  dot: <circle cx="6" cy="6" r="4" fill="currentColor" />,
  ring: RING,
  cross: (
    <>
      {DISC}
      <path d="m4.3 4.3 3.4 3.4M7.7 4.3 4.3 7.7" {...INNER} />
    </>
  ),
};

export function Glyph({ name, className = '' }: { name: GlyphName; className?: string }) {
  return (
    <svg
      width="12"
      height="12"
      viewBox="0 0 12 12"
      aria-hidden="true"
      data-shape=""
      className={`flex-none ${className}`}
    >
      {SHAPES[name]}
    </svg>
  );
}
