import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { isolated } from '@invigil/core/domain/typed-text';
import { useDeleteQuiz } from '../../data/assessments.ts';
import { ConfirmAction } from '../../parts/dialogs.tsx';

/** The server archives: results stay reportable, attempts in progress continue. */
export function DeleteQuiz({
  quiz,
  onClose,
  onDeleted,
}: {
  quiz: Quiz;
  onClose(): void;
  onDeleted?(): void;
}) {
  return (
    <ConfirmAction
      action={useDeleteQuiz()}
      subject={quiz.id}
      done={{ title: 'Assessment deleted', description: quiz.title }}
      failed="Failed to delete Assessment"
      onClose={onClose}
      {...(onDeleted === undefined ? {} : { onDone: onDeleted })}
    >
      <p>
        Delete the assessment “{isolated(quiz.title)}” with its questions? It is removed from this
        list and no one can start it.
      </p>
      <p className="mt-2">Results stay in reports. Attempts in progress can be finished.</p>
    </ConfirmAction>
  );
}
