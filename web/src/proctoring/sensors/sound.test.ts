import { beforeEach, describe, expect, it, vi } from 'vitest';
import { stopTime } from '../../testing/browser-stubs.ts';
import type { SoundReport } from '../detectors/sensor-reports.ts';
import { type SpeechListener, watchSound } from './sound.ts';

/** The used part of the browser's audio; the test acts as the audio thread. */
class FakeAudio {
  state = 'running';
  sampleRate = 48_000;
  destination = {};
  closed = false;
  /** Amplitude in the analyser's window. */
  loudness = 0.1;
  readonly audioWorklet = { addModule: vi.fn(async (_: string) => undefined) };
  resume = vi.fn(async () => undefined);
  close = async () => {
    this.closed = true;
  };
  currentTime = 0;
  createBuffer = () => ({ getChannelData: () => new Float32Array(1) });
  createBufferSource = () => ({ connect: () => undefined, start: () => undefined });
  createMediaStreamSource = () => ({ connect: () => undefined, disconnect: () => undefined });
  #analysers = 0;
  createAnalyser = () => {
    this.#analysers += 1;
    // The second one reads the known signal.
    const isKnown = this.#analysers === 2;
    return {
      fftSize: 0,
      getFloatTimeDomainData: (samples: Float32Array) => {
        this.loudness *= 1.0001;
        samples.fill(isKnown ? 0.25 : this.loudness);
      },
    };
  };
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
  report(meanSquare: number): void {
    this.port.onmessage?.({ data: { meanSquare } });
  }
}

let audio: FakeAudio;
let ended: AbortController;
let reports: SoundReport[];

stopTime();
beforeEach(() => {
  audio = new FakeAudio();
  ended = new AbortController();
  reports = [];
  FakeMeter.last = null;
  vi.stubGlobal('AudioContext', newAudio);
  vi.stubGlobal('AudioWorkletNode', FakeMeter);
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

describe('when the browser cannot run the meter', () => {
  it.each([
    ['knows no worklets', () => Reflect.deleteProperty(audio, 'audioWorklet')],
    ['does not load it', () => audio.audioWorklet.addModule.mockRejectedValue(new Error('gone'))],
  ])('because it %s, reports the level only, from an analyser', async (_, spoil) => {
    spoil();
    await watch(listenerThat(async () => 1));
    await vi.advanceTimersByTimeAsync(900);
    expect(reports).toHaveLength(3);
    expect(reports[0]).toMatchObject({ speech: null, engine: 'level' });
    expect(reports[0]?.levelDb).toBeCloseTo(-20, 1);
    ended.abort();
    await vi.advanceTimersByTimeAsync(900);
    expect([reports.length, audio.closed]).toEqual([3, true]);
  });

  it.each(['suspended', 'interrupted'])(
    'reports nothing while the audio context is %s, and resumes it',
    async (state) => {
      Reflect.deleteProperty(audio, 'audioWorklet');
      audio.state = state;
      await watch();
      await vi.advanceTimersByTimeAsync(2_000);
      expect(reports).toEqual([]);
      expect(audio.resume).toHaveBeenCalledTimes(2);
    },
  );
});

describe('with the meter', () => {
  it('reports the level of every interval even if the model never answers', async () => {
    await watch(listenerThat(() => new Promise(() => undefined)));
    for (let i = 0; i < 3; i += 1) FakeMeter.last?.report(0.01 + i / 1e6);
    expect(reports.map(({ engine, speech }) => [engine, speech])).toEqual([
      ['level', null],
      ['level', null],
      ['level', null],
    ]);
    expect(reports[2]?.levelDb).toBeCloseTo(-20, 1);
  });

  it('reports digital silence as -100 dB', async () => {
    await watch();
    FakeMeter.last?.report(0);
    expect(reports[0]?.levelDb).toBe(-100);
  });

  it('reports the share of speech once, with the next level', async () => {
    const shares = [0.9, null];
    const listener = listenerThat(async () => shares.shift() ?? null);
    await watch(listener);
    for (let i = 0; i < 3; i += 1) {
      FakeMeter.last?.report(0.01 + i / 1e6);
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

  it('stops when the signal aborts', async () => {
    await watch();
    ended.abort();
    expect(audio.closed).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(audio.resume).not.toHaveBeenCalled();
  });
});

it('throws and closes the audio context if the sound cannot be read', async () => {
  const cause = new DOMException('no audio track', 'InvalidStateError');
  audio.createMediaStreamSource = () => {
    throw cause;
  };
  await expect(watch()).rejects.toBe(cause);
  expect(audio.closed).toBe(true);
});
