import { FrameCutter } from '../detectors/frame-cutter.ts';
import { Resampler } from '../detectors/resampler.ts';
import { answerCalls, countLoadedBytes } from './answer-calls.ts';
import { SILERO_FRAME, SILERO_RATE_HZ, Silero } from './silero.ts';

export type VoiceCall =
  | { kind: 'begin'; folder: string }
  /** Samples of this rate will come through the port. */
  | { kind: 'listen'; samples: MessagePort; rateHz: number }
  /** How much was heard since the last time this was asked. */
  | { kind: 'heard' };

/** Frames heard, and those of them that are speech; `null` for calls that only tell. */
export type VoiceAnswer = { frames: number; speech: number } | null;

/** A frame is speech from this probability on. */
const SPEECH = 0.5;
/** Two seconds: when the machine cannot keep up, the oldest sound is left out. */
const MOST_WAITING = 64;

let silero: Silero | null = null;
let port: MessagePort | null = null;
let waiting: Float32Array[] = [];
let heard = { frames: 0, speech: 0 };
let running = false;
let broken: string | null = null;

countLoadedBytes();
answerCalls<VoiceCall, VoiceAnswer>(async (call) => {
  switch (call.kind) {
    case 'begin':
      silero = await Silero.load(call.folder);
      // The first frame is slow; it must not be a candidate's.
      await silero.hear(new Float32Array(SILERO_FRAME));
      return null;
    case 'listen':
      listen(call.samples, call.rateHz);
      return null;
    case 'heard': {
      if (broken !== null) throw new Error(broken);
      const told = heard;
      heard = { frames: 0, speech: 0 };
      return told;
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
      const probability = await silero.hear(frame);
      heard.frames += 1;
      if (probability > SPEECH) heard.speech += 1;
    }
  } catch (error) {
    broken = String(error);
  } finally {
    running = false;
  }
}
