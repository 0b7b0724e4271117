import {
  type EvidenceUpload,
  sendThumbnail,
  uploadEvidence,
} from '@invigil/core/contract/attempts/evidence';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { newId } from '../lib/new-id.ts';
import { logProblem } from '../lib/problem-log.ts';
import { callEndpoint, inTime, mayPass, retryAfterMsOf } from '../net/api.ts';
import { RetryQueue, type TryAgain } from '../net/retry.ts';

/** One still per second, by the page's monotonic clock. */
interface Still {
  at: number;
  /** base64 of a JPEG */
  jpeg: string;
}

interface Level {
  at: number;
  /** 0 to 120, as the status box shows it */
  level: number;
}

const STILLS = 10;
/** The level curve covers the same ten seconds. */
const LEVELS_MS = 10_000;

/** The last ten seconds, in memory only: a ring buffer of stills and levels. */
class EvidenceRing {
  #stills: Still[] = [];
  #levels: Level[] = [];
  readonly #followers = new Set<{ until: number; stills: Still[]; levels: Level[] }>();

  addStill(still: Still): void {
    this.#stills = [...this.#stills, still].slice(-STILLS);
    for (const follower of this.#followers) {
      if (still.at <= follower.until && follower.stills.length < STILLS)
        follower.stills.push(still);
    }
  }

  addLevel(level: Level): void {
    this.#levels = [...this.#levels.filter((one) => one.at > level.at - LEVELS_MS), level];
    for (const follower of this.#followers) {
      if (level.at <= follower.until) follower.levels.push(level);
    }
  }

  get newest(): Still | null {
    return this.#stills.at(-1) ?? null;
  }

  /** Stills and levels of the ten seconds before `at`. */
  before(at: number): { stills: Still[]; levels: Level[] } {
    const inTime = (one: { at: number }) => one.at > at - LEVELS_MS - 1_000 && one.at <= at;
    return { stills: this.#stills.filter(inTime), levels: this.#levels.filter(inTime) };
  }

  /** Collects stills and levels until `until`; `end` returns those collected so far. */
  follow(until: number): { end(): { stills: Still[]; levels: Level[] } } {
    const follower = { until, stills: [] as Still[], levels: [] as Level[] };
    this.#followers.add(follower);
    return {
      end: () => {
        this.#followers.delete(follower);
        return { stills: follower.stills, levels: follower.levels };
      },
    };
  }
}

/** One still per second, even if faces are checked more often. */
const STILL_APART_MS = 900;
/** Stills are collected for this long after the violation; the tenth arrives slightly late. */
const AFTER_MS = 10_500;
/**
 * Limit of violations with evidence in memory: each holds up to half a megabyte, and an outage may
 * be long. Violations beyond it are reported without evidence.
 */
const MAX_MOMENTS = 12;
/**
 * Tries of one upload, with exponential back-off. The pauses are longer than those of answers and
 * reports, which have priority on the same connection.
 */
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = 4_000;
const LAST_PAUSE_MS = 60_000;

export type Upload = Pick<EvidenceUpload, 'id' | 'violationId' | 'ageMs' | 'stills' | 'levels'>;
export type UploadOutcome = { kind: 'sent' } | { kind: 'refused'; cause: unknown } | TryAgain;

/** The seconds around a violation, of which the server may not know yet. */
interface Moment {
  known: PromiseWithResolvers<boolean>;
  ended: PromiseWithResolvers<void>;
  settled: Promise<void>;
}

interface QueuedUpload {
  upload: Omit<Upload, 'ageMs'>;
  at: number;
  tries: number;
  settled: PromiseWithResolvers<void>;
}

/**
 * The last seconds of camera and level: buffered in the page, sent with detections, and as thumbnails
 * while an administrator is viewing. The ten seconds before and after a violation are two uploads, one
 * at a time, since answers share the connection. Evidence is lost after the last try; the violation is
 * not.
 */
export class AttemptEvidence {
  readonly #participantId: string;
  readonly #makeStill: ReturnType<typeof stillMaker>;
  readonly #ring = new EvidenceRing();
  readonly #moments = new Map<string, Moment>();
  readonly #uploads: QueuedUpload[] = [];
  readonly #queue: RetryQueue<QueuedUpload, UploadOutcome>;
  #isWatched = false;
  #isShowing = false;
  #isOver = false;
  #pictureAt = Number.NEGATIVE_INFINITY;

