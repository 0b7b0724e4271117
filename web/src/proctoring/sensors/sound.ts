import { levelOf } from '../detectors/level.ts';
import type { SoundReport } from '../detectors/sensor-reports.ts';
import soundWorklet from './sound-worklet.ts?worker&url';

/** Where the samples come from: `connect` is called again for each worker that begins. */
export interface SampleSource {
  rateHz: number;
  /** A port through which the samples come from now on. */
  connect(): MessagePort;
}

/** Who listens for speech beside the level: engines/voice-model.ts. */
export interface SpeechListener {
  listen(source: SampleSource): void;
  /** Share of speech since the last time; `null` when no one listened. */
  speechShare(): Promise<number | null>;
}

/** Samples that the analyser looks back over, where no worklet runs: 43 ms at 48 kHz. */
const WINDOW_SAMPLES = 2_048;
/** How often a held audio clock is asked to continue. */
const RESUME_MS = 1_000;

/**
 * Tells every `everyMs` how loud a stream was and how much of it was speech, until the signal
 * aborts. Nothing is recorded or kept. Without a listener, or where the browser has no worklets,
 * the level alone is told.
 *
 * @throws where the browser gives no way to the sound at all
 */
export function watchSound(
  stream: MediaStream,
  everyMs: number,
  listener: SpeechListener | null,
  onSound: (report: SoundReport) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const context = new AudioContext();
  const source = sourceOf(context, stream);
  // After a reload the browser may hold the audio clock back until the person touches the page.
  const timer = setInterval(() => {
    if (context.state === 'suspended') void context.resume().catch(() => undefined);
  }, RESUME_MS);
  signal.addEventListener('abort', () => {
    clearInterval(timer);
    source.disconnect();
    void context.close().catch(() => undefined);
  });
  const metered = 'audioWorklet' in context;
  const meter = metered ? meterEverySample(context, source, everyMs, listener, onSound) : null;
  void (meter ?? Promise.reject(new Error('no worklet'))).catch(() => {
    if (!signal.aborted) sampleLevel(context, source, everyMs, onSound, signal);
  });
}

/** A stream that gives no sound must not leave an audio clock behind: browsers have few of them. */
function sourceOf(context: AudioContext, stream: MediaStream): MediaStreamAudioSourceNode {
  try {
    return context.createMediaStreamSource(stream);
  } catch (cause) {
    void context.close().catch(() => undefined);
    throw cause;
  }
}

async function meterEverySample(
  context: AudioContext,
  source: AudioNode,
  everyMs: number,
  listener: SpeechListener | null,
  onSound: (report: SoundReport) => void,
): Promise<void> {
  await context.audioWorklet.addModule(soundWorklet);
  const node = new AudioWorkletNode(context, 'sound-meter');
  let speech: number | null = null;
  node.port.onmessage = ({ data }: MessageEvent<{ meanSquare: number }>) => {
    const levelDb = levelOf(data.meanSquare);
    onSound({ levelDb, speech, engine: speech === null ? 'level' : 'model' });
    speech = null;
    // Asked for now and told with the next level: a worker that hangs must not hold the level up.
    void listener?.speechShare().then((share) => {
      speech = share;
    });
  };
  node.port.postMessage({ everyMs });
  source.connect(node);
  // Its output is silence; without a way to the loudspeaker some browsers let it rest.
  node.connect(context.destination);
  listener?.listen({
    rateHz: context.sampleRate,
    connect: () => {
      const { port1, port2 } = new MessageChannel();
      node.port.postMessage({ listener: port1 }, [port1]);
      return port2;
    },
  });
}

/** The level of the last moment of each interval: all that an analyser can tell. */
function sampleLevel(
  context: AudioContext,
  source: AudioNode,
  everyMs: number,
  onSound: (report: SoundReport) => void,
  signal: AbortSignal,
): void {
  const analyser = context.createAnalyser();
  analyser.fftSize = WINDOW_SAMPLES;
  source.connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    if (context.state !== 'running') return;
    analyser.getFloatTimeDomainData(samples);
    let squares = 0;
    for (const sample of samples) squares += sample * sample;
    onSound({ levelDb: levelOf(squares / samples.length), speech: null, engine: 'level' });
  }, everyMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}
