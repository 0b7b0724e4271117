import type {
  MonitorReport,
  OwnParticipant,
} from '@invigil/core/contract/attempts/own-participant';
import { noteViolation, type ViolationAnswer } from '@invigil/core/contract/attempts/violations';
import { isCountingType, levelOf } from '@invigil/core/domain/violations/violation-types';
import { newId } from '../../lib/new-id.ts';
import { callEndpoint, inTime } from '../../net/api.ts';
import { AttemptEvidence } from '../../proctoring/attempt-evidence.ts';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { type DetectionPlan, detect } from '../../proctoring/detect.ts';
import { type DetectedEvent, detectedEvent } from '../../proctoring/detection/detected-event.ts';
import { RETURN_MS } from '../../proctoring/detection/fullscreen-exits.ts';
import { thisPage } from '../../proctoring/detection/page-signals.ts';
import { shownLevel } from '../../proctoring/detectors/sound-level.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import type { DeviceStatus } from '../../proctoring/monitor.ts';
import { isFullscreen, watchFullscreen } from '../../proctoring/sensors/screen.ts';
import { type ViolationReport, ViolationReports } from '../../proctoring/violation-reports.ts';
import { onRegionFailed } from '../../ui/region.tsx';
import { copyCounted } from '../attempt/local-copies.ts';
import { NoticeBoard } from './notice-board.ts';
import { canBeWarned, readStoredNotices, storeNotices, watchPainting } from './seen-notices.ts';

export interface MonitoringDeps {
  participant: Pick<OwnParticipant, 'id' | 'policy' | 'computerUsed'>;
  plan: DetectionPlan;
  /** Called with each response, which has the server's count. */
  onAnswer(answer: ViolationAnswer): void;
}

const REPORTED: Record<DeviceStatus['kind'], string> = {
  off: 'off',
  asking: 'asking',
  granted: 'live',
  failed: 'unavailable',
};

/**
 * Monitors a running attempt: sends detections to the server as reports, shows its responses, and sends
 * the seconds around them as evidence.
 */
export class Monitoring {
  readonly board: NoticeBoard;
  readonly #deps: MonitoringDeps;
  readonly #detecting = new AbortController();
  readonly #reports: ViolationReports;
  readonly #evidence: AttemptEvidence;
  #detection: ReturnType<typeof detect> | null = null;

  constructor(deps: MonitoringDeps) {
    const { id, policy, computerUsed } = deps.participant;
    this.#deps = deps;
    this.board = new NoticeBoard(policy, {
      mobile: thisDevice().mobile,
      computerUsed,
      isCovered: () => !isFullscreen(),
    });
    this.#evidence = new AttemptEvidence(id);
    this.#reports = new ViolationReports({
      participantId: id,
      onAnswer: (report, answer) => this.#answered(report, answer),
      onRefused: (report) => this.#evidence.reported(report.id, false),
    });
  }

  begin(): void {
    const { plan, participant } = this.#deps;
    const { signal } = this.#detecting;
    this.#storeNotices();
    void this.#reports.open();
    // Subscribe before detection, which may excuse the exit: it must not show the last exit's number.
    watchFullscreen(() => this.board.fullscreenChanged(), signal);
    this.#detection = detect(
      {
        monitor: attemptMonitor,
        page: thisPage(),
        sensor: () => attemptEngines.face,
        onPicture: (picture) => void this.#evidence.addPicture(picture),
        onFound: (found) => this.#found(found),
        onOver: (type) => this.board.over(type),
        onVoice: (isHeard) => this.board.warnOfVoice(isHeard),
        onExcused: (excused) => this.board.excuse(excused ? RETURN_MS : null),
      },
      plan,
      signal,
    );
    watchPainting(signal);
    signal.addEventListener(
      'abort',
      onRegionFailed((name) => this.partFailed(name)),
    );
    const stop = attemptMonitor.onSound(({ levelDb }, floorDb) => {
      if (levelDb !== null && floorDb !== null)
        this.#evidence.addLevel(shownLevel(levelDb, floorDb));
    });
    signal.addEventListener('abort', stop);
    const { stillEveryMs } = participant.policy;
    if (stillEveryMs !== null) {
      const timer = setInterval(() => this.#evidence.sendNewest(), stillEveryMs);
      signal.addEventListener('abort', () => clearInterval(timer));
    }
  }

  partFailed(name: string): void {
    this.#found(detectedEvent('page_failed', performance.now(), { notes: name }));
  }

  /** The report for the heartbeat: devices, engine and number of checks. */
  report(): MonitorReport {
    const { camera, microphone, face } = attemptMonitor.getSnapshot();
    return {
      camera: REPORTED[camera.kind],
      microphone: REPORTED[microphone.kind],
      fullscreen: isFullscreen(),
      visible: document.visibilityState === 'visible',
      face,
      faceEngine: attemptEngines.face?.engine ?? null,
      checks: this.#detection?.checks ?? 0,
    };
  }

  setWatched(watched: boolean): void {
    this.#evidence.setWatched(watched);
  }

  async note(id: string, note: string): Promise<void> {
    await callEndpoint(noteViolation, { params: { id }, body: { note }, signal: inTime() });
    this.board.noted(id);
  }

  /** The attempt is being submitted: stops detection, still sends pending reports. */
  stopDetecting(): void {
    if (this.#detecting.signal.aborted) return;
    this.#detecting.abort();
    this.#evidence.finish();
    this.board.end();
  }

  reportsSettled(): Promise<void> {
    return this.#reports.settled();
  }

  /** Resolves once all evidence is sent or lost. Never rejects. */
  evidenceSettled(): Promise<void> {
    return this.#evidence.settled();
  }

  stop(): void {
    this.stopDetecting();
    this.#reports.stop();
  }

  /** Restores the strip after a reload, so that a note can still be added. */
  #storeNotices(): void {
    const { id } = this.#deps.participant;
    this.board.restore(readStoredNotices(id));
    let kept = this.board.noteworthy;
    const stop = this.board.subscribe(() => {
      const { noteworthy } = this.board;
      if (noteworthy !== kept) storeNotices(id, noteworthy);
      kept = noteworthy;
    });
    // Stop before the board is cleared: the attempt may continue in another tab.
    this.#detecting.signal.addEventListener('abort', stop);
  }

  #found(found: DetectedEvent): void {
    const id = newId();
    const { type, at, durationMs, notes, engine } = found;
    const age = Math.max(0, performance.now() - at);
    const participantId = this.#deps.participant.id;
    const wallAt = Date.now() - age;
    this.board.found(id, found);
    // An expected detection is recorded without pictures.
    const isExpected =
      type === 'face_not_detected' && this.#deps.participant.policy.faceCovered === true;
    if (levelOf(type, durationMs) !== 'info' && !isExpected) this.#evidence.collect(id, at);
    const unseen = isCountingType(type) && !canBeWarned(type === 'tab_hidden');
    this.#reports.add({ id, participantId, type, wallAt, durationMs, notes, engine, unseen });
  }

  #answered(report: ViolationReport, answer: ViolationAnswer): void {
    const { id, type, wallAt, unseen } = report;
    this.#evidence.reported(id, true);
    if (this.#detecting.signal.aborted) return;
    if (answer.counted) copyCounted(type);
    else if (type === 'face_not_detected' && !unseen) this.#detection?.faceNotCounted();
    if (isCountingType(type)) this.#deps.onAnswer(answer);
    this.board.answered(id, type, answer, new Date(wallAt));
  }
}
