import type { Account } from '@invigil/core/contract/accounts/auth';
import { combinedLimit } from '@invigil/core/domain/violations/applied-limits';
import { t } from '@invigil/core/texts/i18n';
import { CloudOff } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import type { SyncState } from '../../answer-sync/answer-sync.ts';
import { clockText, formatClock } from '../../lib/format.ts';
import { withTexts } from '../../lib/language.ts';
import { useSession } from '../../lib/person/session.tsx';
import { attemptEngines, attemptMonitor, storedPose } from '../../proctoring/attempt-monitor.ts';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { canFullscreen } from '../../proctoring/sensors/screen.ts';
import { useFullscreen } from '../../proctoring/use-monitor.ts';
import { Region, setLastResort } from '../../ui/region.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { phaseOf, spokenTime } from '../attempt/attempt-clock.ts';
import { keepForReload } from '../attempt/offline-copy.ts';
import { SavedCloud } from '../attempt-icons.tsx';
import { CandidateBar } from '../candidate-bar.tsx';
import { currentAttempt, useAttempt, useNotices, useSecondsLeft } from '../current-attempt.ts';
import { AttemptLoading, FullscreenPanel, haltedView, LeftPanel } from '../halted.tsx';
import { ViolationsBadge } from '../monitor-lines.tsx';
import { currentMonitoring } from '../monitoring/current-monitoring.ts';
import {
  levelEveryMs,
  monitorDelayMs,
  neededDevices,
  needsFullscreen,
} from '../monitoring/monitor-plan.ts';
import { focusHeading, pageOf, useArrival } from '../navigation.ts';
import { Warnings } from '../notices/notices.tsx';
import { AnnouncementPanel, AnnouncementSpace, MessagesMenu } from './announcement-panel.tsx';
import { HandButton } from './hand.tsx';
import { fetchTest } from './later-screens.ts';
import { PlainTest, PlainTime } from './plain-test.tsx';
import { QuestionsButton } from './questions-sheet.tsx';
import { ReadingMenu, TEXT_SCALE, useReading } from './reading-controls.tsx';

const PausedPanel = lazy(withTexts(() => import('./paused.tsx')));

/**
 * Layout of assessment and review with one attempt, one monitor and one bar, which persist across the
 * screens.
 */
export function AttemptLayout({ children }: { children?: ReactNode }) {
  const { account } = useSession();
  const [pathname] = useLocation();
  const { phase, participant } = useAttempt();
  const attempt = account?.attempt ?? null;
  const screen = pathname.startsWith('/quiz/review') ? 'review' : 'assessment';
  const live = phase.kind === 'running' || phase.kind === 'submitting';
  const paused = phase.kind === 'paused' ? phase : null;

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
  if (page !== null) return <Redirect to={page} replace />;
  const halted = haltedView(phase);
  return (
    <>
      <CandidateBar compact={halted === null}>
        {paused && (
          <>
            <MessagesMenu />
            <AttemptTimer />
          </>
        )}
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
            <Region name="The messages" fallback={null}>
              <MessagesMenu className="max-lg:order-2 max-sm:[&>button]:gap-0.5 max-sm:[&>button]:px-1! max-[389px]:-ms-2 max-[389px]:[&>button>svg]:hidden" />
            </Region>
            <HandButton inBar />
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
      {(live || paused) && (
        <Region name="A message" fallback={t('region.message', 'A message could not be shown')}>
          <AnnouncementPanel />
        </Region>
      )}
      {halted}
      {paused && (
        <Suspense fallback={<AttemptLoading review={screen === 'review'} />}>
          <PausedPanel reason={paused.reason} isOpen={paused.isOpen} />
        </Suspense>
      )}
      {(phase.kind === 'idle' || phase.kind === 'loading') && (
        <AttemptLoading review={screen === 'review'} />
      )}
      {live && participant !== null && (
        <Region name="The questions" fallback={(retry) => <PlainTest retry={retry} />}>
          <LiveScreen>{children}</LiveScreen>
        </Region>
      )}
      {live && (
        <Region name="A warning" fallback={t('region.warning', 'A warning could not be shown')}>
          <Warnings />
        </Region>
      )}
    </>
  );
}

function LiveScreen({ children }: { children: ReactNode }) {
  const [pathname] = useLocation();
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
        {children}
      </Suspense>
      <AnnouncementSpace />
    </div>
  );
}

