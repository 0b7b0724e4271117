import { sendThumbnail, uploadEvidence } from '@invigil/core/contract/evidence';
import type { OwnParticipant } from '@invigil/core/contract/participants';
import {
  noteViolation,
  reportViolation,
  type ViolationAnswer,
} from '@invigil/core/contract/violations';
import { EVIDENCE_LIMITS } from '@invigil/core/domain/limits';
import { isCountingType, levelOf } from '@invigil/core/domain/violation-types';
import { retryDelayMs } from '../../answer-sync/back-off.ts';
import { stopOf } from '../../answer-sync/endpoint-transport.ts';
import { watchPage } from '../../answer-sync/page-events.ts';
import { ApiError, callEndpoint, inTime } from '../../lib/api.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device-kind.ts';
import { EvidenceRing } from '../../proctoring/evidence-ring.ts';
import { EvidenceSender, type Upload } from '../../proctoring/evidence-upload.ts';
import type { Finding } from '../../proctoring/finding.ts';
import { type JudgingPlan, judge } from '../../proctoring/judging.ts';
import { thisPage } from '../../proctoring/page-signals.ts';
import type { FaceReport } from '../../proctoring/sensor-reports.ts';
import { shownLevel } from '../../proctoring/sound-level.ts';
import { stillMaker } from '../../proctoring/still-picture.ts';
import { watchStream } from '../../proctoring/stream-look.ts';
import { type SendOutcome, ViolationOutbox } from '../../proctoring/violation-outbox.ts';
import {
  memoryViolationStore,
  openViolationStore,
  type StoredReport,
} from '../../proctoring/violation-store.ts';
import { copyCounted } from './local-copies.ts';
import { NoticeBoard } from './notice-board.ts';

export interface InvigilationDeps {
  participant: Pick<OwnParticipant, 'id' | 'policy'>;
  plan: JudgingPlan;
  /** The server's count, after each answer. */
  onAnswer(answer: ViolationAnswer): void;
}

/**
 * Watches over one running attempt on this page: what is judged goes into the outbox, what the server
 * answers onto the screen, and the seconds around it into the evidence.
 */
export class Invigilation {
  readonly board: NoticeBoard;
  readonly #deps: InvigilationDeps;
  readonly #judging = new AbortController();
  readonly #over = new AbortController();
  readonly #ring = new EvidenceRing();
  readonly #evidence: EvidenceSender;
  readonly #known = new Map<string, (is: boolean) => void>();
  #outbox: ViolationOutbox | null = null;
  #early: StoredReport[] = [];
  #checks = 0;
  #watched = false;
  #isShowing = false;
  readonly #makeStill = stillMaker();

