import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { isCountingType } from '@invigil/core/domain/violations/violation-types';
import { endingText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { limitLines } from '@invigil/core/texts/policy';
import { AppWindow, AudioLines, Ban, Maximize, ShieldCheck } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { Redirect } from 'wouter';
import { completionDataKey, dismissalContextKey } from '../../lib/person/local-keys.ts';
import { useSession } from '../../lib/person/session.tsx';
import { thisDevice } from '../../proctoring/device/device-kind.ts';
import { canFullscreen } from '../../proctoring/sensors/screen.ts';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Trans } from '../../ui/trans.tsx';
import { plausibleTimeSpent } from '../attempt/local-copies.ts';
import { FaceFrame } from '../attempt-icons.tsx';
import { useAttempt } from '../current-attempt.ts';
import { readStoredNotices } from '../monitoring/seen-notices.ts';
import { useLeaving } from '../use-leaving.ts';
import { Countdown, useCountdown } from './countdown.tsx';
import { NotesAfterEnd } from './notes-after-end.tsx';
import { EndLine, Facts, LateChanges, OutcomePage } from './outcome-page.tsx';
import {
  assessmentTerminated,
  ifThisIsAnError,
  keepWindowOpen,
  timeTaken,
  timeTakenLabel,
} from './outcome-texts.ts';
import { ReceiptCard } from './receipt-card.tsx';
import { insteadOf, useOutcome } from './use-outcome.tsx';

/** By the label that `limitLines` gives a limit. */
const icons = (): Record<string, ReactNode> => ({
  [t('limit.faceAndVoice', 'Face and voice together')]: <ShieldCheck />,
  [t('limit.sound', 'Voice/sound')]: <AudioLines />,
  [t('limit.noFace', 'Face not detected')]: <FaceFrame />,
  [t('limit.fullscreenExit', 'Fullscreen exit')]: <Maximize />,
  [t('limit.exitOrSwitching', 'Fullscreen exit or tab switching')]: <Maximize />,
  [t('limit.tabSwitching', 'Tab switching')]: <AppWindow />,
});