/** Announces a replaced panel or screen; the first screen is announced on arrival. */
function useHeadingFocus(covered: boolean) {
  const [pathname] = useLocation();
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
    if (['elsewhere', 'stopped', 'paused'].includes(phase)) attemptMonitor.stop();
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

const PHASES = {
  calm: 'border-line-2 bg-surface text-ink [&_svg]:text-ink-2',
  short: 'border-warn-edge bg-warn text-on-warn',
  last: 'border-bad bg-bad text-on-bad animate-last-minutes motion-reduce:animate-none',
} as const;

export function AttemptTimer() {
  return <Timer seconds={useSecondsLeft()} totalMs={currentAttempt.totalMs} />;
}

/** The countdown as pie and text. Announced only at 10, 5 and 1 minutes, 30 and 10 seconds. */
export function Timer({ seconds, totalMs }: { seconds: number | null; totalMs: number }) {
  const spoken = useSpokenTime(seconds);
  if (seconds === null) return null;
  const text = clockText(seconds * 1_000);
  return (
    <>
      <span
        role="timer"
        aria-label={t(/* {time}: 12:30 */ 'test.timer', 'Time left {time}', { time: text })}
        className={`inline-flex h-9 flex-none items-center gap-2 rounded-md border pe-3 ps-2.5 text-[1.25rem] leading-none font-semibold max-[359px]:gap-1 max-[359px]:px-2 max-[359px]:text-md lg:h-10 ${PHASES[phaseOf(seconds * 1_000, totalMs)]}`}
      >
        <TimePie share={Math.min(1, (seconds * 1_000) / totalMs)} />
        <span>{text}</span>
      </span>
      <span role="status" className="sr-only">
        {spoken}
      </span>
    </>
  );
}

/** The remaining sector of a circle, from twelve o'clock on. */
function TimePie({ share }: { share: number }) {
  const angle = share * 2 * Math.PI;
  const [x, y] = [11 - 6.2 * Math.sin(angle), 11 - 6.2 * Math.cos(angle)];
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true" data-shape="">
      <circle cx="11" cy="11" r="9" stroke="currentColor" strokeWidth="1.75" />
      {share >= 0.999 ? (
        <circle cx="11" cy="11" r="6.2" fill="currentColor" />
      ) : (
        <path
          d={`M11 11V4.8A6.2 6.2 0 ${share > 0.5 ? 1 : 0} 0 ${x.toFixed(2)} ${y.toFixed(2)}z`}
          fill="currentColor"
        />
      )}
    </svg>
  );
}

function useSpokenTime(seconds: number | null): string {
  const before = useRef(seconds);
  const [spoken, setSpoken] = useState('');
  useEffect(() => {
    const earlier = before.current;
    before.current = seconds;
    if (earlier === null || seconds === null) return;
    const words = spokenTime(earlier * 1_000, seconds * 1_000);
    if (words !== null) setSpoken(words);
  }, [seconds]);
  return spoken;
}

type ConnectionNews = 'offline' | 'back' | null;

export function connectionNews(before: ConnectionNews, kind: SyncState['kind']): ConnectionNews {
  if (kind === 'offline') return 'offline';
  if (kind === 'saving') return before;
  return kind === 'saved' && before !== null ? 'back' : null;
}

/**
 * The save state, next to the timer. Screen readers can read it at any time, but only connection changes
 * are announced, because every click changes this line.
 */
export function SavedIndicator() {
  const { state, durable } = useAttempt().sync;
  const [before, setBefore] = useState<ConnectionNews>(null);
  const news = connectionNews(before, state.kind);
  if (news !== before) setBefore(news);
  return (
    <>
      <span
        role="status"
        aria-live="off"
        className="text-sm text-ink-2 max-lg:order-2 max-lg:ms-auto"
      >
        <SavedText state={state} />
      </span>
      <span role="status" className="sr-only">
        {news === 'back' && t('test.back', 'Online again. Your changes are saved.')}
        {news === 'offline' &&
          (durable
            ? t(
                'test.offline.kept',
                'Offline. Your changes are kept on this device and sent when the connection is back.',
              )
            : t(
                'test.offline.notKept',
                'Offline. Keep this page open: this browser cannot keep your changes.',
              ))}
      </span>
    </>
  );
}

function SavedText({ state }: { state: SyncState }) {
  switch (state.kind) {
    case 'saved':
      return state.at === null ? (
        <span className="max-sm:sr-only">
          {t(/* this page does */ 'test.saves', 'Saves as you answer')}
        </span>
      ) : (
        <span className="flex items-center gap-1.5">
          <SavedCloud className="size-4.5 flex-none text-ok" />
          <span>
            {t(/* said of the answers; {time}: 18:00:05 */ 'test.saved', 'Saved {time}', {
              time: formatClock(state.at),
            })}
          </span>
        </span>
      );
    case 'saving':
      return (
        <span className="flex items-center gap-1.5">
          <Spinner />
          <span>{t(/* said of the answers */ 'test.saving', 'Saving…')}</span>
        </span>
      );
    case 'offline':
      return (
        <span
          // Three lines, as longer words than the English would need beside the icon, would move the question.
          className="inset-ring flex min-h-8 items-center gap-1.5 rounded-md bg-warn-soft px-2.5 py-0.5 text-warn-ink inset-ring-warn-line max-sm:px-1.5 max-sm:text-xs max-sm:[&_svg]:hidden"
        >
          <CloudOff className="size-4.5 flex-none" />
          <span>
            {t(
              /* changes of answers that are not on the server yet */
              'test.offline.waiting',
              '{n, plural, one {Offline: # change waiting} other {Offline: # changes waiting}}',
              { n: state.waiting },
            )}
          </span>
        </span>
      );
    default:
      return (
        <span className="flex items-center gap-1.5 text-warn-ink">
          <CloudOff className="size-4.5 flex-none" />
          <span>{t(/* this page does not save answers now */ 'test.notSaving', 'Not saving')}</span>
        </span>
      );
  }
}
