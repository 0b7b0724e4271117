import { REQUEST_LIMITS } from '@invigil/core/domain/limits';
import type { TryAgain } from './answer-transport.ts';

/**
 * One request with the timeout of product 8. A request that never returns or is aborted counts as a
 * temporary failure.
 */
export async function timedRequest<T>(
  call: (signal: AbortSignal) => Promise<T>,
  request: AbortController,
): Promise<T | TryAgain> {
  const late = new Promise<TryAgain>((resolve) => {
    request.signal.addEventListener('abort', () => resolve({ kind: 'try-again', afterMs: null }));
  });
  const timer = setTimeout(() => request.abort(), REQUEST_LIMITS.timeoutMs);
  try {
    return await Promise.race([call(request.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** As `timedRequest`, aborted with `signal`. */
export async function timedRequestUntil<T>(
  call: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<T | TryAgain> {
  const request = new AbortController();
  const abort = () => request.abort();
  if (signal.aborted) return { kind: 'try-again', afterMs: null };
  signal.addEventListener('abort', abort);
  try {
    return await timedRequest(call, request);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
