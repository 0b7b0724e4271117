import { t } from '@invigil/core/texts/i18n';
import { type RefObject, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Region } from '../../ui/region.tsx';
import { useScrollEdges } from '../../ui/use-scroll-edges.ts';
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
  const isWide = useWide(place, !display && !isSource);
  const [watch, { left, right }] = useScrollEdges();
  return (
    // An inline block moves to the next line as a whole: KaTeX lets lines end behind operators.
    <span className={display ? 'block py-1' : isWide ? 'block' : 'inline-block max-w-full'}>
      <span
        ref={isWide ? watch : undefined}
        {...(isWide && !isInControl
          ? {
              role: 'group',
              'aria-label': t(
                /* name of a formula that scrolls, for screen readers */ 'content.formula',
                'Formula',
              ),
              tabIndex: 0,
            }
          : {})}
        data-left={left || undefined}
        data-right={right || undefined}
        className={
          isWide
            ? 'scroll-sides block overflow-x-auto overflow-y-hidden py-1 print:overflow-visible'
            : ''
        }
      >
        <span ref={place} hidden={isSource} aria-hidden={isInControl || undefined} />
      </span>
      {isWide && (
        <span className="block px-1 text-sm text-ink-2 print:hidden">
          {t(
            /* said of a formula, a table or code that is wider than the page */ 'content.scrolls',
            'Scrolls sideways',
          )}
        </span>
      )}
      {isInControl && !isSource && <span className="sr-only">{tex}</span>}
      {isSource && (
        <code className="rounded-sm bg-fill px-1 font-mono text-[0.9em] wrap-anywhere text-ink">
          {tex}
        </code>
      )}
      {unreadable === tex && (
        <span className="text-sm text-ink-2">{` ${t('content.formulaUnreadable', 'This formula cannot be displayed.')}`}</span>
      )}
    </span>
  );
}

/** Whether a formula within a line has a part, such as a long number, that is wider than any line. */
function useWide(place: RefObject<HTMLElement | null>, isLine: boolean): boolean {
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const drawn = place.current;
    const room = drawn?.parentElement?.parentElement;
    if (!isLine || !drawn || !room) return undefined;
    const look = () => {
      const parts = [...drawn.querySelectorAll('.katex-base')];
      // A pixel of tolerance: browsers round only one of the values.
      const most = room.getBoundingClientRect().width + 1;
      setWide(parts.some((part) => part.getBoundingClientRect().width > most));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(room);
    return () => sizes.disconnect();
  }, [place, isLine]);
  return isWide && isLine;
}
