import { useEffect } from 'react';
import { useNavigationType } from 'react-router';
import { focusHeading } from './focus-heading.ts';

/**
 * A screen that someone was led to begins at its top, and with its heading where what had the focus
 * went with the screen before. One that was loaded again, or gone back to, is left to the browser.
 */
export function useArrival(): void {
  const wasLedHere = useNavigationType() !== 'POP';
  useEffect(() => {
    if (!wasLedHere) return;
    window.scrollTo(0, 0);
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body) focusHeading();
  }, [wasLedHere]);
}
