import type { SubmissionType } from '@invigil/core/domain/attempt';
import { t } from '@invigil/core/texts/i18n';
import { Check, CircleStop, CloudUpload } from 'lucide-react';
import { useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useSession } from '../../lib/person/session.tsx';
import { answeredText } from '../../lib/receipt.ts';
import { Button } from '../../ui/button.tsx';
import { forgetEndMarks } from '../attempt/local-copies.ts';
import { useAttempt } from '../current-attempt.ts';
import { useLeaving } from '../use-leaving.ts';
import { Countdown, useCountdown } from './countdown.tsx';
import { NotesAfterEnd } from './notes-after-end.tsx';
import {
  EndLine,
  EndMessage,
  Facts,
  LateChanges,
  OutcomePage,
  RetakesLeft,
  StillSending,
} from './outcome-page.tsx';
import {
  endedByAdministrator,
  questionsAnswered,
  timeExpired,
  timeTaken,
  timeTakenLabel,
  violations,
} from './outcome-texts.ts';
import { ReceiptCard } from './receipt-card.tsx';
import { insteadOf, useOutcome } from './use-outcome.tsx';

/**
 * The thank-you page. It shows that it is still sending until the server acknowledges; only then the
 * countdown starts and the copy on this device is deleted (product 7).
 */
export function ThankYouScreen() {
  const { account, signedIn } = useSession();
  const { phase, participant, sync } = useAttempt();
  const leaving = useLeaving();
  const { ended, mayClose } = useOutcome();
  const isLate = phase.kind === 'ended' && phase.lateCount > 0;
  // The notice about late changes must be read.
  const countdown = useCountdown(mayClose, leaving, { mustBeRead: isLate });

  useEffect(() => {
    if (phase.kind !== 'ended' || participant === null || account === null) return;
    if (account.attempt?.status === 'in_progress') signedIn({ ...account, attempt: participant });
  }, [phase.kind, participant, account, signedIn]);

  if (phase.kind === 'running' || phase.kind === 'paused') return <NeverSubmitted />;
  const instead = insteadOf('/quiz/thankyou', phase);
  if (instead !== null) return instead;
  if (phase.kind !== 'ended') {
    const { by, tries } = phase.kind === 'submitting' ? phase : { by: null, tries: 0 };
    const auto = by === 'time';
    return (
      <OutcomePage
        title={t(
          /* title of the window: the answers are being sent */ 'thanks.sendingPage',
          'Sending',
        )}
        tone="accent"
        sign={<CloudUpload />}
        heading={auto ? timeExpired() : t(/* heading */ 'thanks.sending', 'Sending your answers')}
        lead={
          tries === 0 && (
            <p>{t('thanks.onTheirWay', 'Your answers are on their way to the server.')}</p>
          )
        }
      >
        <StillSending tries={tries} sync={sync} />
      </OutcomePage>
    );
  }

  const { summary, receipt, lateCount } = phase;
  const { lead, ...outcome } = outcomeOf(summary.submissionType);
  return (
    <OutcomePage
      {...outcome}
      lead={
        <>
          {lead}
          <EndMessage ended={ended} />
          <EndLine receiptId={receipt.id} ended={ended} lateCount={lateCount} />
          <RetakesLeft ended={ended} />
        </>
      }
      countdown={
        <Countdown countdown={countdown}>
          <p className="font-semibold text-ink">
            {t('thanks.mayClose', 'You can now close this window.')}
          </p>
          <p>
            {isLate
              ? t(
                  'thanks.signsOut',
                  '{seconds, plural, other {You will be signed out in # seconds. This page stays open.}}',
                  { seconds: countdown.left },
                )
              : t(
                  'thanks.closes',
                  '{seconds, plural, other {This window will automatically close in # seconds.}}',
                  { seconds: countdown.left },
                )}
          </p>
        </Countdown>
      }
    >
      <LateChanges count={lateCount} />
      {ended?.result?.state === 'released' && <SeeResult />}
      <Facts
        title={t(/* heading */ 'thanks.summary', 'Assessment Summary')}
        facts={[
          [questionsAnswered(), answeredText(summary)],
          [
            t(/* label of a count */ 'thanks.totalQuestions', 'Total Questions'),
            summary.totalQuestions,
          ],
          [timeTakenLabel(), timeTaken(summary.timeSpent)],
          [violations(), summary.violationCount],
        ]}
      />
      {ended !== null && ended.detected.length > 0 && (
        <NotesAfterEnd participantId={ended.participantId} ended={ended} onUse={countdown.hold} />
      )}
      <ReceiptCard receipt={receipt} onUsed={countdown.stay} />
    </OutcomePage>
  );
}

/** A link to the result, shown if results are released at once. */
function SeeResult() {
  const { account, signedIn } = useSession();
  const [, navigate] = useLocation();
  if (account === null) return null;
  return (
    <div className="mt-6">
      <Button
        size="candidate"
        variant="primary"
        onClick={() => {
          signedIn({ ...account, hasResult: true });
          navigate('/quiz/result', { replace: true });
        }}
      >
        {t(/* a button */ 'thanks.seeResult', 'See your result')}
      </Button>
    </div>
  );
}

/** The words and the look of an end; only a submit by the candidate looks like a success. */
function outcomeOf(type: SubmissionType) {
  if (type === 'database') {
    return {
      title: t(/* title of the window: the assessment */ 'thanks.endedPage', 'Ended'),
      tone: 'neutral',
      sign: <CircleStop />,
      heading: t(/* heading */ 'thanks.ended', 'Assessment Ended'),
      lead: (
        <>
          <p>{endedByAdministrator()}</p>
          <p>
            {t(
              /* then: the end */ 'thanks.savedByThen',
              'Every answer that was saved by then is submitted.',
            )}
          </p>
          <p>{t('thanks.questions', 'If you have questions, ask the person who invited you.')}</p>
        </>
      ),
    } as const;
  }
  const done = { tone: 'ok', sign: <Check strokeWidth={2} /> } as const;
  if (type === 'auto') {
    return {
      ...done,
      title: t(/* title of the window */ 'thanks.timeExpiredPage', 'Time expired'),
      heading: timeExpired(),
      lead: (
        <p>
          {t(
            'thanks.timeExpired',
            'Your Assessment was automatically submitted when the time limit was reached.',
          )}
        </p>
      ),
    };
  }
  return {
    ...done,
    title: t(/* title of the window: the assessment */ 'thanks.page', 'Completed'),
    heading: t(/* heading */ 'thanks.heading', 'Assessment Completed!'),
    lead: <p>{t('thanks.lead', 'Thank you, we will get back to you shortly.')}</p>,
  };
}

/** Local storage has a mark of an end without a submit: back to the questions. */
function NeverSubmitted() {
  useEffect(forgetEndMarks, []);
  return <Redirect to="/quiz/assessment" replace />;
}
