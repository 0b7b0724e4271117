import type { Account } from '@invigil/core/contract/accounts/auth';
import { Suspense, useEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useSession } from '../../lib/person/session.tsx';
import { attemptEngines, attemptMonitor, storedPose } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { canFullscreen } from '../../proctoring/sensors/screen.ts';
import { useFullscreen } from '../../proctoring/use-monitor.ts';
import { Region, setLastResort } from '../../ui/region.tsx';
import { keepForReload } from '../attempt/offline-copy.ts';
import { CandidateBar } from '../candidate-bar.tsx';
import { currentAttempt, useAttempt, useNotices } from '../current-attempt.ts';
import { AttemptLoading, FullscreenPanel, haltedView, LeftPanel } from '../halted.tsx';
import { ViolationsBadge } from '../monitor-lines.tsx';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import {
  levelEveryMs,
  monitorDelayMs,
  neededDevices,
  needsFullscreen,
} from '../monitoring/monitor-plan.ts';
import { combinedLimit } from '../monitoring/policy-words.ts';
import { focusHeading, pageOf, useArrival } from '../navigation.ts';
import { Warnings } from '../notices/notices.tsx';
import { AnnouncementPanel, AnnouncementSpace } from './announcement-panel.tsx';
import { AttemptTimer } from './attempt-timer.tsx';
import { fetchTest } from './later-screens.ts';
import { PlainTest, PlainTime } from './plain-test.tsx';
import { QuestionsButton } from './questions-sheet.tsx';
import { ReadingMenu, TEXT_SCALE, useReading } from './reading-controls.tsx';
import { SavedIndicator } from './saved-indicator.tsx';

/**
 * Layout of assessment and review with one attempt, one monitor and one bar, which persist across the
 * screens.
 */
export function AttemptLayout() {
  const { account } = useSession();
  const { pathname } = useLocation();
  const { phase, participant } = useAttempt();
  const attempt = account?.attempt ?? null;
  const screen = pathname.startsWith('/quiz/review') ? 'review' : 'assessment';
  const live = phase.kind === 'running' || phase.kind === 'submitting';

  useEffect(() => {
    if (attempt !== null) currentAttempt.open(attempt);
  }, [attempt]);
  useEffect(() => {
    currentAttempt.setPage(screen === 'review' ? 'Review Page' : 'Assessment Page');
  }, [screen]);
  useMonitoring(phase.kind, screen);
  useReloadOffline(phase.kind === 'running' ? account : null);
  useEffect(() => {
    if (!live) return;
    setLastResort((retry) => <PlainTest retry={retry} />);
    return () => setLastResort(null);
  }, [live]);

  const page = pageOf(phase);
  if (page !== null) return <Navigate to={page} replace />;
  const halted = haltedView(phase);
  return (
    <>
      <CandidateBar compact={halted === null}>
        {live && (
          <>
            <Region name="The state of saving" fallback={null}>
              <SavedIndicator />
            </Region>
            <Region name="The reading settings" fallback={null}>
              <ReadingMenu
                keys={screen === 'assessment'}
                className={screen === 'assessment' ? 'max-lg:hidden' : 'max-lg:order-3'}
              />
            </Region>
            {participant !== null && (
              <Region name="The count" fallback={null}>
                <ViolationsBadge limit={combinedLimit(participant.policy, thisDevice().mobile)} />
              </Region>
            )}
            <Region name="The time" fallback={() => <PlainTime />}>
              <AttemptTimer />
            </Region>
            {screen === 'assessment' && (
              <Region name="The list of questions" fallback={null}>
                <QuestionsButton />
              </Region>
            )}
          </>
        )}
      </CandidateBar>
      {live && (
        <Region name="A message">
          <AnnouncementPanel />
        </Region>
      )}
      {halted}
      {(phase.kind === 'idle' || phase.kind === 'loading') && (
        <AttemptLoading review={screen === 'review'} />
      )}
      {live && participant !== null && (
        <Region name="The questions" fallback={(retry) => <PlainTest retry={retry} />}>
          <LiveScreen />
        </Region>
      )}
      {live && (
        <Region name="A warning">
          <Warnings />
        </Region>
      )}
    </>
  );
}

/** The screen, covered outside fullscreen. */
function LiveScreen() {
  const { pathname } = useLocation();
  const { participant } = useAttempt();
  const { textSize } = useReading();
  const policy = participant?.policy;
  const device = thisDevice();
  const rule = policy !== undefined && needsFullscreen(policy, device, canFullscreen());
  const full = useFullscreen(rule);
  const { leftFor } = useNotices();
  const covered = (rule && !full) || leftFor !== null;
  useArrival();
  useHeadingFocus(covered);
  if (leftFor !== null) return <LeftPanel durationMs={leftFor.durationMs} />;
  if (covered) return <FullscreenPanel />;
  return (
    <div style={{ '--reading': TEXT_SCALE[textSize] } as React.CSSProperties}>
      <Suspense fallback={<AttemptLoading review={pathname.startsWith('/quiz/review')} />}>
        <Outlet />
      </Suspense>
      <AnnouncementSpace />
    </div>
  );
}

/** Announces a replaced panel or screen; the first screen is announced on arrival. */
function useHeadingFocus(covered: boolean) {
  const { pathname } = useLocation();
  const shown = useRef({ covered, pathname });
  useEffect(() => {
    const before = shown.current;
    shown.current = { covered, pathname };
    const changed = before.covered !== covered || before.pathname !== pathname;
    if (before.pathname !== pathname) window.scrollTo(0, 0);
    if (changed && !covered) focusHeading();
  }, [covered, pathname]);
}

/**
 * Starts the monitor once the attempt runs, and stops it when this tab no longer has the attempt. Also
 * prefetches the remaining screens: the connection may be down when they are needed.
 */
function useMonitoring(phase: string, screen: 'assessment' | 'review') {
  useEffect(() => {
    if (phase === 'elsewhere' || phase === 'stopped') attemptMonitor.stop();
    if (phase !== 'running') return;
    const { participant } = currentAttempt.getSnapshot();
    if (participant === null) return;
    const { policy } = participant;
    void fetchTest();
    const device = thisDevice();
    const devices = neededDevices(policy, device);
    const soundEveryMs = levelEveryMs(policy, device);
    const delayMs = monitorDelayMs(screen, device);
    attemptEngines.want({
      face: devices.includes('camera'),
      voice: devices.includes('microphone'),
    });
    attemptMonitor.begin({ devices, levelEveryMs: soundEveryMs, delayMs });
    const fullscreen = needsFullscreen(policy, device, canFullscreen());
    const plan = { policy, devices, fullscreen, soundEveryMs, baseline: storedPose.read() };
    currentMonitoring.begin({ participant, plan, onAnswer }, delayMs);
  }, [phase, screen]);
}

/** Keeps copies for a reload without a connection, while the attempt runs here. */
function useReloadOffline(account: Account | null) {
  useEffect(() => {
    if (account === null) return;
    const over = new AbortController();
    keepForReload(account, currentAttempt, over.signal);
    return () => over.abort();
  }, [account]);
}

function onAnswer({ violationCount }: { violationCount: number }): void {
  currentAttempt.setViolationCount(violationCount);
}
