import { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { endingText } from '@invigil/core/texts/detected';
import { t } from '@invigil/core/texts/i18n';
import { Ban, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { z } from 'zod';
import { formatDateTime } from '../../lib/format.ts';
import { zoneText } from '../../lib/moment-text.ts';
import { answeredText } from '../../lib/receipt.ts';
import { Badge, StatusBadge } from '../../ui/badges/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useLeaving } from '../use-leaving.ts';
import { NotesAfterEnd } from './notes-after-end.tsx';
import { EndLine, EndMessage, Facts, OutcomePage } from './outcome-page.tsx';
import {
  assessmentTerminated,
  endedByAdministrator,
  ifThisIsAnError,
  questionsAnswered,
  retakesLeftText,
  returnToLogin,
  timeTaken,
  timeTakenLabel,
  violations,
} from './outcome-texts.ts';
import { ReceiptCard } from './receipt-card.tsx';

/** The page for candidates who have already completed the test or were dismissed. Needs no session. */
export function CompletedNoticeScreen() {
  const { leave } = useLeaving();
  const [given] = useState(() => Given.safeParse(window.history.state).data);
  const ended = given?.ended ?? null;
  const isEndedByPerson = ended?.summary.submissionType === 'database';
  const shown = given?.dismissed ? dismissedTexts() : completedTexts();
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
          {isEndedByPerson && <p>{endedByAdministrator()}</p>}
          <EndMessage ended={ended} />
          {ended !== null && <EndLine receiptId={ended.receipt.id} ended={ended} />}
        </>
      }
      countdown={
        <Button size="candidate" onClick={() => void leave()}>
          {returnToLogin()}
        </Button>
      }
    >
      <Facts
        facts={[
          ...(ended === null ? [] : factsOf(ended)),
          [
            t(/* label: of the attempt */ 'completed.status', 'Status'),
            <StatusBadge key="status" status={shown.status} />,
          ],
          [
            t(/* label: of the attempt */ 'completed.result', 'Result'),
            <Result key="result" ended={ended} />,
          ],
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
        <li>{RESULT[ended?.result?.state ?? 'separately']()}</li>
        <li>
          {ended?.retakes
            ? retakesLeftText(ended.retakes, ended.timeZone)
            : t('completed.onlyOnce', 'Each participant can take the test only once.')}
        </li>
        <li>{shown.questions}</li>
      </ul>
    </OutcomePage>
  );
}

function Result({ ended }: { ended: EndedAttempt | null }) {
  const { state, at } = ended?.result ?? {};
  // Too long for a badge, which is one line.
  if (at !== undefined) {
    const moment = formatDateTime(at) + zoneText(at, ended?.timeZone);
    return state === 'closed'
      ? t(
          /* beside “Result”: it could be read until then */ 'completed.resultUntil',
          'Until {moment}',
          { moment },
        )
      : t(
          /* beside “Result”: it can be read from then on */ 'completed.resultFrom',
          'From {moment}',
          { moment },
        );
  }
  return (
    <Badge tone="accent" glyph="half">
      {state === 'released'
        ? t(/* the result */ 'completed.released', 'Released')
        : t(/* the result */ 'completed.underReview', 'Under Review')}
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
    [t(/* label of its title */ 'completed.assessment', 'Assessment'), title],
    [
      t(/* label of a moment: when the assessment ended */ 'completed.ended', 'Ended'),
      formatDateTime(submittedAt) + zoneText(submittedAt, timeZone),
    ],
    [questionsAnswered(), answeredText(summary)],
    [timeTakenLabel(), timeTaken(summary.timeSpent)],
    [violations(), summary.violationCount],
  ];
}

const aheadText = () =>
  t(
    'completed.resultAhead',
    'You get an email when your result is released. Sign in again with the same one-time password to see it.',
  );
const RESULT = {
  separately: () =>
    t(
      /* to the candidates, not by this page */ 'completed.resultSeparately',
      'Results are communicated separately.',
    ),
  at: aheadText,
  later: aheadText,
  released: () =>
    t(
      'completed.resultReleased',
      'Your result is released. Sign in again with the same one-time password to see it.',
    ),
  closed: () =>
    t(
      'completed.resultClosed',
      'Your result can no longer be read here. If you need it, contact your administrator.',
    ),
};

const completedTexts = () =>
  ({
    heading: t(/* heading */ 'completed.heading', 'Assessment Completed'),
    tone: 'accent',
    sign: <CircleCheck />,
    lead: t('completed.lead', 'You have already completed your assessment'),
    status: 'completed',
    recorded: t('completed.recorded', 'Your submission was recorded.'),
    questions: t('completed.questions', 'If you have questions, contact your administrator.'),
  }) as const;

const dismissedTexts = () =>
  ({
    heading: assessmentTerminated(),
    tone: 'bad',
    sign: <Ban strokeWidth={1.75} />,
    lead: t(
      'completed.dismissedLead',
      'Your assessment was ended under its rules before you submitted it',
    ),
    status: 'dismissed',
    recorded: t('completed.dismissedRecorded', 'Your answers were saved and submitted.'),
    questions: ifThisIsAnError(),
  }) as const;
