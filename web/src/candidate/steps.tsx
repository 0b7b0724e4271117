import { Glyph } from '../ui/badges/glyphs.tsx';

const STEPS = ['Instructions', 'Device check', 'Assessment', 'Review'] as const;

/** Progress through the screens: done is filled, current is half, later is a ring. */
export function Steps({ current }: { current: (typeof STEPS)[number] }) {
  const now = STEPS.indexOf(current);
  return (
    <ol aria-label="Steps" className="hidden items-center gap-2.5 text-sm text-ink-3 md:flex">
      {STEPS.map((step, index) => (
        <li
          key={step}
          {...(index === now ? { 'aria-current': 'step' } : {})}
          className={`flex items-center gap-2 whitespace-nowrap ${index === now ? 'font-semibold text-ink' : index < now ? 'text-ink-2' : ''}`}
        >
          {index > 0 && <span aria-hidden="true" className="me-0.5 h-px w-5 bg-line-2" />}
          <Glyph
            name={index < now ? 'ticked' : index === now ? 'half' : 'ring'}
            className={index <= now ? 'text-accent' : ''}
          />
          <span>{step}</span>
        </li>
      ))}
    </ol>
  );
}
