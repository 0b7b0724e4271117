/** Ties the tracks of a stream to a signal; a light that stays on is worse than a missing picture. */
export function stopWhenAborted(stream: MediaStream, signal: AbortSignal): MediaStream {
  const stop = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  signal.addEventListener('abort', stop, { once: true });
  // The person may have answered the question after the screen was left.
  if (signal.aborted) {
    stop();
    throw new DOMException('The device is no longer needed', 'AbortError');
  }
  return stream;
}
