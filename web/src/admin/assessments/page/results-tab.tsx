import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { Charts } from '../../dashboard/dashboard-screen.tsx';
import { ParticipantsList } from '../../participants/participants-screen.tsx';

/** The results of an assessment: their distribution, the attempts, the report. */
export function ResultsTab({ quiz }: { quiz: Quiz }) {
  return (
    <div className="grid gap-6">
      <Charts of={quiz.id} />
      <div>
        <ParticipantsList of={quiz.id} />
      </div>
    </div>
  );
}
