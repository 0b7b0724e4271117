import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SoundReport } from '../detectors/sensor-reports.ts';
import { type SpeechListener, watchSound } from './sound.ts';

/** The browser's audio, as far as it is used; the test plays the audio thread. */
class FakeAudio {
  state = 'running';
  sampleRate = 48_000;
  destination = {};
  closed = false;
  /** What the analyser's last moment holds. */
  loudness = 0.1;
  readonly audioWorklet = { addModule: vi.fn(async (_: string) => undefined) };
  resume = vi.fn(async () => undefined);
  close = async () => {
    this.closed = true;
  };
  createMediaStreamSource = () => ({ connect: () => undefined, disconnect: () => undefined });
  createAnalyser = () => ({
    fftSize: 0,
    getFloatTimeDomainData: (samples: Float32Array) => samples.fill(this.loudness),
  });
}

class FakeMeter {
  static last: FakeMeter | null = null;
  readonly port = {
    onmessage: null as ((event: { data: unknown }) => void) | null,
    postMessage: vi.fn(),
  };
  connect = vi.fn();
  constructor() {
    FakeMeter.last = this;
  }
  say(meanSquare: number): void {
    this.port.onmessage?.({ data: { meanSquare } });
  }
}

let audio: FakeAudio;
let ended: AbortController;
let reports: SoundReport[];

beforeEach(() => {
  vi.useFakeTimers();
  audio = new FakeAudio();
  ended = new AbortController();
  reports = [];
  FakeMeter.last = null;
  vi.stubGlobal('AudioContext', newAudio);
  vi.stubGlobal('AudioWorkletNode', FakeMeter);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Called with `new`. */
function newAudio() {
  return audio;
}

async function watch(listener: SpeechListener | null = null): Promise<void> {
  const onSound = (report: SoundReport) => reports.push(report);
  watchSound({} as MediaStream, 300, listener, onSound, ended.signal);
  await vi.advanceTimersByTimeAsync(0);
}

function listenerThat(speechShare: () => Promise<number | null>) {
  return { listen: vi.fn<SpeechListener['listen']>(), speechShare };
}

describe('where the browser cannot run the meter', () => {
  it.each([
    ['knows no worklets', () => Reflect.deleteProperty(audio, 'audioWorklet')],
    ['does not load it', () => audio.audioWorklet.addModule.mockRejectedValue(new Error('gone'))],
  ])('because it %s, an analyser tells the level alone', async (_, spoil) => {
    spoil();
    await watch(listenerThat(async () => 1));
    await vi.advanceTimersByTimeAsync(900);
    expect(reports).toHaveLength(3);
    expect(reports[0]).toMatchObject({ speech: null, engine: 'level' });
    expect(reports[0]?.levelDb).toBeCloseTo(-20);
    ended.abort();
    await vi.advanceTimersByTimeAsync(900);
    expect([reports.length, audio.closed]).toEqual([3, true]);
  });

  it('says nothing while the browser holds the audio clock, and asks for it', async () => {
    Reflect.deleteProperty(audio, 'audioWorklet');
    audio.state = 'suspended';
    await watch();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reports).toEqual([]);
    expect(audio.resume).toHaveBeenCalledTimes(2);
  });
});

describe('with the meter', () => {
  it('tells the level of every interval though the model never answers', async () => {
    await watch(listenerThat(() => new Promise(() => undefined)));
    for (let i = 0; i < 3; i += 1) FakeMeter.last?.say(0.01);
    expect(reports.map(({ engine, speech }) => [engine, speech])).toEqual([
      ['level', null],
      ['level', null],
      ['level', null],
    ]);
    expect(reports[2]?.levelDb).toBeCloseTo(-20);
  });

  it('calls digital silence -100 dB, so that levels stay numbers', async () => {
    await watch();
    FakeMeter.last?.say(0);
    expect(reports[0]?.levelDb).toBe(-100);
  });

  it('tells the share of speech with the next level, once', async () => {
    const shares = [0.9, null];
    const listener = listenerThat(async () => shares.shift() ?? null);
    await watch(listener);
    for (let i = 0; i < 3; i += 1) {
      FakeMeter.last?.say(0.01);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(reports.map(({ engine, speech }) => [engine, speech])).toEqual([
      ['level', null],
      ['model', 0.9],
      ['level', null],
    ]);
    expect(listener.listen).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ rateHz: 48_000 }),
    );
    expect(FakeMeter.last?.port.postMessage).toHaveBeenCalledWith({ everyMs: 300 });
  });

  it('ends with the signal', async () => {
    await watch();
    ended.abort();
    expect(audio.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(audio.resume).not.toHaveBeenCalled();
  });
});

it('throws where there is no way to the sound, and leaves no audio clock behind', async () => {
  const cause = new DOMException('no audio track', 'InvalidStateError');
  audio.createMediaStreamSource = () => {
    throw cause;
  };
  await expect(watch()).rejects.toBe(cause);
  expect(audio.closed).toBe(true);
});
