import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useDeleteQuiz } from '../../data/assessments.ts';
import { ConfirmAction } from '../../parts/dialogs.tsx';
import { namedText } from '../practice-card.tsx';

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
      done={{
        title: t('assessments.delete.done', 'Assessment deleted'),
        description: quiz.title,
      }}
      failed={t('assessments.delete.failed', 'Failed to delete Assessment')}
      onClose={onClose}
      {...(onDeleted === undefined ? {} : { onDone: onDeleted })}
    >
      <p>
        {t(
          'assessments.delete.ask',
          'Delete the assessment “{title}” with its questions? It is removed from this list and no one can start it.',
          { title: isolated(quiz.title) },
        )}
      </p>
      {quiz.asPractice === undefined ? (
        <p className="mt-2">
          {t(
            'assessments.delete.results',
            'Results stay in reports. Attempts in progress can be finished.',
          )}
        </p>
      ) : (
        quiz.asPractice.namedBy > 0 && (
          <p className="mt-2 font-medium">{namedText(quiz.asPractice.namedBy)}</p>
        )
      )}
    </ConfirmAction>
  );
}