/** The attempt was ended by its policy. States only limits of this policy. */
export function DismissedScreen() {
  const { account } = useSession();
  const { phase, participant } = useAttempt();
  const leaving = useLeaving();
  const { attempt, ended, mayClose } = useOutcome();
  const lateCount = phase.kind === 'ended' ? phase.lateCount : 0;
  const countdown = useCountdown(mayClose, leaving, { mustBeRead: lateCount > 0 });
  // Only this browser knows the page; it is for display only.
  const [context] = useState(() => dismissalContextKey.read());
  const known = useRef<string | null>(null);
  if (phase.kind === 'running' || phase.kind === 'paused')
    return <Redirect to="/quiz/assessment" replace />;
  const instead = insteadOf('/quiz/dismissed', phase);
  if (instead !== null) return instead;
  const tries = phase.kind === 'submitting' ? phase.tries : 0;
  const own = participant ?? attempt;
  const summary = phase.kind === 'ended' ? phase.summary : null;
  const facts = summary ?? context ?? own;
  // This device's time is used only if the server's is unknown, and only if it is plausible.
  const seconds =
    summary?.timeSpent ?? plausibleTimeSpent(completionDataKey.read()?.timeSpent ?? 0);
  const limits = limitLinesOf(own);
  const attemptId = own?.id;
  const flagged = context?.flaggedCount ?? 0;
  // Staying signs out and clears the browser's data.
  if (attemptId !== undefined) known.current ??= endingOf(attemptId);
  const receipt = phase.kind === 'ended' ? phase.receipt : null;
  const ending = ended?.ending ? endingText(ended.ending) : known.current;
  return (
    <OutcomePage
      dense
      title={t(/* title of the window: the assessment */ 'dismissed.page', 'Terminated')}
      tone="bad"
      sign={<Ban strokeWidth={1.75} />}
      heading={assessmentTerminated()}
      lead={
        <>
          {ending !== null && <p className="font-medium text-ink">{ending}</p>}
          <p>
            {t('dismissed.lead', 'Your assessment has been dismissed due to multiple violations')}
          </p>
          {receipt !== null && (
            <EndLine receiptId={receipt.id} ended={ended} lateCount={lateCount} />
          )}
        </>
      }
      countdown={
        phase.kind === 'ended' ? (
          <Countdown countdown={countdown}>
            <p className="font-semibold text-ink">{savingText()}</p>
            <p>
              {t('dismissed.logout', '{seconds, plural, other {Auto logout in # seconds}}', {
                seconds: countdown.left,
              })}
            </p>
          </Countdown>
        ) : (
          <Sending interrupted={tries > 0} />
        )
      }
    >
      <LateChanges count={lateCount} />
      <Facts
        dense
        facts={[
          ...(context === null
            ? []
            : [
                [
                  t(
                    /* label of the page on which the assessment ended */ 'dismissed.from',
                    'Dismissed from',
                  ),
                  pageName(context.fromPage),
                ] as const,
              ]),
          [
            t(/* label: how many questions are answered */ 'dismissed.progress', 'Progress'),
            facts === null
              ? '–'
              : t(
                  'dismissed.answered',
                  '{total, plural, other {{answered} of # questions answered}}',
                  { answered: facts.answeredCount, total: facts.totalQuestions },
                ),
          ],
          ...(flagged > 0
            ? [
                [
                  t(
                    /* label of a count: questions that the candidate flagged */ 'dismissed.flagged',
                    'Flagged',
                  ),
                  flagged,
                ] as const,
              ]
            : []),
          [timeTakenLabel(), timeTaken(seconds)],
        ]}
      >
        <p className="border-t border-line py-1.75 font-medium">
          {ended?.ending ? (
            <Trans
              id="dismissed.reasonAndLimit"
              comment="here: in this assessment"
              message="Reason: Exceeded maximum allowed violations<maximum> · the maximum here is {limit}</maximum>"
              values={{ limit: ended.ending.limit }}
              components={{ maximum: <span className="font-normal text-ink-2" /> }}
            />
          ) : (
            t('dismissed.reason', 'Reason: Exceeded maximum allowed violations')
          )}
        </p>
      </Facts>
      {limits.length > 0 && (
        <Facts
          dense
          title={t(/* heading */ 'dismissed.limits', 'Limits of this assessment')}
          facts={limits.map(([label, value]) => [label, value, icons()[label]])}
        />
      )}
      {phase.kind === 'ended' &&
        attemptId !== undefined &&
        (account !== null || ended !== null) && (
          <NotesAfterEnd
            key={attemptId}
            participantId={attemptId}
            ended={ended}
            onUse={countdown.hold}
          />
        )}
      {receipt !== null && <ReceiptCard receipt={receipt} onUsed={countdown.hold} />}
      <p className="mt-4 text-md text-ink-2">
        {phase.kind === 'ended' &&
          `${t('dismissed.submitted', 'Your progress was saved and submitted as completed. Your answers are scored like those of anyone else.')} `}
        <span>{ifThisIsAnError()}</span>
      </p>
    </OutcomePage>
  );
}

function Sending({ interrupted }: { interrupted: boolean }) {
  return (
    <Notice tone="accent" role="status" icon={<Spinner />} title={savingText()}>
      {keepWindowOpen()}
      {interrupted &&
        ` ${t('dismissed.interrupted', 'The connection is interrupted. Sending continues automatically when you are back online.')}`}
    </Notice>
  );
}

const savingText = () => t('dismissed.saving', 'Saving your progress...');

/** @param stored its name in English, as this browser keeps it in every language */
const pageName = (stored: string) =>
  stored.startsWith('Review')
    ? t(/* name of a page */ 'dismissed.reviewPage', 'Review Page')
    : t(/* name of a page */ 'dismissed.assessmentPage', 'Assessment Page');

/** The violation and the rule, if known to this browser. */
function endingOf(attemptId: string): string | null {
  for (const { type, durationMs, counted } of readStoredNotices(attemptId)) {
    if (!isCountingType(type) || counted === null || counted.limit === null) continue;
    const { count, limit } = counted;
    if (count >= limit) return endingText({ type, durationMs, count, limit });
  }
  return null;
}

function limitLinesOf(attempt: Pick<OwnParticipant, 'policy' | 'computerUsed'> | null) {
  const { mobile } = thisDevice();
  if (attempt === null) return [];
  const { policy, computerUsed } = attempt;
  return limitLines(policy, { mobile, computerUsed, fullscreen: canFullscreen() });
}