  constructor(deps: InvigilationDeps) {
    this.#deps = deps;
    this.board = new NoticeBoard(deps.participant.policy, thisDevice());
    this.#evidence = new EvidenceSender({
      ring: this.#ring,
      send: (upload) => this.#upload(upload),
      newId: () => crypto.randomUUID(),
      now: () => performance.now(),
    });
  }

  begin(): void {
    const { plan, participant } = this.#deps;
    void this.#openOutbox();
    judge(
      {
        monitor: attemptMonitor,
        page: thisPage(),
        watchCamera: (stream, onReport, signal) => this.#watchCamera(stream, onReport, signal),
        onFound: (found) => this.#found(found),
      },
      plan,
      this.#judging.signal,
    );
    const stop = attemptMonitor.hearSound(({ levelDb }, floorDb) => {
      if (floorDb === null) return;
      this.#ring.addLevel({ at: performance.now(), level: shownLevel(levelDb, floorDb) });
    });
    this.#judging.signal.addEventListener('abort', stop);
    const { stillEveryMs } = participant.policy;
    if (stillEveryMs !== null) {
      const timer = setInterval(() => this.#evidence.sendNewest(), stillEveryMs);
      this.#judging.signal.addEventListener('abort', () => clearInterval(timer));
    }
  }

  /** For the heartbeat: what judges, and how often it has. */
  report(): Record<string, string | number | boolean | null> {
    const { face } = attemptMonitor.getSnapshot();
    return { face, faceEngine: attemptEngines.here?.face.engine ?? null, checks: this.#checks };
  }

  /** Whether an administrator looks at the picture: then a thumbnail a second is sent. */
  setWatched(watched: boolean): void {
    this.#watched = watched;
  }

  /** The person's own words on what was noticed. Rejects when they could not be kept. */
  async note(id: string, note: string): Promise<void> {
    await callEndpoint(noteViolation, { params: { id }, body: { note }, signal: inTime() });
    this.board.noted(id);
  }

  /** The attempt is being handed in: nothing new is noticed, what waits is still sent. */
  stopJudging(): void {
    if (this.#judging.signal.aborted) return;
    this.#judging.abort();
    this.#evidence.finishAll();
    this.board.end();
  }

  /** This page no longer takes part. */
  stop(): void {
    this.stopJudging();
    this.#over.abort();
    this.#outbox?.stop();
  }

  #found(found: Finding): void {
    const id = crypto.randomUUID();
    const { type, at, durationMs, notes, engine } = found;
    const age = Math.max(0, performance.now() - at);
    const report: StoredReport = {
      id,
      participantId: this.#deps.participant.id,
      type,
      wallAt: Date.now() - age,
      durationMs,
      notes,
      engine,
    };
    this.board.found(id, found);
    if (levelOf(type) !== 'info') {
      const known = new Promise<boolean>((resolve) => this.#known.set(id, resolve));
      this.#evidence.collect(id, at, known);
    }
    if (this.#outbox === null) this.#early.push(report);
    else this.#outbox.add(report);
  }

  async #openOutbox(): Promise<void> {
    const { participant } = this.#deps;
    const onStoreFailure = (cause: unknown) =>
      logProblem('This browser stores no reports: they wait in the page only', cause);
    const store = await openViolationStore().catch((cause) => {
      onStoreFailure(cause);
      return memoryViolationStore();
    });
    const outbox = new ViolationOutbox({
      store,
      send,
      onAnswer: (report, answer) => this.#answered(report, answer),
      onRefused: ({ id }) => this.#settle(id, false),
      retryDelayMs: (failures, afterMs) => retryDelayMs(failures, Math.random(), afterMs),
      wallNow: () => Date.now(),
      onStoreFailure,
    });
    if (this.#over.signal.aborted) return outbox.stop();
    this.#outbox = outbox;
    for (const report of this.#early.splice(0)) outbox.add(report);
    watchPage(
      { window, document },
      { leaving: () => undefined, back: () => outbox.retryNow() },
      this.#over.signal,
    );
    await outbox.resume(participant.id);
  }

  #answered(report: StoredReport, answer: ViolationAnswer): void {
    const { id, type } = report;
    this.#settle(id, true);
    if (this.#judging.signal.aborted) return;
    if (answer.counted) copyCounted(type);
    if (isCountingType(type)) this.#deps.onAnswer(answer);
    this.board.answered(id, type, answer);
  }

  /** Whether the server has it: its evidence has waited for that. */
  #settle(id: string, isKnown: boolean): void {
    this.#known.get(id)?.(isKnown);
    this.#known.delete(id);
  }

  #watchCamera(
    stream: MediaStream,
    onReport: (report: FaceReport, at: number) => void,
    signal: AbortSignal,
  ): void {
    watchStream(
      stream,
      {
        sensor: () => attemptEngines.here?.face ?? null,
        onPicture: (picture) => void this.#keepStill(picture),
        onReport: (report, at) => {
          this.#checks += 1;
          onReport(report, at);
        },
      },
      this.#deps.plan.policy.face.everyMs,
      signal,
    );
  }

  async #keepStill(picture: ImageBitmap): Promise<void> {
    const at = performance.now();
    const watched = this.#watched;
    const { stillMaxBytes, thumbnailMaxBytes } = EVIDENCE_LIMITS;
    const jpeg = await this.#makeStill(picture, watched ? thumbnailMaxBytes : stillMaxBytes);
    if (jpeg === null || this.#judging.signal.aborted) return;
    this.#ring.addStill({ at, jpeg });
    // One at a time: on a slow line answers would wait behind pictures.
    if (watched && !this.#isShowing) await this.#sendThumbnail(jpeg);
  }

  async #sendThumbnail(jpeg: string): Promise<void> {
    this.#isShowing = true;
    try {
      const call = { params: { id: this.#deps.participant.id }, body: { jpeg }, signal: inTime() };
      const { watched } = await callEndpoint(sendThumbnail, call);
      this.#watched = watched;
    } catch {
      // The next second brings the next one.
    } finally {
      this.#isShowing = false;
    }
  }

  async #upload(upload: Upload): Promise<void> {
    try {
      const call = { params: { id: this.#deps.participant.id }, body: upload, signal: inTime() };
      await callEndpoint(uploadEvidence, call);
    } catch (cause) {
      logProblem('Evidence could not be sent; what was noticed is reported without it', cause);
    }
  }
}

/** One report over HTTP; outcomes are values. */
async function send(report: StoredReport, ageMs: number, over: AbortSignal): Promise<SendOutcome> {
  const { id, participantId, type, notes, durationMs, engine } = report;
  const body = {
    id,
    participantId,
    violationType: type,
    ageMs,
    notes,
    ...(durationMs === null ? {} : { durationMs: Math.round(durationMs) }),
    ...(engine === null ? {} : { engine }),
  };
  try {
    const answer = await callEndpoint(reportViolation, { body, signal: inTime(over) });
    return { kind: 'answered', answer };
  } catch (error) {
    const stop = stopOf(error);
    if (stop !== null) return { kind: stop.kind === 'closed' ? 'over' : 'signed-out' };
    if (error instanceof ApiError) {
      const afterMs = error.retryAfterSeconds === null ? null : error.retryAfterSeconds * 1_000;
      // Without a time to come back the attempt has had all the reports that are taken.
      if (error.code === 'TOO_MANY_VIOLATIONS' && afterMs === null) return { kind: 'over' };
      if (error.status === 429 || error.status >= 500) return { kind: 'try-again', afterMs };
      logProblem(`A report of ${type} was refused`, error);
      return { kind: 'refused' };
    }
    return { kind: 'try-again', afterMs: null };
  }
}
