import { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { endingText } from '@invigil/core/texts/notices';
import { Ban, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { formatDateTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';
import { Badge, StatusBadge } from '../../ui/badges/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { timeTaken } from '../attempt/local-copies.ts';
import { useLeaving } from '../use-leaving.ts';
import { NotesAfterEnd } from './notes-after-end.tsx';
import { EndLine, EndMessage, Facts, OutcomePage } from './outcome-page.tsx';
import { ReceiptCard } from './receipt-card.tsx';

/** The page for candidates who have already completed the test or were dismissed. Needs no session. */
export function CompletedNoticeScreen() {
  const { leave } = useLeaving();
  const [given] = useState(() => Given.safeParse(window.history.state).data);
  const ended = given?.ended ?? null;
  const isEndedByPerson = ended?.summary.submissionType === 'database';
  const shown = given?.dismissed ? DISMISSED : COMPLETED;
  return (
    <OutcomePage
      title={shown.heading}
      tone={shown.tone}
      sign={shown.sign}
      heading={shown.heading}
      lead={
        <>
          {ended?.ending && <p className="font-medium text-ink">{endingText(ended.ending)}</p>}
          <h2 className="font-normal">{shown.lead}</h2>
          {isEndedByPerson && <p>Your assessment was ended by the administrator.</p>}
          <EndMessage ended={ended} />
          {ended !== null && <EndLine receiptId={ended.receipt.id} ended={ended} />}
        </>
      }
      countdown={
        <Button size="candidate" onClick={() => void leave()}>
          Return to Login
        </Button>
      }
    >
      <Facts
        facts={[
          ...(ended === null ? [] : factsOf(ended)),
          ['Status', <StatusBadge key="status" status={shown.status} />],
          ['Result', <Result key="result" ended={ended} />],
        ]}
      />
      {ended !== null && (
        <>
          <NotesAfterEnd participantId={ended.participantId} ended={ended} />
          <ReceiptCard receipt={ended.receipt} />
        </>
      )}
      <ul className="mt-5 grid list-disc gap-1.5 ps-5 text-md text-ink-2 marker:text-ink-3">
        <li>{shown.recorded}</li>
        <li>{RESULT[ended?.result?.state ?? 'separately']}</li>
        <li>Each participant can take the test only once.</li>
        <li>{shown.questions}</li>
      </ul>
    </OutcomePage>
  );
}

function Result({ ended }: { ended: EndedAttempt | null }) {
  const { state, at } = ended?.result ?? {};
  // Too long for a badge, which is one line.
  if (at !== undefined) {
    return `${state === 'closed' ? 'Until' : 'From'} ${formatDateTime(at)}${zoneText(at, ended?.timeZone)}`;
  }
  return (
    <Badge tone="accent" glyph="half">
      {state === 'released' ? 'Released' : 'Under Review'}
    </Badge>
  );
}

/**
 * The history state from the sign-in page: the record, once the right code was given or in the tab of the
 * attempt.
 */
const Given = z.object({ dismissed: z.boolean().optional(), ended: EndedAttempt.nullish() });

function factsOf({
  title,
  submittedAt,
  timeZone,
  summary,
}: EndedAttempt): [string, string | number][] {
  return [
    ['Assessment', title],
    ['Ended', formatDateTime(submittedAt) + zoneText(submittedAt, timeZone)],
    ['Questions Answered', `${summary.answeredCount} of ${summary.totalQuestions}`],
    ['Time Taken', timeTaken(summary.timeSpent)],
    ['Violations', summary.violationCount],
  ];
}

const AHEAD =
  'You get an email when your result is released. Sign in again with the same one-time password to see it.';
const RESULT = {
  ...{ separately: 'Results are communicated separately.', at: AHEAD, later: AHEAD },
  released: 'Your result is released. Sign in again with the same one-time password to see it.',
  closed: 'Your result can no longer be read here. If you need it, contact your administrator.',
};

const COMPLETED = {
  heading: 'Assessment Completed',
  tone: 'accent',
  sign: <CircleCheck />,
  lead: 'You have already completed your assessment',
  status: 'completed',
  recorded: 'Your submission was recorded.',
  questions: 'If you have questions, contact your administrator.',
} as const;

const DISMISSED = {
  heading: 'Assessment Terminated',
  tone: 'bad',
  sign: <Ban strokeWidth={1.75} />,
  lead: 'Your assessment was ended under its rules before you submitted it',
  status: 'dismissed',
  recorded: 'Your answers were saved and submitted.',
  questions: 'If you believe this is an error, please contact your administrator.',
} as const;
