import { blockLevelDb } from '../sound-level.ts';

/** Samples that one reading looks back over: 43 ms at 48 kHz. */
const WINDOW_SAMPLES = 2_048;

/**
 * Reads the level of a stream every `everyMs`, in decibels below full scale, until the signal
 * aborts. Nothing is recorded or kept: each reading is one number.
 */
export function watchLevel(
  stream: MediaStream,
  everyMs: number,
  onLevelDb: (levelDb: number) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = WINDOW_SAMPLES;
  const source = context.createMediaStreamSource(stream);
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    // After a reload the browser may hold the audio clock back until the person touches the page.
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
    if (context.state !== 'running') return;
    analyser.getFloatTimeDomainData(samples);
    onLevelDb(blockLevelDb(samples));
  }, everyMs);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    source.disconnect();
    void context.close().catch(() => undefined);
  });
}
