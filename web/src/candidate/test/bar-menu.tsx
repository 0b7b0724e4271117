import { type ReactNode, useEffect, useRef, useState } from 'react';
import { buttonClasses } from '../../ui/button.tsx';

/** A button of the bar that opens a panel below it. Escape and a press outside close it. */
export function BarMenu({
  label,
  button,
  className = '',
  children,
}: {
  /** Names the panel. */
  label: string;
  button: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return;
    const ended = new AbortController();
    const leave = ({ target }: Event) => {
      if (target instanceof Node && place.current?.contains(target) === false) setOpen(false);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setOpen(false);
      opener.current?.focus();
    };
    document.addEventListener('pointerdown', leave, { signal: ended.signal });
    document.addEventListener('focusin', leave, { signal: ended.signal });
    document.addEventListener('keydown', onKey, { signal: ended.signal });
    return () => ended.abort();
  }, [open]);

  return (
    <div ref={place} className={`relative flex-none ${className}`}>
      <button
        ref={opener}
        type="button"
        aria-expanded={open}
        aria-haspopup="dialog"
        onClick={() => setOpen(!open)}
        className={`${buttonClasses('ghost', 'admin')} px-2.5!`}
      >
        {button}
      </button>
      {open && (
        <div
          role="dialog"
          aria-label={label}
          className="absolute top-full inset-e-0 z-50 mt-2 max-h-[calc(100dvh-6rem)] w-76 animate-enter max-sm:fixed max-sm:inset-x-3 max-sm:top-(--bar) max-sm:w-auto overflow-y-auto rounded-lg border border-line bg-raised p-4 shadow-md"
        >
          {children}
        </div>
      )}
    </div>
  );
}
