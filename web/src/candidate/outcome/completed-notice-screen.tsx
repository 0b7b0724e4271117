import { Ban, CircleCheck } from 'lucide-react';
import { useLocation } from 'react-router';
import { Badge } from '../../ui/badges/badge.tsx';
import { StatusBadge } from '../../ui/badges/status-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { useLeaving } from '../use-leaving.ts';
import { Facts, OutcomePage } from './outcome-page.tsx';

/** For candidates who have already completed the test or were dismissed. Needs no session. */
export function CompletedNoticeScreen() {
  const { leave } = useLeaving();
  const { state } = useLocation();
  const isDismissed = state !== null && typeof state === 'object' && state.dismissed === true;
  const shown = isDismissed ? DISMISSED : COMPLETED;
  return (
    <OutcomePage
      title={shown.heading}
      tone={shown.tone}
      sign={shown.sign}
      heading={shown.heading}
      lead={<h2 className="font-normal">{shown.lead}</h2>}
      countdown={
        <Button size="candidate" onClick={() => void leave()}>
          Return to Login
        </Button>
      }
    >
      <Facts
        facts={[
          ['Status', <StatusBadge key="status" status={shown.status} />],
          [
            'Result',
            <Badge key="result" tone="accent" glyph="half">
              Under Review
            </Badge>,
          ],
        ]}
      />
      <ul className="mt-5 grid list-disc gap-1.5 pl-5 text-md text-ink-2 marker:text-ink-3">
        <li>{shown.recorded}</li>
        <li>Results are communicated separately.</li>
        <li>Each participant can take the test only once.</li>
        <li>{shown.questions}</li>
      </ul>
    </OutcomePage>
  );
}

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
