import type { Question } from '@invigil/core/contract/assessments/question-list';
import { Maximize2, Pencil, Scale, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { QuestionText } from '../../../question-view/question-head.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { KeyedOptions } from '../question-key.tsx';

/** One stored question with its options; the filled bubble is the key. */
export function QuestionItem({
  question,
  number,
  locked,
  handle,
  onRescore,
  onOpen,
  onEdit,
  onDelete,
}: {
  question: Question;
  number: number;
  /** Another question is being edited: finish that first. */
  locked: boolean;
  /** Moves the question in the list. */
  handle: ReactNode;
  /** Opens the rescoring. */
  onRescore(): void;
  /** Opens the page of the editor. */
  onOpen(): void;
  onEdit(): void;
  onDelete(): void;
}) {
  const why = locked ? 'Finish the question you are editing first' : undefined;
  return (
    <div className="flex items-start gap-3.5 max-sm:gap-2">
      {handle}
      <span className="min-w-5.5 flex-none text-right leading-5.5 text-ink-3 tabular-nums max-sm:min-w-0">
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <QuestionText
          text={question.question}
          format={question.definition?.format}
          className="max-w-[64ch] text-[0.9375rem] leading-5.5 break-words whitespace-pre-wrap"
        />
        <KeyedOptions {...question} />
      </div>
      <span className="-mt-1.5 flex flex-none flex-wrap justify-end gap-0.5 max-sm:flex-col">
        <IconButton
          label={`Rescore question ${number}`}
          tooltip="Rescore"
          unavailable={why}
          onClick={onRescore}
        >
          <Scale />
        </IconButton>
        <IconButton
          label={`Open question ${number} in editor`}
          tooltip="Open in editor"
          unavailable={why}
          onClick={onOpen}
        >
          <Maximize2 />
        </IconButton>
        <IconButton
          data-edit=""
          label={`Edit question ${number}`}
          tooltip="Edit"
          unavailable={why}
          onClick={onEdit}
        >
          <Pencil />
        </IconButton>
        <IconButton
          label={`Delete question ${number}`}
          tooltip="Delete"
          unavailable={why}
          onClick={onDelete}
        >
          <Trash2 />
        </IconButton>
      </span>
    </div>
  );
}
