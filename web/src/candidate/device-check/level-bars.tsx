import { useMonitor } from '../../proctoring/use-monitor.ts';

const BARS = 38;
/** The scale of the level ends here (product 6). */
const LOUDEST = 120;

const SENTENCE = 'Say a few words: “I am ready to begin my assessment.” The bars should move.';

/** A level meter. Screen readers get the text 'Voice: … dB' below it. */
export function LevelBars({ redAbove, spoken }: { redAbove: number; spoken: boolean }) {
  const level = useMonitor('level');
  // The part below "red", the range of a quiet room, has most of the width.
  const redFrom = Math.round(BARS * 0.8);
  const filled =
    level === null
      ? 0
      : level <= redAbove
        ? Math.round((level / redAbove) * redFrom)
        : redFrom + Math.ceil(((level - redAbove) / (LOUDEST - redAbove)) * (BARS - redFrom));
  return (
    <div className="flex h-full flex-col justify-between px-6 pt-4.5 pb-4">
      <p className="text-ink-2" role="status">
        {spoken ? 'We can hear you. From now on, keep the room quiet.' : SENTENCE}
      </p>
      <div>
        <div aria-hidden="true" data-shape="" className="mb-2.5 flex h-18 items-end gap-1 md:h-26">
          {Array.from({ length: BARS }, (_, i) => (
            <i
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
              key={i}
              style={{ height: `${18 + (i / (BARS - 1)) * 78}%` }}
              className={`flex-1 rounded-[2px] ${i < filled ? (i < redFrom ? 'bg-ok' : 'bg-bad') : i < redFrom ? 'bg-line-2' : 'bg-bad-line'}`}
            />
          ))}
        </div>
        <p className="flex justify-between text-sm text-ink-3">
          <span>Quiet</span>
          <span>Too loud</span>
        </p>
      </div>
    </div>
  );
}
