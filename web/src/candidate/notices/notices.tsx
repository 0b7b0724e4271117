import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { AudioLines } from 'lucide-react';
import { type ComponentType, lazy, Suspense } from 'react';
import { logProblem } from '../../lib/problem-log.ts';
import { fetchAgain } from '../../proctoring/fetch-again.ts';
import { Notice } from '../../ui/notice.tsx';
import { Region } from '../../ui/region.tsx';
import { useAttempt, useNotices } from '../current-attempt.ts';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import { VOICE_WARNING } from '../monitoring/notice-words.ts';
import { useShowsWarnings } from '../monitoring/seen-notices.ts';
import { focusHeading } from '../navigation.ts';
import { DeviceNotice } from './device-notice.tsx';
import { MissingCodeNotice } from './missing-code-notice.tsx';
import { StorageNotice } from './storage-notice.tsx';

// Fetched with the later screens, rendered when needed.
const ViolationNotices = lazy(untilHere(() => import('./violation-notices.tsx')));
const DetectedStrip = lazy(untilHere(() => import('./detected-strip.tsx')));

/**
 * A loader that never fails: renders nothing until the code is fetched. A failure here would unmount
 * the questions.
 */
export function untilHere<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  const onFailure = (cause: unknown) =>
    logProblem('A notice could not be fetched; retrying', cause);
  return async () => (await fetchAgain(load, () => true, onFailure)) ?? { default: () => null };
}

/**
 * Current monitoring notices, above everything. The live region exists from the start and across all
 * screens of the attempt, so that each notice is announced exactly once.
 */
export function Warnings() {
  const { popup, counted, fullscreen, spoken } = useNotices();
  useShowsWarnings();
  return (
    <>
      <p role="status" className="sr-only">
        {spoken !== null && <span key={spoken.id}>{spoken.text}</span>}
      </p>
      {(popup !== null || counted !== null) && (
        <Suspense>
          <ViolationNotices popup={popup} counted={counted} fullscreen={fullscreen} />
        </Suspense>
      )}
    </>
  );
}

/** What is wrong with the devices, the storage or the code of the page; each by itself. */
export function TroubleNotices({ policy }: { policy: OwnParticipant['policy'] }) {
  return (
    <>
      <Region name="A warning of a voice">
        <VoiceWarning />
      </Region>
      <Region name="A notice about the devices">
        <DeviceNotice policy={policy} className="mb-5" />
      </Region>
      <Region name="A notice about saving">
        <StorageNotice className="mb-5" />
      </Region>
      <Region name="A notice about the page">
        <MissingCodeNotice className="mb-5" />
      </Region>
    </>
  );
}

/** What counts if it goes on. The words are announced by `Warnings`. */
function VoiceWarning() {
  const { voice } = useNotices();
  if (!voice) return null;
  return (
    <div className="mb-5">
      <Notice tone="warn" icon={<AudioLines />} title={VOICE_WARNING}>
        It counts only if it goes on.
      </Notice>
    </div>
  );
}

/** Detections, above the question or beside it. */
export function DetectedNotices({ className }: { className: string }) {
  const { detected } = useNotices();
  const { participant } = useAttempt();
  if (detected.length === 0) return null;
  return (
    <Suspense>
      <DetectedStrip
        className={className}
        detected={detected}
        mayBeCovered={participant?.policy.faceCovered === true}
        onNote={(id, note) => currentMonitoring.note(id, note)}
        onClose={() => {
          focusHeading();
          currentMonitoring.clearDetected();
        }}
      />
    </Suspense>
  );
}
