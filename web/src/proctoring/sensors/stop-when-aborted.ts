/** Stops the tracks of a stream when the signal aborts, so that no device light remains on. */
export function stopWhenAborted(stream: MediaStream, signal: AbortSignal): MediaStream {
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  // The prompt may be answered after the screen was left.
  if (signal.aborted) {
    stop();
    throw new DOMException('The device is no longer needed', 'AbortError');
  }
  return stream;
}
