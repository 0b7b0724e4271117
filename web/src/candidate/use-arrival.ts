import { useEffect } from 'react';
import { useNavigationType } from 'react-router';
import { focusHeading } from './focus-heading.ts';

/**
 * After navigation a screen starts at the top, with the focus on its heading if the focused element is
 * gone. After a reload or Back the browser restores the position.
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
