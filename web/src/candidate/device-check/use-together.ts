import type { Account } from '@invigil/core/contract/accounts/auth';
import { useState } from 'react';
import { useSession } from '../../lib/person/session.tsx';
import type { Opening } from './use-opening.ts';

const WAITS = 'waits';

/** Whether the candidate said here to be ready; a reload keeps it with the page's place in the history. */
const didWait = () => Reflect.get(Object(window.history.state), WAITS) === true;

/** When the candidate may start, as far as the opening or a common start decides. */
export function useTogether({ quiz, opensInMs, startTogether }: Account) {
  const { receivedAt } = useSession();
  const first: Opening = {
    opensAt: quiz?.opensAt ?? null,
    opensInMs: opensInMs ?? 0,
    timeZone: null,
    toldAt: receivedAt,
    ...(startTogether && { startTogether }),
  };
  const [isOpen, setOpen] = useState(
    opensInMs === undefined && (startTogether === undefined || (startTogether.lateForMs ?? 0) > 0),
  );
  const [waits, setWaits] = useState(didWait);
  return {
    /** All start together. */
    isCommon: startTogether !== undefined,
    hasOpening: opensInMs !== undefined,
    first,
    isOpen,
    setOpen,
    /** Nothing is missing but the start, says the candidate. */
    waits: waits && startTogether !== undefined,
    wait() {
      window.history.replaceState({ ...window.history.state, [WAITS]: true }, '');
      setWaits(true);
    },
  };
}
