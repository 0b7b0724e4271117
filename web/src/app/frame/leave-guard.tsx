import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { AlertDialog } from '../../ui/dialogs/dialog.tsx';
import { hasUnsaved, leaveFor, setAsker, setStepGuard } from '../../ui/dialogs/unsaved.ts';

/**
 * Asks for confirmation before navigation loses unsaved input: links inside the app, Back and Forward,
 * signing out. Link clicks are intercepted, and a history step is reverted first. The router could block
 * both (`useBlocker`) only as a data router, whose code (15 KB compressed, an eighth of a candidate's
 * first screen) would be on every page: it shares modules with `Routes`.
 */
export function LeaveGuard() {
  const navigate = useNavigate();
  const { key } = useLocation();
  const [held, setHeld] = useState<(() => void) | null>(null);

  useEffect(() => {
    setAsker((goOn) => setHeld(() => goOn));
    return () => setAsker(null);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for every history entry
  useEffect(() => {
    const here = placeOf(window.history.state);
    let returning = false;
    const onClick = (event: MouseEvent) => {
      const target = hasUnsaved() ? targetOf(event) : null;
      if (target === null) return;
      event.preventDefault();
      event.stopPropagation();
      leaveFor(() => void navigate(target));
    };
    document.addEventListener('click', onClick, { capture: true });
    setStepGuard((event) => {
      if (returning) {
        returning = false;
        return true;
      }
      const steps = placeOf(event.state) - here;
      if (!hasUnsaved() || Number.isNaN(steps) || steps === 0) return false;
      // The URL has already changed: go back first, then ask.
      returning = true;
      window.history.go(-steps);
      leaveFor(() => {
        setStepGuard(null);
        window.history.go(steps);
      });
      return true;
    });
    return () => {
      document.removeEventListener('click', onClick, { capture: true });
      setStepGuard(null);
    };
  }, [key, navigate]);

  const leave = () => {
    held?.();
    setHeld(null);
  };
  return (
    <AlertDialog
      open={held !== null}
      onCancel={() => setHeld(null)}
      title="Discard your changes?"
      cancelLabel="Keep editing"
      confirmLabel="Discard"
      onConfirm={leave}
    >
      Your changes have not been saved.
    </AlertDialog>
  );
}

/** The entry's index, as stored by the router. */
function placeOf(state: unknown): number {
  const place: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, 'idx') : undefined;
  return typeof place === 'number' ? place : Number.NaN;
}

/** The target of a plain click on an internal link; otherwise `null`. */
function targetOf(event: MouseEvent): string | null {
  const isOrdinary =
    event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!isOrdinary || link === null || link.target !== '' || link.hasAttribute('download'))
    return null;
  if (link.origin !== window.location.origin || link.getAttribute('href')?.startsWith('#'))
    return null;
  return `${link.pathname}${link.search}${link.hash}`;
}
