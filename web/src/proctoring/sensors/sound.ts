import { levelOf } from '../detectors/level.ts';
import type { SoundReport } from '../detectors/sensor-reports.ts';
import soundWorklet from './sound-worklet.ts?worker&url';

/** Source of the samples: `connect` is called again for each new worker. */
export interface SampleSource {
  rateHz: number;
  /** A port that receives the samples from now on. */
  connect(): MessagePort;
}

/** Speech detection, in addition to the level: engines/voice-model.ts. */
export interface SpeechListener {
  listen(source: SampleSource): void;
  /** Share of speech since the last call; `null` while the model is not running. */
  speechShare(): Promise<number | null>;
}

/** The analyser's window, where worklets are not available: 43 ms at 48 kHz. */
const WINDOW_SAMPLES = 2_048;
/** How often a suspended audio context is resumed. */
const RESUME_MS = 1_000;

/**
 * Reports level and share of speech of a stream every `everyMs`, until the signal aborts. Nothing is
 * recorded. Without a listener or worklets, only the level is reported.
 *
 * @throws if the browser cannot read the sound at all
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
  // After a reload the browser may suspend the audio context until the page is touched.
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

/** Closes the context if the stream has no sound: browsers limit the number of contexts. */
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
    // Reported with the next level: a worker that hangs must not delay the level.
    void listener?.speechShare().then((share) => {
      speech = share;
    });
  };
  node.port.postMessage({ everyMs });
  source.connect(node);
  // The output is silence, but some browsers suspend a node that is not connected.
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

/** The level at the end of each interval, all that an analyser provides. */
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
