import { sendThumbnail, uploadEvidence } from '@invigil/core/contract/attempts/evidence';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { newId } from '../../lib/new-id.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { callEndpoint, inTime, mayPass, retryAfterMsOf } from '../../net/api.ts';
import { EvidenceRing } from '../../proctoring/evidence/evidence-ring.ts';
import {
  EvidenceSender,
  type SendOutcome,
  type Upload,
} from '../../proctoring/evidence/evidence-upload.ts';
import { stillMaker } from '../../proctoring/evidence/still-picture.ts';

/** One still per second, even if faces are checked more often. */
const STILL_APART_MS = 900;

/**
 * The last seconds of camera and level: buffered in the page, sent with detections, and as thumbnails
 * while an administrator is viewing.
 */
export class AttemptEvidence {
  readonly #participantId: string;
  readonly #ring = new EvidenceRing();
  readonly #sender: EvidenceSender;
  readonly #known = new Map<string, (is: boolean) => void>();
  readonly #makeStill = stillMaker();
  #watched = false;
  #isShowing = false;
  #isOver = false;
  #pictureAt = Number.NEGATIVE_INFINITY;

  constructor(participantId: string) {
    this.#participantId = participantId;
    this.#sender = new EvidenceSender({
      ring: this.#ring,
      send: (upload) => this.#upload(upload),
      onLost: (cause) =>
        logProblem('Evidence could not be sent; what was detected is reported without it', cause),
      newId,
      now: () => performance.now(),
    });
  }

  /** While an administrator is viewing the picture, a thumbnail per second is sent. */
  setWatched(watched: boolean): void {
    this.#watched = watched;
  }

  addLevel(level: number): void {
    this.#ring.addLevel({ at: performance.now(), level });
  }

  async addPicture(picture: ImageBitmap): Promise<void> {
    const at = performance.now();
    if (at - this.#pictureAt < STILL_APART_MS) return;
    this.#pictureAt = at;
    const watched = this.#watched;
    const { stillMaxBytes, thumbnailMaxBytes } = EVIDENCE_LIMITS;
    const jpeg = await this.#makeStill(picture, watched ? thumbnailMaxBytes : stillMaxBytes);
    if (jpeg === null || this.#isOver) return;
    this.#ring.addStill({ at, jpeg });
    // One at a time: on a slow connection answers would be queued behind pictures.
    if (watched && !this.#isShowing) await this.#sendThumbnail(jpeg);
  }

  /** Sends the seconds around `at` with this report, once the server has it. */
  collect(reportId: string, at: number): void {
    const known = new Promise<boolean>((resolve) => this.#known.set(reportId, resolve));
    this.#sender.collect(reportId, at, known);
  }

  /** Whether the server has the report, which its evidence waits for. */
  settle(reportId: string, isKnown: boolean): void {
    this.#known.get(reportId)?.(isKnown);
    this.#known.delete(reportId);
  }

  /** Sends a periodic still. */
  sendNewest(): void {
    this.#sender.sendNewest();
  }

  /** Stops collecting and sends what there is. */
  finish(): void {
    this.#isOver = true;
    this.#sender.finishAll();
  }

  async #sendThumbnail(jpeg: string): Promise<void> {
    this.#isShowing = true;
    try {
      const call = { params: { id: this.#participantId }, body: { jpeg }, signal: inTime() };
      const { watched } = await callEndpoint(sendThumbnail, call);
      this.#watched = watched;
    } catch {
      // The next thumbnail follows in a second.
    } finally {
      this.#isShowing = false;
    }
  }

  /** Resolves once all evidence is sent or lost. */
  settled(): Promise<void> {
    return this.#sender.settled();
  }

  async #upload(upload: Upload): Promise<SendOutcome> {
    try {
      const call = { params: { id: this.#participantId }, body: upload, signal: inTime() };
      await callEndpoint(uploadEvidence, call);
      return { kind: 'sent' };
    } catch (cause) {
      if (!mayPass(cause)) return { kind: 'refused', cause };
      return { kind: 'again', afterMs: retryAfterMsOf(cause), cause };
    }
  }
}
