import { me } from '@invigil/core/contract/accounts/auth';
import { t } from '@invigil/core/texts/i18n';
import { excuseText, fullscreenWarning, leftPageText } from '@invigil/core/texts/notices';
import { AppWindow, Maximize, MonitorX } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useSession } from '../lib/person/session.tsx';
import { callEndpoint, sentenceOf } from '../net/api.ts';
import type { SessionStop } from '../net/stop.ts';
import { thisDevice } from '../proctoring/device/device-kind.ts';
import { enterTestFullscreen } from '../proctoring/sensors/screen.ts';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { LoadFailure } from './attempt/attempt-loading.ts';
import type { AttemptPhase } from './attempt/attempt-state.ts';
import { currentAttempt, useAttempt, useNotices } from './current-attempt.ts';
import { focusHeading } from './navigation.ts';
import { useCurrentPage } from './use-current-page.ts';

/** Replaces the screens of an attempt that cannot continue here; `null` if it can. */
export function haltedView(phase: AttemptPhase): ReactNode | null {
  switch (phase.kind) {
    case 'elsewhere':
      return <OtherTabPanel />;
    case 'stopped':
      return <StoppedPanel why={phase.why} />;
    case 'failed':
      return phase.failure.kind === 'inactive' || phase.failure.kind === 'completed' ? (
        <ToCurrentPage />
      ) : (
        <AttemptFailed failure={phase.failure} />
      );
    default:
      return null;
  }
}

/** The server no longer lets this attempt go on. */
function ToCurrentPage() {
  const openCurrentPage = useCurrentPage();
  useEffect(() => void openCurrentPage(), [openCurrentPage]);
  return <AttemptLoading review={false} />;
}

export function AttemptLoading({ review }: { review: boolean }) {
  return (
    <main className="mx-auto w-full max-w-192 px-4 py-6 lg:px-8 lg:py-14">
      <p role="status" className="flex items-center gap-3 text-md text-ink-2">
        <Spinner />
        <span>
          {review
            ? t('halted.loadingReview', 'Loading review...')
            : t('halted.loadingQuestions', 'Loading your questions…')}
        </span>
      </p>
      {thisDevice().ios && (
        <p className="mt-2 text-sm text-ink-3">
          {t('halted.ios', 'iOS detected - optimizing for mobile...')}
        </p>
      )}
      <div aria-hidden="true" className="mt-8 grid gap-3">
        <Skeleton className="h-6 w-5/6" />
        <Skeleton className="mb-4 h-6 w-1/2" />
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} className="h-15 rounded-lg!" />
        ))}
      </div>
    </main>
  );
}

/** Delay of the automatic retry on iOS, milliseconds (specification 9). */
const IOS_REFETCH_MS = 2_000;

function failureTitle(kind: LoadFailure['kind']): string {
  switch (kind) {
    case 'questions':
      return t('halted.failed.questions', 'Failed to load questions');
    case 'no-questions':
      return t('halted.noQuestions', 'No questions found for this Assessment');
    default:
      return t('halted.failed.start', 'Failed to fetch participant');
  }
}

/** The attempt runs, but its questions could not be loaded: what happened and what to do. */
export function AttemptFailed({ failure }: { failure: LoadFailure }) {
  const { ios } = thisDevice();
  const empty = failure.kind === 'no-questions';
  useEffect(() => {
    if (!ios || empty) return;
    const timer = setTimeout(() => currentAttempt.retry(), IOS_REFETCH_MS);
    return () => clearTimeout(timer);
  }, [ios, empty]);
  useEffect(focusHeading, []);
  const title = failureTitle(failure.kind);
  return (
    <main className="mx-auto grid w-full max-w-160 gap-4 px-4 py-10">
      <title>{`${title} · Invigil`}</title>
      <h1>{title}</h1>
      <FailureNotice onRetry={() => currentAttempt.retry()}>
        {empty
          ? failure.unsure === false
            ? t(
                'halted.empty.notStarted',
                'Contact the person who invited you. Your time has not started.',
              )
            : t(
                /* they: the person who invited you */
                'halted.empty.running',
                'Contact the person who invited you. Your time is running; they can give it back.',
              )
          : `${failure.message} ${t('halted.failed.clock', 'The clock keeps running. Answers that were shown as saved are on the server.')}`}
      </FailureNotice>
      {ios && (
        <Button size="candidate" onClick={() => window.location.reload()}>
          {t(/* a button */ 'halted.reload', 'Reload Page')}
        </Button>
      )}
    </main>
  );
}

