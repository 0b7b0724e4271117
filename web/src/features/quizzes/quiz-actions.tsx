import type { Quiz } from '@invigil/core/contract/quizzes';
import { Copy, Eye, ListChecks, MailCheck, Pencil, Send, Trash2 } from 'lucide-react';
import { IconButton } from '../../ui/icon-button.tsx';

export type QuizAction =
  | 'questions'
  | 'preview'
  | 'edit'
  | 'duplicate'
  | 'invite'
  | 'invitations'
  | 'delete';

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
    <span className="inline-flex flex-wrap justify-end gap-0.5 @min-[64rem]:flex-nowrap">
      <IconButton
        label={`Manage questions of ${title}`}
        tooltip="Manage questions"
        onClick={() => onAction('questions', quiz)}
      >
        <ListChecks aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton
        label={`Preview ${title}`}
        tooltip="Preview"
        unavailable={quiz.questionCount === 0 ? 'It has no questions yet' : undefined}
        onClick={() => onAction('preview', quiz)}
      >
        <Eye aria-hidden="true" strokeWidth={1.5} />
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
        label={`Invitations of ${title}`}
        tooltip="Invitations"
        onClick={() => onAction('invitations', quiz)}
      >
        <MailCheck aria-hidden="true" strokeWidth={1.5} />
      </IconButton>
      <IconButton
        label={`Duplicate ${title}`}
        tooltip="Duplicate"
        onClick={() => onAction('duplicate', quiz)}
      >
        <Copy aria-hidden="true" strokeWidth={1.5} />
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
