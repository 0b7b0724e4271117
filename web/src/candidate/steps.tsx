import { t } from '@invigil/core/texts/i18n';
import { Glyph } from '../ui/badges/glyphs.tsx';

const STEPS = {
  instructions: () => t(/* a step */ 'steps.instructions', 'Instructions'),
  deviceCheck: () => t(/* a step */ 'steps.deviceCheck', 'Device check'),
  assessment: () => t(/* a step: the questions */ 'steps.assessment', 'Assessment'),
  review: () => t(/* a step: the candidate looks at the answers */ 'steps.review', 'Review'),
};

/** Progress through the screens: done is filled, current is half, later is a ring. */
export function Steps({ current }: { current: keyof typeof STEPS }) {
  const now = Object.keys(STEPS).indexOf(current);
  return (
    <ol
      aria-label={t('steps.label', 'Steps')}
      className="hidden items-center gap-2.5 text-sm text-ink-3 md:flex"
    >
      {Object.entries(STEPS).map(([step, name], index) => (
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
          <span>{name()}</span>
        </li>
      ))}
    </ol>
  );
}
