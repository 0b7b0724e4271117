import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { createPortal } from 'react-dom';

/**
 * Prints its children once. Rendered beside the app and visible in print only; while it is mounted,
 * main.css hides everything else in print.
 *
 * @param load what has to be there before; its failure does not keep the rest from being printed
 */
export function OnPaper({
  load = async () => undefined,
  onPrinted,
  children,
}: {
  load?: () => Promise<unknown>;
  onPrinted(): void;
  children: ReactNode;
}) {
  const printed = useEffectEvent(onPrinted);
  const loaded = useEffectEvent(() => load().catch(() => undefined));
  useEffect(() => {
    const done = () => printed();
    window.addEventListener('afterprint', done);
    // Deferred: a development build mounts twice and would print twice.
    let start: ReturnType<typeof setTimeout> | undefined;
    let isOpen = true;
    void loaded().then(() => {
      if (isOpen) start = setTimeout(() => window.print(), 50);
    });
    return () => {
      isOpen = false;
      clearTimeout(start);
      window.removeEventListener('afterprint', done);
    };
  }, []);
  return createPortal(
    <div data-paper="" className="hidden bg-white text-black print:block">
      {children}
    </div>,
    document.body,
  );
}
