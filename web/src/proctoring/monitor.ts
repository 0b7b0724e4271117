import { SnapshotStore } from '../lib/snapshot.ts';
import { atMost } from '../lib/timeout.ts';
import type { FaceShown } from './detection/face-debouncer.ts';
import type { SoundReport } from './detectors/sensor-reports.ts';
import { roomFloorDb, shownLevel } from './detectors/sound-level.ts';
import {
  type Device,
  lostDevice,
  type MediaFailure,
  mediaFailure,
} from './device/media-failure.ts';

export type DeviceStatus =
  | { kind: 'off' }
  | { kind: 'asking' }
  | { kind: 'granted'; stream: MediaStream }
  | { kind: 'failed'; failure: MediaFailure };

export interface MonitorSnapshot {
  camera: DeviceStatus;
  microphone: DeviceStatus;
  /** 'Voice: {level} dB', 0 to 120; `null` until the room's floor is known. */
  level: number | null;
  /** The kind of sound in a word; `null` while there is no level. */
  sound: 'quiet' | 'noise' | 'speech' | null;
  /** The detector's latest status; 'cannot-tell' while there is none. */
  face: FaceShown;
  /** While a face is missing: how long until that counts, milliseconds; `null`: it does not. */
  faceCountsInMs: number | null;
}

/** The devices and timers behind the monitor; tests replace them. */
export interface MonitorDeps {
  openCamera(signal: AbortSignal): Promise<MediaStream>;
  openMicrophone(signal: AbortSignal): Promise<MediaStream>;
  watchSound(
    stream: MediaStream,
    everyMs: number,
    onReport: (report: SoundReport) => void,
    signal: AbortSignal,
    /** The browser cannot read the sound of this stream. */
    onFailure: (cause: unknown) => void,
  ): void;
  watchLiveness(stream: MediaStream, onLost: () => void, signal: AbortSignal): void;
  keepScreenOn(signal: AbortSignal): void;
  /** The floor measured at the device check, so that a reload does not measure a noisy moment. */
  floor: { read(): number | null; write(floorDb: number): void };
  onStop(): void;
}

/** An interval of sound and the room's floor it is measured from (`null`: not yet known). */
export type SoundListener = (report: SoundReport, floorDb: number | null) => void;

/** Levels from which the floor is computed: about half a minute at the device check. */
const FLOOR_LEVELS = 100;

/** How long to wait for a permission prompt before showing the next one. */
const NEXT_PROMPT_MS = 10_000;

const OFF: DeviceStatus = { kind: 'off' };

const OFF_SNAPSHOT: MonitorSnapshot = {
  camera: OFF,
  microphone: OFF,
  level: null,
  sound: null,
  face: 'starting',
  faceCountsInMs: null,
};

/**
 * The monitor of an attempt. It lives above the router, so that navigation neither stops nor
 * restarts a device. `stop` ends every stream and timer.
 */
export class Monitor extends SnapshotStore<MonitorSnapshot> {
  readonly #deps: MonitorDeps;
  readonly #soundListeners = new Set<SoundListener>();
  #ended = new AbortController();
  readonly #inUse: Partial<Record<Device, AbortController>> = {};
  #began = false;
  #levelEveryMs = 300;
  #levelsDb: number[] = [];
  #measuring = false;

  constructor(deps: MonitorDeps) {
    super(OFF_SNAPSHOT);
    this.#deps = deps;
  }

  /** Subscribes to every interval of sound; returns the unsubscribe function. */
  onSound(listener: SoundListener): () => void {
    this.#soundListeners.add(listener);
    return () => this.#soundListeners.delete(listener);
  }

  showFace(face: FaceShown, faceCountsInMs: number | null = null): void {
    const before = this.snapshot;
    if (face === before.face && faceCountsInMs === before.faceCountsInMs) return;
    this.update({ face, faceCountsInMs });
  }

