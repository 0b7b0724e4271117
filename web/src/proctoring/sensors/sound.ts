import type { NoSound, SoundReport } from '../detectors/sensor-reports.ts';
import { levelOf, SILENCE_DB } from '../detectors/sound-level.ts';
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
/** How often the audio's clock is read, and an audio context that does not run resumed. */
const CLOCK_MS = 1_000;
/** A clock that stands still for this many readings does not run: starting takes less. */
const STILL_READINGS = 5;
/** The known signal that an analyser has to return, and how exactly. */
const KNOWN_SAMPLE = 0.25;
const KNOWN_TOLERANCE = 0.01;

/**
 * Reports level and share of speech of a stream every `everyMs`, until the signal aborts. Nothing is
 * recorded. Without a listener or worklets, only the level is reported; where it cannot be measured, the
 * reason, every second.
 *
 * @throws if the browser cannot read the sound at all
 */
export function watchSound(
  stream: MediaStream,
  everyMs: number,
  listener: SpeechListener | null,
  onReport: (report: SoundReport) => void,
  signal: AbortSignal,
): void {
  if (signal.aborted) return;
  const onSound = believable(onReport);
  const context = new AudioContext();
  const source = sourceOf(context, stream);
  let clock = { at: context.currentTime, stillFor: 0 };
  const timer = setInterval(() => {
    // Suspended after a reload until the page is touched, or on a phone interrupted by a call.
    if (context.state !== 'running') void context.resume().catch(() => undefined);
    const at = context.currentTime;
    clock = { at, stillFor: at === clock.at ? clock.stillFor + 1 : 0 };
    // Some browsers without a sound output report that the context runs, and it does not.
    if (clock.stillFor >= STILL_READINGS) onSound(noSound('no-clock'));
  }, CLOCK_MS);
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
    const engine = speech === null ? 'level' : 'model';
    onSound({ levelDb: levelOf(data.meanSquare), speech, engine, reason: null });
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
  const known = context.createAnalyser();
  const constant = context.createBufferSource();
  constant.buffer = context.createBuffer(1, WINDOW_SAMPLES, context.sampleRate);
  constant.buffer.getChannelData(0).fill(KNOWN_SAMPLE);
  constant.loop = true;
  constant.connect(known);
  constant.start();
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    if (context.state !== 'running') return;
    known.getFloatTimeDomainData(samples);
    // The window is not full yet while it begins with silence.
    const isFalse = samples[0] !== 0 && samples.some(isUnknown);
    if (isFalse) return onSound(noSound('falsified'));
    analyser.getFloatTimeDomainData(samples);
    let squares = 0;
    for (const sample of samples) squares += sample * sample;
    const levelDb = levelOf(squares / samples.length);
    onSound({ levelDb, speech: null, engine: 'level', reason: null });
  }, everyMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}

function isUnknown(sample: number): boolean {
  return !(Math.abs(sample - KNOWN_SAMPLE) <= KNOWN_TOLERANCE);
}

/** Replaces levels that cannot be those of a room by the reason. */
function believable(onReport: (report: SoundReport) => void): typeof onReport {
  let last: number | null = null;
  return (report) => {
    const { levelDb } = report;
    const isRepeated = levelDb !== null && levelDb > SILENCE_DB && levelDb === last;
    last = levelDb;
    if (isRepeated) onReport(noSound('constant'));
    else onReport(levelDb !== null && !Number.isFinite(levelDb) ? noSound('falsified') : report);
  };
}

function noSound(reason: NoSound): SoundReport {
  return { levelDb: null, speech: null, engine: 'level', reason };
}
