import { FrameCutter } from '../detectors/frame-cutter.ts';
import { Resampler } from '../detectors/resampler.ts';
import { answerCalls, countLoadedBytes } from './answer-calls.ts';
import { SILERO_FRAME, SILERO_RATE_HZ, Silero } from './silero.ts';

export type VoiceCall =
  | { kind: 'begin'; folder: string }
  /** Samples at this rate arrive through the port. */
  | { kind: 'listen'; samples: MessagePort; rateHz: number }
  /** The counts since the last such call. */
  | { kind: 'counts' };

/** Frames processed, and how many of them are speech; `null` for the other calls. */
export type VoiceAnswer = { frames: number; speech: number } | null;

/** Probability above which a frame is speech. */
const SPEECH = 0.5;
/** Two seconds: if the machine cannot keep up, the oldest frames are dropped. */
const MOST_WAITING = 64;

let silero: Silero | null = null;
let port: MessagePort | null = null;
let waiting: Float32Array[] = [];
let counts = { frames: 0, speech: 0 };
let running = false;
let broken: string | null = null;

countLoadedBytes();
answerCalls<VoiceCall, VoiceAnswer>(async (call) => {
  switch (call.kind) {
    case 'begin':
      silero = await Silero.load(call.folder);
      // Warm-up: the first frame is slow.
      await silero.speechOf(new Float32Array(SILERO_FRAME));
      return null;
    case 'listen':
      listen(call.samples, call.rateHz);
      return null;
    case 'counts': {
      if (broken !== null) throw new Error(broken);
      const answer = counts;
      counts = { frames: 0, speech: 0 };
      return answer;
    }
  }
});

function listen(samples: MessagePort, rateHz: number): void {
  port?.close();
  port = samples;
  waiting = [];
  silero?.forget();
  const resampler = new Resampler(rateHz, SILERO_RATE_HZ);
  const cutter = new FrameCutter(SILERO_FRAME);
  samples.onmessage = ({ data }: MessageEvent<Float32Array>) => {
    waiting.push(...cutter.push(resampler.push(data)));
    if (waiting.length > MOST_WAITING) waiting = waiting.slice(-MOST_WAITING);
    void work();
  };
}

async function work(): Promise<void> {
  if (running || silero === null) return;
  running = true;
  try {
    for (let frame = waiting.shift(); frame !== undefined; frame = waiting.shift()) {
      const probability = await silero.speechOf(frame);
      counts.frames += 1;
      if (probability > SPEECH) counts.speech += 1;
    }
  } catch (error) {
    broken = String(error);
  } finally {
    running = false;
  }
}
