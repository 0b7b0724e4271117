import { CircleCheck } from 'lucide-react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Facts, OutcomePage } from './outcome-page.tsx';
import { useLeaving } from './use-leaving.ts';

/** For somebody who has taken the test before. Needs no session. */
export function CompletedNoticeScreen() {
  const leave = useLeaving();
  return (
    <OutcomePage
      title="Assessment Completed"
      tone="accent"
      sign={<CircleCheck aria-hidden="true" strokeWidth={1.5} />}
      heading="Assessment Completed"
      lead={<h2 className="font-normal">You have already completed your assessment</h2>}
      countdown={
        <Button size="candidate" onClick={() => void leave()}>
          Return to Login
        </Button>
      }
    >
      <Facts
        facts={[
          ['Status', <StatusBadge key="status" status="completed" />],
          [
            'Result',
            <Badge key="result" tone="accent" glyph="half">
              Under Review
            </Badge>,
          ],
        ]}
      />
      <ul className="mt-5 grid list-disc gap-1.5 pl-5 text-md text-ink-2 marker:text-ink-3">
        <li>Your submission was recorded.</li>
        <li>Results are communicated separately.</li>
        <li>Each participant can take the test only once.</li>
        <li>If you have questions, contact your administrator.</li>
      </ul>
    </OutcomePage>
  );
}
