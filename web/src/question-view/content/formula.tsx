import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Region } from '../../ui/region.tsx';
import { loadedMathematics, watchLoads } from './load-mathematics.ts';

interface FormulaProps {
  tex: string;
  display: boolean;
}

/** A formula; its source while KaTeX loads, when it cannot be read (with a sentence), and when it fails. */
export function Formula(props: FormulaProps) {
  return (
    <Region name="A formula" fallback={() => <code>{props.tex}</code>}>
      <DrawnFormula {...props} />
    </Region>
  );
}

function DrawnFormula({ tex, display }: FormulaProps) {
  const mathematics = useSyncExternalStore(watchLoads, loadedMathematics);
  const place = useRef<HTMLSpanElement>(null);
  const [unreadable, setUnreadable] = useState<string | null>(null);
  /** A formula inside a control has no structure for assistive technology: its name has the source. */
  const [isInControl, setInControl] = useState(false);
  useLayoutEffect(() => {
    if (mathematics === null || place.current === null) return;
    setInControl(place.current.closest('button, label') !== null);
    setUnreadable(mathematics(tex, place.current, display) ? null : tex);
  }, [mathematics, tex, display]);
  const isSource = mathematics === null || unreadable === tex;
  return (
    // An inline block moves to the next line as a whole: KaTeX lets lines end behind operators.
    <span className={display ? 'block py-1' : 'inline-block max-w-full'}>
      <span ref={place} hidden={isSource} aria-hidden={isInControl || undefined} />
      {isInControl && !isSource && <span className="sr-only">{tex}</span>}
      {isSource && (
        <code className="rounded-sm bg-fill px-1 font-mono text-[0.9em] break-words text-ink">
          {tex}
        </code>
      )}
      {unreadable === tex && (
        <span className="text-sm text-ink-2"> This formula cannot be displayed.</span>
      )}
    </span>
  );
}
