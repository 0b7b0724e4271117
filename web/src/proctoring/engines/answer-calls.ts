import type { WorkerCall, WorkerMessage } from './worker-line.ts';

/** The used part of a worker's global object; the project's types are those of a page. */
const workerScope = globalThis as unknown as {
  onmessage: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer?: Transferable[]): void;
  fetch: typeof fetch;
};

/** Answers calls; errors are returned as answers. */
export function answerCalls<T, R>(answer: (call: T) => Promise<R>): void {
  workerScope.onmessage = ({ data }: MessageEvent<WorkerCall<T>>) => {
    const send = (message: WorkerMessage<R>) => workerScope.postMessage(message);
    answer(data.call).then(
      (value) => send({ id: data.id, value }),
      (error: unknown) => send({ id: data.id, error: String(error) }),
    );
  };
}

/** Reports the loaded bytes to the page: the libraries fetch their files without progress events. */
export function countLoadedBytes(): void {
  const plain = workerScope.fetch.bind(globalThis);
  let loadedBytes = 0;
  workerScope.fetch = async (input, init) => {
    const response = await plain(input, init);
    if (response.body === null) return response;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          loadedBytes += chunk.byteLength;
          workerScope.postMessage({ loadedBytes });
          controller.enqueue(chunk);
        },
      }),
    );
    const { status, statusText, headers } = response;
    const copy = new Response(counted, { status, statusText, headers });
    // Some loaders read `url`; a constructed response has none.
    Object.defineProperty(copy, 'url', { value: response.url });
    return copy;
  };
}
