import { me } from '@invigil/core/contract/accounts/auth';
import { useEffect, useState } from 'react';
import { openChangeStore } from '../../answer-sync/change-store.ts';
import { ApiError, callEndpoint } from '../../net/api.ts';

export type Connection =
  | { kind: 'checking' }
  | { kind: 'good' | 'slow'; roundTripMs: number }
  | { kind: 'unreachable' };

/** Saving an answer feels slow above this time. */
const SLOW_MS = 1_000;
const REQUESTS = 3;

/**
 * Measures a few requests in sequence and takes the median: the first one opens the connection, and
 * one may be slow by chance.
 *
 * @param ask one small request; rejects without a response
 * @param now milliseconds, monotonic
 */
export async function measureConnection(
  ask: () => Promise<unknown>,
  now: () => number,
): Promise<Connection> {
  const times: number[] = [];
  try {
    for (let i = 0; i < REQUESTS; i += 1) {
      const began = now();
      await ask();
      times.push(now() - began);
    }
  } catch {
    return { kind: 'unreachable' };
  }
  const roundTripMs = Math.round(times.sort((a, b) => a - b)[Math.floor(REQUESTS / 2)] ?? 0);
  return { kind: roundTripMs > SLOW_MS ? 'slow' : 'good', roundTripMs };
}

const TIMEOUT_MS = 10_000;
const AGAIN_MS = 3_000;

/**
 * Whether this browser keeps answers on this device; `null` before it is known.
 *
 * @param round another one checks again
 */
export function useKeepsAnswers(round = 0): boolean | null {
  const [keeps, setKeeps] = useState<boolean | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is the reason
  useEffect(() => {
    let isOver = false;
    setKeeps(null);
    openChangeStore().then(
      (store) => {
        store.close();
        if (!isOver) setKeeps(true);
      },
      () => {
        if (!isOver) setKeeps(false);
      },
    );
    return () => {
      isOver = true;
    };
  }, [round]);
  return keeps;
}

/** Asks the server who is signed in: that no one is, is an answer too. */
async function askServer(signal: AbortSignal): Promise<void> {
  try {
    await callEndpoint(me, { signal });
  } catch (error) {
    if (!(error instanceof ApiError && error.isOurs && error.status === 401)) throw error;
  }
}

/**
 * Measures the connection, again when it goes or comes back, and as long as the server cannot be reached.
 *
 * @param round another one checks again
 */
export function useConnectionCheck(round = 0): Connection {
  const [connection, setConnection] = useState<Connection>({ kind: 'checking' });

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round is the reason
  useEffect(() => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setConnection({ kind: 'checking' });
    const check = async () => {
      const ask = () => askServer(AbortSignal.any([over.signal, AbortSignal.timeout(TIMEOUT_MS)]));
      const found = await measureConnection(ask, () => performance.now());
      if (over.signal.aborted) return;
      setConnection(found);
      clearTimeout(timer);
      if (found.kind === 'unreachable') timer = setTimeout(() => void check(), AGAIN_MS);
    };
    void check();
    for (const change of ['offline', 'online'] as const) {
      addEventListener(change, () => void check(), over);
    }
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, [round]);

  return connection;
}