  /** @param parts replaced by tests */
  constructor(
    participantId: string,
    parts: {
      makeStill?: ReturnType<typeof stillMaker>;
      send?(upload: Upload, signal: AbortSignal): Promise<UploadOutcome>;
    } = {},
  ) {
    this.#participantId = participantId;
    this.#makeStill = parts.makeStill ?? stillMaker();
    const { send = (upload, signal) => sendUpload(participantId, upload, signal) } = parts;
    this.#queue = new RetryQueue({
      next: () => this.#uploads[0] ?? null,
      send: ({ upload, at }, signal) => {
        const ageMs = Math.max(0, Math.round(performance.now() - at));
        return send({ ...upload, ageMs }, signal);
      },
      settle: (queued, outcome) => this.#settle(queued, outcome),
      delayMs: (failures, afterMs) =>
        Math.min(afterMs ?? FIRST_PAUSE_MS * 2 ** failures, LAST_PAUSE_MS),
    });
  }

  /** While an administrator is viewing the picture, a thumbnail per second is sent. */
  setWatched(isWatched: boolean): void {
    this.#isWatched = isWatched;
  }

  addLevel(level: number): void {
    this.#ring.addLevel({ at: performance.now(), level });
  }

  async addPicture(picture: ImageBitmap): Promise<void> {
    const at = performance.now();
    if (at - this.#pictureAt < STILL_APART_MS) return;
    this.#pictureAt = at;
    const isWatched = this.#isWatched;
    const { stillMaxBytes, thumbnailMaxBytes } = EVIDENCE_LIMITS;
    const jpeg = await this.#makeStill(picture, isWatched ? thumbnailMaxBytes : stillMaxBytes);
    if (jpeg === null || this.#isOver) return;
    this.#ring.addStill({ at, jpeg });
    // One at a time: on a slow connection answers would be queued behind pictures.
    if (isWatched && !this.#isShowing) await this.#sendThumbnail(jpeg);
  }

  /** Sends the seconds around `at` with this report, once the server has it. */
  collect(reportId: string, at: number): void {
    if (this.#moments.size >= MAX_MOMENTS) return;
    const known = Promise.withResolvers<boolean>();
    const ended = Promise.withResolvers<void>();
    const settled = this.#sendMoment(reportId, at, { known, ended }).finally(() =>
      this.#moments.delete(reportId),
    );
    this.#moments.set(reportId, { known, ended, settled });
  }

  /** Whether the server has the report, which its evidence waits for. */
  reported(reportId: string, isKnown: boolean): void {
    this.#moments.get(reportId)?.known.resolve(isKnown);
  }

  /** Sends the periodic still that the policy asks for. */
  sendNewest(): void {
    const still = this.#ring.newest;
    // The camera is gone: an old still shows nothing current.
    if (still === null || performance.now() - still.at > 5_000) return;
    void this.#send(null, still.at, { stills: [still], levels: [] });
  }

  /** Stops collecting and sends what there is. */
  finish(): void {
    this.#isOver = true;
    for (const { ended } of this.#moments.values()) ended.resolve();
  }

  async settled(): Promise<void> {
    const uploads = this.#uploads.map((one) => one.settled.promise);
    await Promise.all([...[...this.#moments.values()].map((one) => one.settled), ...uploads]);
  }

  async #sendMoment(id: string, at: number, { known, ended }: Omit<Moment, 'settled'>) {
    const before = this.#ring.before(at);
    const following = this.#ring.follow(at + AFTER_MS);
    const timer = setTimeout(ended.resolve, AFTER_MS);
    const after = ended.promise.then(() => {
      clearTimeout(timer);
      return following.end();
    });
    if (!(await known.promise)) return;
    const sent = this.#send(id, at, before);
    await this.#send(id, at, await after);
    await sent;
  }

  #send(
    violationId: string | null,
    at: number,
    { stills, levels }: { stills: readonly Still[]; levels: readonly Level[] },
  ): Promise<void> {
    if (stills.length === 0 && levels.length === 0) return Promise.resolve();
    const upload = {
      id: newId(),
      violationId,
      stills: stills.map((still) => ({ offsetMs: Math.round(still.at - at), jpeg: still.jpeg })),
      levels: levelCurve(levels, at),
    };
    const settled = Promise.withResolvers<void>();
    this.#uploads.push({ upload, at, tries: 0, settled });
    this.#queue.start();
    return settled.promise;
  }

  #settle(queued: QueuedUpload, outcome: UploadOutcome): TryAgain | null {
    queued.tries += 1;
    if (outcome.kind === 'try-again' && queued.tries < MAX_TRIES) return outcome;
    this.#uploads.shift();
    queued.settled.resolve();
    if (outcome.kind !== 'sent') {
      logProblem('Evidence could not be sent; what was detected is reported without it', outcome);
    }
    return null;
  }

  async #sendThumbnail(jpeg: string): Promise<void> {
    this.#isShowing = true;
    try {
      const call = { params: { id: this.#participantId }, body: { jpeg }, signal: inTime() };
      this.#isWatched = (await callEndpoint(sendThumbnail, call)).watched;
    } catch {
      // The next thumbnail follows in a second.
    } finally {
      this.#isShowing = false;
    }
  }
}

async function sendUpload(id: string, upload: Upload, signal: AbortSignal): Promise<UploadOutcome> {
  try {
    await callEndpoint(uploadEvidence, { params: { id }, body: upload, signal });
    return { kind: 'sent' };
  } catch (cause) {
    if (!mayPass(cause)) return { kind: 'refused', cause };
    return { kind: 'try-again', afterMs: retryAfterMsOf(cause) };
  }
}

function levelCurve(levels: readonly Level[], at: number): Upload['levels'] {
  const [first] = levels;
  const last = levels.at(-1);
  if (first === undefined || last === undefined) return null;
  const everyMs = levels.length < 2 ? 300 : (last.at - first.at) / (levels.length - 1);
  return {
    offsetMs: Math.round(first.at - at),
    everyMs: Math.min(10_000, Math.max(50, Math.round(everyMs))),
    values: levels.map(({ level }) => level),
  };
}

const { stillWidthPx, stillHeightPx } = EVIDENCE_LIMITS;

/** JPEG qualities, tried in order until the still fits the server's size limit. */
const QUALITIES = [0.7, 0.4] as const;

/**
 * Creates small JPEGs of camera pictures, in base64; `null` if the browser cannot draw. The picture
 * is drawn synchronously, so the caller may close it at once.
 */
export function stillMaker(): (picture: ImageBitmap, maxBytes: number) => Promise<string | null> {
  const canvas = document.createElement('canvas');
  canvas.width = stillWidthPx;
  canvas.height = stillHeightPx;
  const pencil = canvas.getContext('2d', { alpha: false });
  return async (picture, maxBytes) => {
    if (pencil === null) return null;
    pencil.drawImage(picture, 0, 0, stillWidthPx, stillHeightPx);
    for (const quality of QUALITIES) {
      const blob = await new Promise<Blob | null>((done) =>
        canvas.toBlob(done, 'image/jpeg', quality),
      );
      if (blob !== null && blob.size <= maxBytes) return base64(await blob.arrayBuffer());
    }
    return null;
  };
}

function base64(bytes: ArrayBuffer): string {
  let text = '';
  for (const byte of new Uint8Array(bytes)) text += String.fromCharCode(byte);
  return btoa(text);
}
