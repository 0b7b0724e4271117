/** A request to a worker; it answers each one with the same number. */
export interface WorkerCall<T> {
  id: number;
  call: T;
}

/** A message from a worker: an answer, a failure, or the bytes loaded so far. */
export type WorkerMessage<R> =
  | { id: number; value: R }
  | { id: number; error: string }
  | { loadedBytes: number };

/** The used part of `Worker`; tests replace it. */
export interface WorkerLike {
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}