  /** Asks the candidate for a device. No-op while it is granted or its prompt is open. */
  async ask(device: Device): Promise<DeviceStatus> {
    const now = this.snapshot[device];
    if (now.kind === 'granted' || now.kind === 'asking') return now;
    const { signal } = this.#ended;
    this.update({ [device]: { kind: 'asking' } });
    try {
      const open = device === 'camera' ? this.#deps.openCamera : this.#deps.openMicrophone;
      const stream = await open(signal);
      this.#granted(device, stream, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.update({ [device]: { kind: 'failed', failure: mediaFailure(device, error) } });
      }
    }
    return this.snapshot[device];
  }

  /** Lets go of a device and asks again: another one was chosen. */
  async askAgain(device: Device): Promise<DeviceStatus> {
    this.#release(device);
    return this.ask(device);
  }

  #release(device: Device): void {
    const now = this.snapshot[device];
    if (now.kind !== 'granted') return;
    this.#inUse[device]?.abort();
    for (const track of now.stream.getTracks()) track.stop();
    this.update({
      [device]: OFF,
      ...(device === 'microphone' ? { level: null, sound: null } : {}),
    });
  }

  /**
   * Asks for devices one after the other: in some browsers two prompts hide each other. An unanswered
   * prompt does not block the next one.
   */
  async askInTurn(devices: readonly Device[]): Promise<void> {
    const { signal } = this.#ended;
    for (const device of devices) {
      if (signal.aborted) return;
      await atMost(this.ask(device), NEXT_PROMPT_MS);
    }
  }

  /** Starts measuring the room's floor again, for the device check. */
  measureRoom(levelEveryMs: number): void {
    this.#levelEveryMs = levelEveryMs;
    this.#measuring = true;
    this.#levelsDb = [];
  }

  /** The measured floor, for the record of the device check. */
  get floorDb(): number | null {
    return this.#deps.floor.read();
  }

  /**
   * Begins to monitor a running attempt after `delayMs`. Asks for the devices that a reload has lost.
   * Idempotent: there is one monitor for the whole attempt.
   */
  begin(plan: { devices: readonly Device[]; levelEveryMs: number; delayMs: number }): void {
    // Also after another visit to the device check: its floor is final now.
    this.#measuring = false;
    if (this.#began) return;
    this.#began = true;
    // Switched off since the device check.
    for (const device of ['camera', 'microphone'] as const) {
      if (!plan.devices.includes(device)) this.#release(device);
    }
    this.#levelEveryMs = plan.levelEveryMs;
    const { signal } = this.#ended;
    this.#deps.keepScreenOn(signal);
    const timer = setTimeout(() => {
      if (this.snapshot.face === 'starting') this.update({ face: 'cannot-tell' });
      void this.askInTurn(plan.devices);
    }, plan.delayMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Ends every stream and timer; the lights of the devices go out. */
  stop(): void {
    this.#ended.abort();
    this.#ended = new AbortController();
    this.#began = false;
    this.#measuring = false;
    this.#levelsDb = [];
    this.update(OFF_SNAPSHOT);
    this.#deps.onStop();
  }

  #granted(device: Device, stream: MediaStream, session: AbortSignal): void {
    const ended = new AbortController();
    this.#inUse[device] = ended;
    const signal = AbortSignal.any([session, ended.signal]);
    const fail = (failure: MediaFailure) => {
      if (signal.aborted) return;
      ended.abort();
      this.update({ [device]: { kind: 'failed', failure } });
      if (device === 'microphone') this.update({ level: null, sound: null });
    };
    this.update({ [device]: { kind: 'granted', stream } });
    this.#deps.watchLiveness(stream, () => fail(lostDevice(device)), signal);
    if (device === 'microphone') {
      const onFailure = (cause: unknown) => {
        for (const track of stream.getTracks()) track.stop();
        fail(mediaFailure(device, cause));
      };
      const onReport = (report: SoundReport) => this.#onReport(report);
      this.#deps.watchSound(stream, this.#levelEveryMs, onReport, signal, onFailure);
    }
  }

  #onReport(report: SoundReport): void {
    const { levelDb } = report;
    const floor = levelDb === null ? null : this.#floorWith(levelDb);
    for (const listener of this.#soundListeners) listener(report, floor);
    const level = levelDb === null || floor === null ? null : shownLevel(levelDb, floor);
    const sound = soundOf(level, report.speech);
    const { level: levelBefore, sound: soundBefore } = this.snapshot;
    if (level !== levelBefore || sound !== soundBefore) this.update({ level, sound });
  }

  #floorWith(levelDb: number): number | null {
    const known = this.#measuring ? null : this.#deps.floor.read();
    if (known !== null) return known;
    this.#levelsDb = [...this.#levelsDb, levelDb].slice(-FLOOR_LEVELS);
    const floor = roomFloorDb(this.#levelsDb);
    if (floor !== null) this.#deps.floor.write(floor);
    return floor;
  }
}

/** Six decibels over the room's floor, on the scale of the level: below is quiet. */
const QUIET_LEVEL = 12;
const SPEECH_SHARE = 0.5;

function soundOf(level: number | null, speech: number | null): MonitorSnapshot['sound'] {
  if (level === null) return null;
  if (level <= QUIET_LEVEL) return 'quiet';
  return (speech ?? 0) >= SPEECH_SHARE ? 'speech' : 'noise';
}
