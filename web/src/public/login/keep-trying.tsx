import { WifiOff } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Notice } from '../../ui/notice.tsx';

/** Shortest pause before a form is sent again, after no response; up to twice that, or all would come at once. */
const AGAIN_MS = 4_000;

/** Sends a form again and again while there is no response, and as soon as the browser is online again. */
export function useKeepTrying(isBusy: boolean): {
  form: RefObject<HTMLFormElement | null>;
  isTrying: boolean;
  /** After each answer, and once something is typed: there is nothing to repeat. */
  stop(): void;
  /** After no response. */
  tryAgain(): void;
} {
  const form = useRef<HTMLFormElement>(null);
  const [isTrying, setTrying] = useState(false);
  useEffect(() => {
    if (!isTrying || isBusy) return;
    const again = () => form.current?.requestSubmit();
    const timer = setTimeout(again, AGAIN_MS * (1 + Math.random()));
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [isTrying, isBusy]);
  return { form, isTrying, stop: () => setTrying(false), tryAgain: () => setTrying(true) };
}

export function UnreachableNotice() {
  return (
    <Notice tone="warn" role="status" icon={<WifiOff />} title="The server cannot be reached">
      This page keeps trying, and signs you in once it can be.
    </Notice>
  );
}
