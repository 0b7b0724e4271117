import { me } from '@invigil/core/contract/accounts/auth';
import { useEffect, useState } from 'react';
import { callEndpoint } from '../../net/api.ts';
import { type Connection, measureConnection } from './connection-check.ts';

const TIMEOUT_MS = 10_000;
const AGAIN_MS = 3_000;

/** Measures the connection, and again as long as the server cannot be reached. */
export function useConnectionCheck(): Connection {
  const [connection, setConnection] = useState<Connection>({ kind: 'checking' });

  useEffect(() => {
    const over = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async () => {
      const ask = () =>
        callEndpoint(me, {
          signal: AbortSignal.any([over.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        });
      const found = await measureConnection(ask, () => performance.now());
      if (over.signal.aborted) return;
      setConnection(found);
      if (found.kind === 'unreachable') timer = setTimeout(() => void check(), AGAIN_MS);
    };
    void check();
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, []);

  return connection;
}
