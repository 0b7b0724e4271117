import type { OwnParticipant } from '@invigil/core/contract/attempts/own-participant';
import { isCountingType } from '@invigil/core/domain/violations/violation-types';
import { endingText } from '@invigil/core/texts/notices';
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
import { plausibleTimeSpent, timeTaken } from '../attempt/local-copies.ts';
import { FaceFrame } from '../attempt-icons.tsx';
import { useAttempt } from '../current-attempt.ts';
import { readStoredNotices } from '../monitoring/seen-notices.ts';
import { useLeaving } from '../use-leaving.ts';
import { Countdown, useCountdown } from './countdown.tsx';
import { NotesAfterEnd } from './notes-after-end.tsx';
import { EndLine, Facts, LateChanges, OutcomePage } from './outcome-page.tsx';
import { ReceiptCard } from './receipt-card.tsx';
import { insteadOf, useOutcome } from './use-outcome.tsx';

const ICONS: Record<string, ReactNode> = {
  'Face and voice together': <ShieldCheck />,
  'Voice/sound': <AudioLines />,
  'Face not detected': <FaceFrame />,
  'Fullscreen exit': <Maximize />,
  'Fullscreen exit or tab switching': <Maximize />,
  'Tab switching': <AppWindow />,
};

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
  if (phase.kind === 'running') return <Redirect to="/quiz/assessment" replace />;
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
      title="Terminated"
      tone="bad"
      sign={<Ban strokeWidth={1.75} />}
      heading="Assessment Terminated"
      lead={
        <>
          {ending !== null && <p className="font-medium text-ink">{ending}</p>}
          <p>Your assessment has been dismissed due to multiple violations</p>
          {receipt !== null && (
            <EndLine receiptId={receipt.id} ended={ended} lateCount={lateCount} />
          )}
        </>
      }
      countdown={
        phase.kind === 'ended' ? (
          <Countdown countdown={countdown}>
            <p className="font-semibold text-ink">Saving your progress...</p>
            <p>{`Auto logout in ${countdown.left} seconds`}</p>
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
          ...(context === null ? [] : [['Dismissed from', context.fromPage] as const]),
          [
            'Progress',
            facts === null
              ? '–'
              : `${facts.answeredCount} of ${facts.totalQuestions} questions answered`,
          ],
          ...(flagged > 0 ? [['Flagged', flagged] as const] : []),
          ['Time Taken', timeTaken(seconds)],
        ]}
      >
        <p className="border-t border-line py-1.75 font-medium">
          Reason: Exceeded maximum allowed violations
          {ended?.ending && (
            <span className="font-normal text-ink-2">{` · the maximum here is ${ended.ending.limit}`}</span>
          )}
        </p>
      </Facts>
      {limits.length > 0 && (
        <Facts
          dense
          title="Limits of this assessment"
          facts={limits.map(([label, value]) => [label, value, ICONS[label]])}
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
          'Your progress was saved and submitted as completed. Your answers are scored like those of anyone else. '}
        <span>If you believe this is an error, please contact your administrator.</span>
      </p>
    </OutcomePage>
  );
}

function Sending({ interrupted }: { interrupted: boolean }) {
  return (
    <Notice tone="accent" role="status" icon={<Spinner />} title="Saving your progress...">
      Keep this window open.
      {interrupted &&
        ' The connection is interrupted. Sending continues automatically when you are back online.'}
    </Notice>
  );
}

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
