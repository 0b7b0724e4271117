import type { Practice } from '@invigil/core/contract/assessments/practice';
import { adviceText, detectedText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { voiceWarning } from '@invigil/core/texts/notices';
import { AudioLines, Eye, Maximize } from 'lucide-react';
import { useEffect, useState } from 'react';
import { attemptEngines, attemptMonitor, storedPose } from '../../proctoring/attempt-monitor.ts';
import { detect } from '../../proctoring/detect.ts';
import type { DetectedEvent } from '../../proctoring/detection/detected-event.ts';
import { thisPage } from '../../proctoring/detection/page-signals.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { canFullscreen, enterTestFullscreen } from '../../proctoring/sensors/screen.ts';
import { useFullscreen } from '../../proctoring/use-monitor.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CameraPicture, FaceLine, VoiceLine } from '../monitor-lines.tsx';
import { levelEveryMs, neededDevices, needsFullscreen } from '../monitoring/monitor-plan.ts';
import { DeviceNotice } from '../notices/notices.tsx';

type Policy = Practice['policy'];

export interface PracticeMonitor {
  /** The last thing that an assessment would have noticed. */
  found: Pick<DetectedEvent, 'type' | 'durationMs'> | null;
  isOver: boolean;
  isVoiceHeard: boolean;
  isMonitored: boolean;
}

const NOTHING = { found: null, isOver: false, isVoiceHeard: false };

/**
 * Detects as the test does. What is found is shown and forgotten: no report, no picture leaves the page.
 *
 * @param current the question: what was noticed beside another one is not shown any more
 */
export function usePracticeMonitor(
  policy: Policy,
  isMonitored: boolean,
  current: number,
): PracticeMonitor {
  const [noticed, setNoticed] = useState<Omit<PracticeMonitor, 'isMonitored'>>(NOTHING);
  useEffect(() => {
    const over = new AbortController();
    const device = thisDevice();
    const devices = isMonitored ? neededDevices(policy, device) : [];
    const soundEveryMs = levelEveryMs(policy, device);
    attemptEngines.want({
      face: devices.includes('camera'),
      voice: devices.includes('microphone'),
    });
    attemptMonitor.begin({ devices, levelEveryMs: soundEveryMs, delayMs: 0 });
    detect(
      {
        monitor: attemptMonitor,
        page: thisPage(),
        sensor: () => attemptEngines.face,
        onPicture: () => undefined,
        onFound: (found) => setNoticed((before) => ({ ...before, found, isOver: false })),
        onOver: (type) =>
          setNoticed((before) =>
            before.found?.type === type ? { ...before, isOver: true } : before,
          ),
        onVoice: (isVoiceHeard) => setNoticed((before) => ({ ...before, isVoiceHeard })),
        onExcused: () => undefined,
      },
      {
        policy,
        devices,
        fullscreen: needsFullscreen(policy, device, canFullscreen()),
        soundEveryMs,
        baseline: storedPose.read(),
      },
      over.signal,
    );
    return () => over.abort();
  }, [policy, isMonitored]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each question
  useEffect(() => setNoticed((before) => ({ ...before, found: null })), [current]);
  return { ...noticed, isMonitored };
}

/** Says what would be noticed in an assessment, and that it has no consequence here. */
export function PracticeNotices({
  monitor: { found, isOver, isVoiceHeard, isMonitored },
  policy,
}: {
  monitor: PracticeMonitor;
  policy: Policy;
}) {
  const rule = needsFullscreen(policy, thisDevice(), canFullscreen());
  const isFull = useFullscreen(rule);
  const advice = found && adviceText(found.type, {}, isOver ? 'over' : undefined);
  return (
    <div className="mb-5 grid gap-3 empty:hidden">
      {isMonitored && <DeviceNotice policy={policy} />}
      {rule && !isFull && (
        <Notice
          tone="warn"
          icon={<Maximize />}
          title={t('practice.fullscreen', 'An assessment with these rules stays in fullscreen.')}
          action={
            <Button size="dense" onClick={() => void enterTestFullscreen()}>
              {t(/* a button */ 'practice.fullscreen.enter', 'Enter fullscreen')}
            </Button>
          }
        >
          {t(
            'practice.fullscreen.text',
            'There, the questions are covered until you return. Here you can go on without.',
          )}
        </Notice>
      )}
      {isVoiceHeard && <Notice tone="warn" icon={<AudioLines />} title={voiceWarning()} />}
      <div role="status" className="empty:hidden">
        {found !== null && (
          <Notice tone="warn" icon={<Eye />} title={detectedText(found.type, found.durationMs)}>
            {advice !== null && <p>{advice}</p>}
            <p>
              {t(
                'practice.noticed',
                'An assessment with these rules would notice this. Here it has no consequence.',
              )}
            </p>
          </Notice>
        )}
      </div>
    </div>
  );
}

/** The own camera picture and the lines of the monitoring, as beside the questions of a test. */
export function PracticeDevices({ policy }: { policy: Policy }) {
  const devices = neededDevices(policy, thisDevice());
  return (
    <div className="mt-auto flex flex-none items-center gap-3 border-t border-line pt-5">
      {devices.includes('camera') && (
        <CameraPicture className="h-[87px] w-29 flex-none rounded-md" />
      )}
      <ul
        aria-label={t('monitoring.label', 'Monitoring')}
        className="grid min-w-0 gap-2 text-sm *:whitespace-normal"
      >
        {devices.includes('camera') && <FaceLine />}
        {devices.includes('microphone') && <VoiceLine redAbove={policy.sound.redAbove} />}
      </ul>
    </div>
  );
}
