import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { combinedLimit } from '@invigil/core/domain/violations/applied-limits';
import { t } from '@invigil/core/texts/i18n';
import { GripHorizontal } from 'lucide-react';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { useMonitor } from '../../proctoring/use-monitor.ts';
import { useAttempt } from '../current-attempt.ts';
import { CameraPicture, FaceLine, ViolationsLine, VoiceLine } from '../monitor-lines.tsx';
import type { OverlayCorner } from './overlay-corner.ts';
import { useOverlayCorner } from './overlay-corner.ts';

type Policy = OwnParticipant['policy'];

/** Whether this attempt shows a camera picture: required by the policy, and not on a phone. */
export function showsCamera(policy: Policy): boolean {
  return policy.camera && !thisDevice().mobile;
}

/** The face is out of view and has to be in it; the line that says so may be out of sight. */
export function useFaceMissing(): boolean {
  const { participant } = useAttempt();
  const face = useMonitor('face');
  const camera = useMonitor('camera');
  if (participant === null || !showsCamera(participant.policy)) return false;
  return face === 'not-detected' && camera.kind === 'granted' && !participant.policy.faceCovered;
}

function Lines({ policy, className }: { policy: Policy; className: string }) {
  return (
    <ul aria-label={t('monitoring.label', 'Monitoring')} className={`text-sm ${className}`}>
      {showsCamera(policy) && <FaceLine mayBeCovered={policy.faceCovered === true} />}
      {policy.microphone && <VoiceLine redAbove={policy.sound.redAbove} />}
      <ViolationsLine limit={combinedLimit(policy, thisDevice().mobile)} />
    </ul>
  );
}

export function RailMonitor({ policy }: { policy: Policy }) {
  if (!policy.camera && !policy.microphone) return null;
  return (
    <div className="mt-auto flex flex-none items-center gap-3 border-t border-line pt-5">
      {showsCamera(policy) && <CameraPicture className="h-[87px] w-29 flex-none rounded-md" />}
      <Lines policy={policy} className="grid min-w-0 gap-2 *:whitespace-normal" />
    </div>
  );
}

/** The strip under the bar on small screens: the lines, and a small picture if there is room. */
export function MonitorStrip({ policy, className = '' }: { policy: Policy; className?: string }) {
  if (!policy.camera && !policy.microphone) return null;
  return (
    <div
      className={`flex items-center gap-4 border-b border-line px-4 py-2.5 text-ink-2 short:py-1 ${className}`}
    >
      {showsCamera(policy) && (
        <CameraPicture className="h-13.5 w-18 flex-none rounded-md max-md:hidden short:h-9 short:w-12" />
      )}
      <Lines policy={policy} className="flex flex-wrap gap-x-4 gap-y-1" />
    </div>
  );
}

const CORNERS: Record<OverlayCorner, string> = {
  'top-left': 'lg:top-[calc(var(--bar)+1.5rem)] lg:bottom-auto lg:inset-s-6',
  'top-right': 'lg:top-[calc(var(--bar)+1.5rem)] lg:bottom-auto lg:inset-e-6',
  'bottom-right': 'lg:inset-e-6 lg:bottom-6',
  'bottom-left': 'lg:bottom-6 lg:inset-s-6',
};

/**
 * The camera picture on the review: floating in the right gutter from 1024 px on, a strip at the bottom below
 * that, not on phones. It covers no control: the column makes room for it, and it can be moved to any corner.
 */
export function FloatingMonitor({ policy }: { policy: Policy }) {
  return showsCamera(policy) ? <FloatingCamera policy={policy} /> : null;
}

function FloatingCamera({ policy }: { policy: Policy }) {
  const { corner, panel, style, handle } = useOverlayCorner();
  return (
    <section
      ref={panel}
      style={style}
      aria-label={t('monitoring.label', 'Monitoring')}
      className={`fixed inset-x-0 bottom-0 z-20 hidden items-center gap-5 border-t border-line bg-raised px-6 py-2 md:max-lg:flex short:max-lg:py-0.5 lg:inset-x-auto lg:grid lg:w-54 lg:gap-3 lg:rounded-lg lg:border lg:p-2 lg:pb-3 lg:shadow-md ${CORNERS[corner]}`}
    >
      <button
        {...handle}
        type="button"
        aria-label={t(/* a button */ 'monitoring.move', 'Move the camera picture')}
        title={t(
          /* how to move the camera picture with this button */
          'monitoring.howToMove',
          'Drag, press, or use the arrow keys',
        )}
        className="-my-1 hidden h-6 w-full cursor-move! touch-none place-items-center rounded-sm text-ink-3 hover:bg-hover lg:grid"
      >
        <GripHorizontal className="size-4" />
      </button>
      <CameraPicture className="h-13.5 w-18 flex-none rounded-md short:max-lg:h-10 short:max-lg:w-13.5 lg:h-37 lg:w-full" />
      <Lines policy={policy} className="flex gap-7 lg:grid lg:gap-2 lg:px-1.5" />
    </section>
  );
}
