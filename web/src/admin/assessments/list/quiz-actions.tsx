import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import {
  Copy,
  Ellipsis,
  Eye,
  ListChecks,
  ListTree,
  MailCheck,
  Pencil,
  Send,
  Trash2,
} from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';

export type QuizAction =
  | 'questions'
  | 'preview'
  | 'edit'
  | 'duplicate'
  | 'invite'
  | 'invitations'
  | 'sections'
  | 'delete';

export interface QuizListProps {
  quizzes: readonly Quiz[];
  onAction(action: QuizAction, quiz: Quiz): void;
}

/**
 * Actions of an assessment: the specification's four as buttons, the others in a menu. While the assessment is
 * not open, inviting is disabled with a reason.
 */
export function QuizActions({
  quiz,
  onAction,
}: {
  quiz: Quiz;
  onAction: QuizListProps['onAction'];
}) {
  const { title } = quiz;
  return (
    <span className="inline-flex justify-end gap-0.5">
      <IconButton
        label={`Manage questions of ${title}`}
        tooltip="Manage questions"
        onClick={() => onAction('questions', quiz)}
      >
        <ListChecks />
      </IconButton>
      <IconButton label={`Edit ${title}`} tooltip="Edit" onClick={() => onAction('edit', quiz)}>
        <Pencil />
      </IconButton>
      <IconButton
        label={`Invite to ${title}`}
        tooltip="Invite"
        unavailable={quiz.isOpen ? undefined : 'Cannot invite users to inactive quizzes'}
        onClick={() => onAction('invite', quiz)}
      >
        <Send />
      </IconButton>
      <IconButton
        label={`Delete ${title}`}
        tooltip="Delete"
        onClick={() => onAction('delete', quiz)}
      >
        <Trash2 />
      </IconButton>
      <Menu
        trigger={
          <IconButton label={`More for ${title}`} tooltip="More">
            <Ellipsis />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Eye />}
          unavailable={quiz.questionCount === 0 ? 'It has no questions yet' : undefined}
          onSelect={() => onAction('preview', quiz)}
        >
          Preview
        </MenuItem>
        <MenuItem icon={<ListTree />} onSelect={() => onAction('sections', quiz)}>
          Sections and scoring
        </MenuItem>
        <MenuItem icon={<MailCheck />} onSelect={() => onAction('invitations', quiz)}>
          Invitations
        </MenuItem>
        <MenuItem icon={<Copy />} onSelect={() => onAction('duplicate', quiz)}>
          Duplicate
        </MenuItem>
      </Menu>
    </span>
  );
}
