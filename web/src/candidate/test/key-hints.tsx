import { optionLetter } from '../../question-view/question-state.ts';

function Key({ children }: { children: string }) {
  return (
    <kbd className="rounded-sm bg-surface px-1.5 py-[3px] font-mono text-xs leading-none text-ink-2 inset-ring inset-ring-line-2">
      {children}
    </kbd>
  );
}

/** Keyboard hints, visual only; none on a touch screen, and none of letters that are off. */
export function KeyHints({ optionCount, letters }: { optionCount: number; letters: boolean }) {
  return (
    <div className="mt-6 hidden gap-4.5 text-sm text-ink-3 lg:flex touch:hidden [&>span]:flex [&>span]:items-center [&>span]:gap-1.5">
      {letters && optionCount > 0 && (
        <>
          <span>
            <Key>A</Key> to <Key>{optionLetter(optionCount - 1)}</Key> select
            {optionCount > 5 && (
              <>
                , <Key>6</Key> selects F
              </>
            )}
          </span>
          <span>
            <Key>F</Key> flags
          </span>
        </>
      )}
      <span>
        <Key>←</Key>
        <Key>→</Key> move
      </span>
    </div>
  );
}
