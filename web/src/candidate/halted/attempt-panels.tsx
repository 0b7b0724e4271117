import { leftPageText } from '@invigil/core/domain/violations/ending-text';
import { AppWindow, Maximize, MonitorX } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useSession } from '../../lib/person/session.tsx';
import { sentenceOf } from '../../net/api.ts';
import type { SessionStop } from '../../net/stop.ts';
import { enterTestFullscreen } from '../../proctoring/sensors/fullscreen.ts';
import { Button } from '../../ui/button.tsx';
import { currentAttempt, useAttempt, useNotices } from '../current-attempt.ts';
import { excuseText } from '../monitoring/excuse-text.ts';
import { fullscreenWarning } from '../monitoring/notice-words.ts';

/** A panel that replaces the questions: what happened, what is safe, one action. */
function Panel({
  icon,
  title,
  children,
  action,
  onAction,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  /** The action's label, if there is one. */
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
    <Panel icon={<AppWindow />} title="Your assessment is ending">
      <p>{leftPageText(durationMs)}</p>
      <p>
        {sync.state.kind === 'offline'
          ? 'The connection is interrupted. Your answers will be submitted as soon as you are back online.'
          : 'Your answers are being submitted now.'}
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
          ? 'This assessment runs in fullscreen'
          : fullscreenWarning(fullscreen)
      }
      action="Return to fullscreen"
      onAction={() => void enterTestFullscreen()}
    >
      {fullscreen !== null && 'returnMs' in fullscreen && (
        <p className="text-ink">{excuseText(fullscreen.returnMs, 'the button')}</p>
      )}
      <p>
        The questions are covered until you return. Your answers are kept and the clock keeps
        running.
      </p>
    </Panel>
  );
}

/** The second tab of the same browser (product 4.3). */
export function OtherTabPanel() {
  return (
    <Panel
      icon={<AppWindow />}
      title="Your assessment is open in another tab"
      action="Continue in this tab"
      onAction={() => currentAttempt.takeOverFromOtherTab()}
    >
      <p>Open in another tab. This tab does not save.</p>
      <p>Continuing here stops the other tab. Nothing you answered there is lost.</p>
    </Panel>
  );
}

const STOPPED: Record<SessionStop['kind'], { title: string; text: string }> = {
  replaced: {
    title: 'You signed in somewhere else',
    text: 'Your assessment continues there. This page no longer saves.',
  },
  foreign: {
    title: 'Someone else is signed in on this browser',
    text: 'This page no longer saves. Sign in again to continue where you left off.',
  },
  'signed-out': {
    title: 'You are signed out',
    text: 'This page no longer saves. Sign in again to continue where you left off.',
  },
};

/** Another sign-in or an ended session stopped this page; unsent changes are stored. */
export function StoppedPanel({ why }: { why: SessionStop['kind'] }) {
  const { refresh } = useSession();
  const { sync } = useAttempt();
  const [problem, setProblem] = useState<string | null>(null);
  const signIn = () => {
    setProblem(null);
    refresh().catch((cause) => setProblem(sentenceOf(cause)));
  };
  const waiting = sync.values.size > 0 && 'waiting' in sync.state ? sync.state.waiting : 0;
  return (
    <Panel icon={<MonitorX />} title={STOPPED[why].title} action="Sign in here" onAction={signIn}>
      <p>{STOPPED[why].text}</p>
      {waiting > 0 && (
        <p>
          {waiting === 1
            ? '1 change is waiting on this device. It will be sent when you sign in here.'
            : `${waiting} changes are waiting on this device. They will be sent when you sign in here.`}
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