/** A page of its own in place of the questions. */
export function Panel({
  icon,
  title,
  children,
  action,
  onAction,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  action?: string;
  onAction?(): void;
}) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => (button.current ?? panel.current)?.focus(), []);
  return (
    <main className="grid min-h-[calc(100dvh-var(--bar))] place-items-center p-4">
      <div
        ref={panel}
        tabIndex={-1}
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-text`}
        className="grid w-full max-w-110 rounded-xl bg-raised p-7 shadow-lg outline-none short:p-5"
      >
        <span
          data-shape=""
          className="grid size-11 place-items-center rounded-full border-[1.5px] border-warn-edge bg-warn-soft text-warn-ink [&_svg]:size-5.5"
        >
          {icon}
        </span>
        <h1 id={`${id}-title`} className="mt-4 text-[1.25rem] leading-7">
          {title}
        </h1>
        <div id={`${id}-text`} className="mt-1 grid gap-2 text-md text-ink-2">
          {children}
        </div>
        {action !== undefined && (
          <Button
            ref={button}
            variant="primary"
            size="large"
            full
            className="mt-6"
            onClick={onAction}
          >
            {action}
          </Button>
        )}
      </div>
    </main>
  );
}

/** The page was left under a rule that ends the attempt: states the fact and the rule. */
export function LeftPanel({ durationMs }: { durationMs: number | null }) {
  const { sync } = useAttempt();
  return (
    <Panel icon={<AppWindow />} title={t('halted.left.title', 'Your assessment is ending')}>
      <p>{leftPageText(durationMs)}</p>
      <p>
        {sync.state.kind === 'offline'
          ? t(
              'halted.left.offline',
              'The connection is interrupted. Your answers will be submitted as soon as you are back online.',
            )
          : t('halted.left.submitting', 'Your answers are being submitted now.')}
      </p>
    </Panel>
  );
}

/**
 * Covers the questions outside fullscreen. The warning has the server's count of exits; after a reload
 * and for an excused exit there is none.
 */
export function FullscreenPanel() {
  const { fullscreen } = useNotices();
  return (
    <Panel
      icon={<Maximize />}
      title={
        fullscreen === null || 'returnMs' in fullscreen
          ? t('halted.fullscreen.title', 'This assessment runs in fullscreen')
          : fullscreenWarning(fullscreen)
      }
      action={t('halted.fullscreen.return', 'Return to fullscreen')}
      onAction={() => void enterTestFullscreen()}
    >
      {fullscreen !== null && 'returnMs' in fullscreen && (
        <p className="text-ink">
          {excuseText(
            fullscreen.returnMs,
            t(
              /* in: Press the button within 10 seconds */ 'halted.fullscreen.button',
              'the button',
            ),
          )}
        </p>
      )}
      <p>
        {t(
          'halted.fullscreen.text',
          'The questions are covered until you return. Your answers are kept and the clock keeps running.',
        )}
      </p>
    </Panel>
  );
}

/** The second tab of the same browser (product 4.3). */
function OtherTabPanel() {
  return (
    <Panel
      icon={<AppWindow />}
      title={t('halted.otherTab.title', 'Your assessment is open in another tab')}
      action={t('halted.otherTab.continue', 'Continue in this tab')}
      onAction={() => currentAttempt.takeOverFromOtherTab()}
    >
      <p>{t('halted.otherTab.text', 'Open in another tab. This tab does not save.')}</p>
      <p>
        {t(
          'halted.otherTab.stops',
          'Continuing here stops the other tab. Nothing you answered there is lost.',
        )}
      </p>
    </Panel>
  );
}

const signInAgain = () =>
  t(
    'halted.signInAgain',
    'This page no longer saves. Sign in again to continue where you left off.',
  );

const STOPPED: Record<SessionStop['kind'] | 'again', () => { title: string; text: string }> = {
  again: () => ({
    title: t('halted.again.title', 'You can continue or start again'),
    text: t(
      'halted.again.text',
      'An administrator has ended this attempt and allowed that. This page no longer saves.',
    ),
  }),
  replaced: () => ({
    title: t('halted.replaced.title', 'You signed in somewhere else'),
    text: t('halted.replaced.text', 'Your assessment continues there. This page no longer saves.'),
  }),
  foreign: () => ({
    title: t('halted.foreign.title', 'Someone else is signed in on this browser'),
    text: signInAgain(),
  }),
  'signed-out': () => ({
    title: t('halted.signedOut.title', 'You are signed out'),
    text: signInAgain(),
  }),
};

/**
 * Another sign-in or an ended session stopped this page; unsent changes are stored. Where the same person is
 * still signed in, their attempt was replaced by an administrator.
 */
function StoppedPanel({ why }: { why: SessionStop['kind'] }) {
  const { account, refresh } = useSession();
  const { sync } = useAttempt();
  const [problem, setProblem] = useState<string | null>(null);
  const [isSame, setSame] = useState(false);
  const userId = account?.user.id;
  useEffect(() => {
    if (why !== 'foreign') return;
    callEndpoint(me).then(
      ({ user }) => setSame(user.id === userId),
      () => undefined,
    );
  }, [why, userId]);
  const { title, text } = STOPPED[isSame ? 'again' : why]();
  const signIn = () => {
    setProblem(null);
    refresh().catch((cause) => setProblem(sentenceOf(cause)));
  };
  const waiting = sync.values.size > 0 && 'waiting' in sync.state ? sync.state.waiting : 0;
  return (
    <Panel
      icon={<MonitorX />}
      title={title}
      action={
        isSame
          ? t(/* a button: opens the next page of the assessment */ 'halted.continue', 'Continue')
          : t(/* a button: on this page */ 'halted.signIn', 'Sign in here')
      }
      onAction={signIn}
    >
      <p>{text}</p>
      {waiting > 0 && !isSame && (
        <p>
          {t(
            /* changes of answers */
            'halted.waiting',
            '{n, plural, one {# change is waiting on this device. It will be sent when you sign in here.} other {# changes are waiting on this device. They will be sent when you sign in here.}}',
            { n: waiting },
          )}
        </p>
      )}
      {problem !== null && (
        <p role="alert" className="text-bad-ink">
          {problem}
        </p>
      )}
    </Panel>
  );
}
