import type { Quiz } from '@invigil/core/contract/quizzes';
import { ListChecks, Pencil, Send, Trash2 } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';

export type QuizAction = 'questions' | 'edit' | 'invite' | 'delete';

export interface QuizListProps {
  quizzes: readonly Quiz[];
  onAction(action: QuizAction, quiz: Quiz): void;
}

/** What can be done with one assessment. Not open: inviting stays visible and says why it is off. */
export function QuizActions({
  quiz,
  onAction,
}: {
  quiz: Quiz;
  onAction: QuizListProps['onAction'];
}) {
  const { title } = quiz;
  return (
    <span className="inline-flex gap-0.5">
      <IconButton
        label={`Manage questions of ${title}`}
        tooltip="Manage questions"
        onClick={() => onAction('questions', quiz)}
      >
        <ListChecks aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton label={`Edit ${title}`} tooltip="Edit" onClick={() => onAction('edit', quiz)}>
        <Pencil aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton
        label={`Invite to ${title}`}
        tooltip="Invite"
        unavailable={quiz.isOpen ? undefined : 'Cannot invite users to inactive quizzes'}
        onClick={() => onAction('invite', quiz)}
      >
        <Send aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton
        label={`Delete ${title}`}
        tooltip="Delete"
        onClick={() => onAction('delete', quiz)}
      >
        <Trash2 aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
    </span>
  );
}
