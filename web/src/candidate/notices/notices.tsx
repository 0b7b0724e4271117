import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { t } from '@invigil/core/texts/i18n';
import {
  backIntoView,
  faceWarning,
  voiceCountsText,
  voiceWarning,
} from '@invigil/core/texts/notices';
import { AudioLines, CloudOff, HardDrive, RotateCw, TriangleAlert } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { withTexts } from '../../lib/language.ts';
import { logProblem } from '../../lib/problem-log.ts';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import type { Device } from '../../proctoring/device/media-failure.ts';
import { fetchAgain, missingCode } from '../../proctoring/fetch-again.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Region } from '../../ui/region.tsx';
import { FaceMissing } from '../attempt-icons.tsx';
import { useAttempt, useNotices } from '../current-attempt.ts';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import { neededDevices } from '../monitoring/monitor-plan.ts';
import { focusHeading } from '../navigation.ts';
import { useFaceMissing } from './camera-overlay.tsx';

// Fetched with the later screens, rendered when needed.
const ViolationNotices = lazy(untilHere(withTexts(() => import('./violation-notices.tsx'))));
const DetectedStrip = lazy(untilHere(withTexts(() => import('./detected-strip.tsx'))));

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
 * Current monitoring notices, above everything: what is about to count can be seen on every screen, panel
 * and dialog, however far it is scrolled, and moves no option. The live region exists from the start and
 * across all screens of the attempt, so that each notice is announced exactly once.
 */
export function Warnings() {
  const { popup, counted, fullscreen, spoken, voice } = useNotices();
  const { participant } = useAttempt();
  const isFaceMissing = useFaceMissing();
  const countsInMs = useMonitor('faceCountsInMs');
  const warnsOfFace = isFaceMissing && popup?.type !== 'face_not_detected';
  return (
    <>
      <p role="status" className="sr-only">
        {spoken !== null && <span key={spoken.id}>{spoken.text}</span>}
      </p>
      <p role="status" className="sr-only">
        {warnsOfFace && backIntoView()}
      </p>
      <div className="pointer-events-none fixed inset-x-4 top-[calc(var(--bar)+1rem)] z-55 mx-auto grid max-w-120 gap-2 short:top-[calc(var(--bar)+0.5rem)]">
        <Suspense>
          <ViolationNotices popup={popup} counted={counted} fullscreen={fullscreen} />
        </Suspense>
        {voice && popup?.type !== 'voice_detected' && (
          <Warning icon={<AudioLines />} title={voiceWarning()}>
            {voiceCountsText(participant?.policy.sound ?? {})}
          </Warning>
        )}
        {warnsOfFace && <Warning icon={<FaceMissing />} title={faceWarning(countsInMs)} />}
      </div>
    </>
  );
}

/** Problems of the devices, the storage or the code of the page; each in a notice of its own. */
export function TroubleNotices({ policy }: { policy: OwnParticipant['policy'] }) {
  return (
    <>
      <Region
        name="A notice about the devices"
        fallback={t('region.deviceNotice', 'A notice about the devices could not be shown')}
      >
        <DeviceNotice policy={policy} className="mb-5" />
      </Region>
      <Region
        name="A notice about saving"
        fallback={t('region.savingNotice', 'A notice about saving could not be shown')}
      >
        <StorageNotice className="mb-5" />
      </Region>
      <Region
        name="A notice about the page"
        fallback={t('region.pageNotice', 'A notice about the page could not be shown')}
      >
        <MissingCodeNotice className="mb-5" />
      </Region>
    </>
  );
}

/** Warns of a violation that will count if it continues. */
function Warning(notice: { icon: ReactNode; title: string; children?: ReactNode }) {
  return (
    <div className="animate-enter rounded-lg shadow-md">
      <Notice tone="warn" {...notice} />
    </div>
  );
}

export function DetectedNotices({ className }: { className: string }) {
  const { detected } = useNotices();
  const { participant } = useAttempt();
  if (detected.length === 0) return null;
  return (
    <Suspense>
      <DetectedStrip
        className={className}
        detected={detected}
        policy={participant?.policy ?? {}}
        onNote={(id, note) => currentMonitoring.note(id, note)}
        onClose={() => {
          focusHeading();
          currentMonitoring.clearDetected();
        }}
      />
    </Suspense>
  );
}

/** A required device is missing: which one, and how to restore it without losing anything. */
export function DeviceNotice({
  policy,
  className = '',
}: {
  policy: Pick<OwnParticipant['policy'], 'camera' | 'microphone'>;
  className?: string;
}) {
  const devices: readonly Device[] = neededDevices(policy, thisDevice());
  const camera = useMonitor('camera');
  const microphone = useMonitor('microphone');
  const failed = devices.filter(
    (device) => (device === 'camera' ? camera : microphone).kind === 'failed',
  );
  const [first] = failed;
  if (first === undefined) return null;
  const status = first === 'camera' ? camera : microphone;
  if (status.kind !== 'failed') return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        role="alert"
        icon={<TriangleAlert />}
        title={status.failure.message}
        action={
          <Button size="dense" onClick={() => void attemptMonitor.askInTurn(failed)}>
            {t(
              /* a button: starts the camera or the microphone again */ 'region.retry',
              'Try again',
            )}
          </Button>
        }
      >
        {status.failure.advice}
      </Notice>
    </div>
  );
}

/** Code for monitoring could not be loaded, and only a reload helps. */
export function MissingCodeNotice({ className = '' }: { className?: string }) {
  const { missing } = useSyncExternalStore(missingCode.subscribe, missingCode.getSnapshot);
  if (missing === 0) return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        role="alert"
        icon={<RotateCw />}
        title={t('missingCode.title', 'Part of this page could not be loaded.')}
        action={
          <Button size="dense" onClick={() => window.location.reload()}>
            {t(/* a button */ 'missingCode.reload', 'Reload the page')}
          </Button>
        }
      >
        {t(
          'missingCode.text',
          'The connection dropped while it was loading. Reload the page. Your answers and your time are not affected.',
        )}
      </Notice>
    </div>
  );
}

/** This browser cannot store: unsaved changes are in this page's memory only. */
export function StorageNotice({ className = '' }: { className?: string }) {
  const { sync } = useAttempt();
  if (sync.durable) return null;
  return (
    <div className={className}>
      <Notice
        tone="warn"
        icon={<HardDrive />}
        title={t('storage.title', 'This browser cannot keep answers on this device.')}
      >
        {t(
          'storage.text',
          'Answers are saved on the server as you select them. If the connection drops, keep this page open until it says Saved.',
        )}
      </Notice>
    </div>
  );
}

/**
 * Advice while changes are pending. Below the options, so that they do not move when the connection
 * changes. The status beside the timer is announced.
 */
export function OfflineAdvice({ className = '' }: { className?: string }) {
  const { sync } = useAttempt();
  if (sync.state.kind !== 'offline') return null;
  return (
    <div className={className}>
      <Notice tone="warn" icon={<CloudOff />} title={t('offline.title', 'Keep answering.')}>
        {sync.durable
          ? t(
              'offline.kept',
              'The connection is interrupted. Your changes are kept on this device and sent automatically when you are back online. The clock keeps running: changes that arrive after the end do not count.',
            )
          : t(
              'offline.notKept',
              'The connection is interrupted. Keep this page open until it says Saved: this browser cannot keep your changes on this device. The clock keeps running: changes that arrive after the end do not count.',
            )}
      </Notice>
    </div>
  );
}
