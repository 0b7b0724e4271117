import type { SubmissionType } from '@invigil/core/domain/attempt';
import { Check, CircleStop, Clock, CloudUpload } from 'lucide-react';
import { useEffect } from 'react';
import { Navigate } from 'react-router';
import { useSession } from '../../lib/session.tsx';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { leaveFullscreen } from '../../proctoring/sensors/fullscreen.ts';
import { Notice } from '../../ui/notice.tsx';
import { haltedView } from './attempt-halted.tsx';
import { Countdown, useCountdown } from './countdown.tsx';
import { currentAttempt } from './current-attempt.ts';
import { forgetEndMarks } from './local-copies.ts';
import { Facts, OutcomePage } from './outcome-page.tsx';
import { ReceiptCard } from './receipt-card.tsx';
import { StillSending } from './still-sending.tsx';
import { timeTaken } from './time-taken.ts';
import { useAttempt } from './use-attempt.ts';
import { useLeaving } from './use-leaving.ts';
import { pageOf } from './where-next.ts';

/**
 * The end. It always appears, and says that it is still sending until the server has acknowledged;
 * only then the countdown begins and the copy on this device goes (product 7).
 */
export function ThankYouScreen() {
  const { account, signedIn } = useSession();
  const { phase, participant, sync } = useAttempt();
  const leaving = useLeaving();
  const attempt = account?.attempt ?? null;
  const isLate = phase.kind === 'ended' && phase.lateCount > 0;
  // That something came too late is said until it was read.
  const countdown = useCountdown(phase.kind === 'ended' && !isLate, leaving);

  useEffect(() => {
    // After a reload: what was held here is sent, and the receipt is asked for again.
    if (attempt !== null) currentAttempt.open(attempt);
  }, [attempt]);
  useEffect(() => {
    attemptMonitor.stop();
    void leaveFullscreen();
  }, []);
  useEffect(() => {
    if (phase.kind !== 'ended' || participant === null || account === null) return;
    if (account.attempt?.status === 'in_progress') signedIn({ ...account, attempt: participant });
  }, [phase.kind, participant, account, signedIn]);

  if (phase.kind === 'running') return <NeverSubmitted />;
  const page = pageOf(phase);
  if (page !== null && page !== '/quiz/thankyou') return <Navigate to={page} replace />;
  const halted = haltedView(phase);
  if (halted !== null) return halted;
  if (phase.kind !== 'ended') {
    const auto = phase.kind === 'submitting' && phase.by === 'time';
    return (
      <OutcomePage
        title="Sending"
        tone="accent"
        sign={<CloudUpload aria-hidden="true" strokeWidth={1.5} />}
        heading={auto ? 'Time Expired - Assessment Auto-Submitted' : 'Sending your answers'}
        lead={<p>Your answers are on their way to the server.</p>}
      >
        <StillSending
          tries={phase.kind === 'submitting' ? phase.tries : 0}
          durable={sync.durable}
        />
      </OutcomePage>
    );
  }

  const { summary, receipt, lateCount } = phase;
  return (
    <OutcomePage
      {...outcomeOf(summary.submissionType)}
      countdown={
        <Countdown countdown={isLate ? { ...countdown, held: true } : countdown}>
          <p className="font-semibold text-ink">You can now close this window.</p>
          <p>{`This window will automatically close in ${countdown.left} seconds.`}</p>
        </Countdown>
      }
    >
      {lateCount > 0 && <LateNotice count={lateCount} />}
      <Facts
        title="Assessment Summary"
        facts={[
          ['Questions Answered', `${summary.answeredCount} of ${summary.totalQuestions}`],
          ['Total Questions', summary.totalQuestions],
          ['Time Taken', timeTaken(summary.timeSpent)],
          ['Violations', summary.violationCount],
        ]}
      />
      <ReceiptCard receipt={receipt} onUsed={countdown.hold} />
    </OutcomePage>
  );
}

/** What this device could only send after the end. It is not lost, and it does not count. */
function LateNotice({ count }: { count: number }) {
  const [changes, are] = count === 1 ? ['change', 'It is'] : ['changes', 'They are'];
  return (
    <div className="mt-6">
      <Notice
        tone="warn"
        role="status"
        icon={<Clock strokeWidth={1.5} />}
        title={`${count} ${changes} of yours arrived after the end.`}
      >
        {`${are} kept apart: the administrator can see ${count === 1 ? 'it' : 'them'}, the result does not count ${count === 1 ? 'it' : 'them'}.`}
      </Notice>
    </div>
  );
}

/** What happened; an end that somebody else has chosen does not look like a success. */
function outcomeOf(type: SubmissionType) {
  if (type === 'database') {
    return {
      title: 'Ended',
      tone: 'neutral',
      sign: <CircleStop aria-hidden="true" strokeWidth={1.5} />,
      heading: 'Assessment Ended',
      lead: (
        <>
          <p>Your assessment was ended by the administrator.</p>
          <p>Everything that you had answered is submitted.</p>
        </>
      ),
    } as const;
  }
  const done = { tone: 'ok', sign: <Check aria-hidden="true" strokeWidth={2} /> } as const;
  if (type === 'auto') {
    return {
      ...done,
      title: 'Time expired',
      heading: 'Time Expired - Assessment Auto-Submitted',
      lead: <p>Your Assessment was automatically submitted when the time limit was reached.</p>,
    };
  }
  return {
    ...done,
    title: 'Completed',
    heading: 'Assessment Completed!',
    lead: <p>Thank you, we will get back to you shortly.</p>,
  };
}

/** A mark of an end in local storage, but nobody asked for one: back to the questions. */
function NeverSubmitted() {
  useEffect(forgetEndMarks, []);
  return <Navigate to="/quiz/assessment" replace />;
}
