import { atMost } from '../lib/timeout.ts';
import type { FaceShown } from './detection/face-debouncer.ts';
import { roomFloorDb, shownLevel } from './detection/sound-level.ts';
import type { SoundReport } from './detectors/sensor-reports.ts';
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
  /** What the one who judges says; without one the honest word is that no one can tell. */
  face: FaceShown;
}

/** The devices and timers under the monitor; tests put their own here. */
export interface MonitorDeps {
  openCamera(signal: AbortSignal): Promise<MediaStream>;
  openMicrophone(signal: AbortSignal): Promise<MediaStream>;
  watchSound(
    stream: MediaStream,
    everyMs: number,
    onReport: (report: SoundReport) => void,
    signal: AbortSignal,
    /** The browser gives no way to the sound of this stream. */
    onFailure: (cause: unknown) => void,
  ): void;
  watchLiveness(stream: MediaStream, onLost: () => void, signal: AbortSignal): void;
  keepScreenOn(signal: AbortSignal): void;
  /** The floor measured at the device check, so that a reload does not measure a noisy moment. */
  floor: { read(): number | null; write(floorDb: number): void };
  /** Nothing is monitored any more. */
  onStop(): void;
}

/** An interval of sound, with the room's floor that it is measured from (`null`: not yet known). */
export type SoundListener = (report: SoundReport, floorDb: number | null) => void;

/** How many levels the floor is taken from: about half a minute at the device check. */
const LEVELS_KEPT = 100;

/** How long a question for a device may stand before the next one is asked beside it. */
const NEXT_QUESTION_MS = 10_000;

const OFF: DeviceStatus = { kind: 'off' };

/**
 * The one monitor of an attempt. It stands above the router, so that walking from screen to screen
 * neither stops nor restarts a device. `stop` ends every stream and timer.
 */
export class Monitor {
  readonly #deps: MonitorDeps;
  readonly #listeners = new Set<() => void>();
  readonly #soundListeners = new Set<SoundListener>();
  #ended = new AbortController();
  #began = false;
  #levelEveryMs = 300;
  #levelsDb: number[] = [];
  #measuring = false;
  #snapshot: MonitorSnapshot = { camera: OFF, microphone: OFF, level: null, face: 'starting' };

  constructor(deps: MonitorDeps) {
    this.#deps = deps;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getSnapshot = (): MonitorSnapshot => this.#snapshot;

  /** Every interval of sound as it comes; the answer ends it. */
  hearSound(listener: SoundListener): () => void {
    this.#soundListeners.add(listener);
    return () => this.#soundListeners.delete(listener);
  }

  /** The word of the one who judges faces. */
  sayFace(face: FaceShown): void {
    if (face !== this.#snapshot.face) this.#set({ face });
  }

  /** Asks the person for a device. Does nothing while it is granted or being asked for. */
  async ask(device: Device): Promise<DeviceStatus> {
    const now = this.#snapshot[device];
    if (now.kind === 'granted' || now.kind === 'asking') return now;
    const { signal } = this.#ended;
    this.#set({ [device]: { kind: 'asking' } });
    try {
      const open = device === 'camera' ? this.#deps.openCamera : this.#deps.openMicrophone;
      const stream = await open(signal);
      this.#granted(device, stream, signal);
    } catch (error) {
      if (!signal.aborted) {
        this.#set({ [device]: { kind: 'failed', failure: mediaFailure(device, error) } });
      }
    }
    return this.#snapshot[device];
  }

  /**
   * Asks for devices one after the other: two questions at once hide each other in some browsers. One
   * that no one answers does not keep the next from being asked.
   */
  async askInTurn(devices: readonly Device[]): Promise<void> {
    const { signal } = this.#ended;
    for (const device of devices) {
      if (signal.aborted) return;
      await atMost(this.ask(device), NEXT_QUESTION_MS);
    }
  }

  /** The device check: from now on the room's floor is measured again. */
  measureRoom(levelEveryMs: number): void {
    this.#levelEveryMs = levelEveryMs;
    this.#measuring = true;
    this.#levelsDb = [];
  }

  /** The floor that was measured, for the record of the device check. */
  get floorDb(): number | null {
    return this.#deps.floor.read();
  }

  /**
   * Monitoring of a running attempt begins after `delayMs`. Asks for the devices that a reload has
   * lost. A second call changes nothing: it is one monitor for the whole attempt.
   */
  begin(plan: { devices: readonly Device[]; levelEveryMs: number; delayMs: number }): void {
    // Also where the device check was visited again in the meantime: its floor holds from now on.
    this.#measuring = false;
    if (this.#began) return;
    this.#began = true;
    this.#levelEveryMs = plan.levelEveryMs;
    const { signal } = this.#ended;
    this.#deps.keepScreenOn(signal);
    const timer = setTimeout(() => {
      if (this.#snapshot.face === 'starting') this.#set({ face: 'cannot-tell' });
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
    this.#set({ camera: OFF, microphone: OFF, level: null, face: 'starting' });
    this.#deps.onStop();
  }

  #granted(device: Device, stream: MediaStream, session: AbortSignal): void {
    const ended = new AbortController();
    const signal = AbortSignal.any([session, ended.signal]);
    const fail = (failure: MediaFailure) => {
      if (signal.aborted) return;
      ended.abort();
      this.#set({ [device]: { kind: 'failed', failure } });
      if (device === 'microphone') this.#set({ level: null });
    };
    this.#set({ [device]: { kind: 'granted', stream } });
    this.#deps.watchLiveness(stream, () => fail(lostDevice(device)), signal);
    if (device === 'microphone') {
      const onFailure = (cause: unknown) => {
        for (const track of stream.getTracks()) track.stop();
        fail(mediaFailure(device, cause));
      };
      const onReport = (report: SoundReport) => this.#heard(report);
      this.#deps.watchSound(stream, this.#levelEveryMs, onReport, signal, onFailure);
    }
  }

  #heard(report: SoundReport): void {
    const floor = this.#floorWith(report.levelDb);
    for (const listener of this.#soundListeners) listener(report, floor);
    if (floor === null) return;
    const level = shownLevel(report.levelDb, floor);
    if (level !== this.#snapshot.level) this.#set({ level });
  }

  #floorWith(levelDb: number): number | null {
    const known = this.#measuring ? null : this.#deps.floor.read();
    if (known !== null) return known;
    this.#levelsDb = [...this.#levelsDb, levelDb].slice(-LEVELS_KEPT);
    const floor = roomFloorDb(this.#levelsDb);
    if (floor !== null) this.#deps.floor.write(floor);
    return floor;
  }

  #set(change: Partial<MonitorSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}
