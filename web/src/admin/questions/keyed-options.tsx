import type { Question } from '@invigil/core/contract/assessments/question-list';
import { acceptedWords, isRightOption } from '../../lib/question-words.ts';
import { Content } from '../../question-view/content.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { LetterBubble } from './letter-bubble.tsx';

/** Lettered options; correct ones have a filled bubble, bolder text and a label for screen readers. */
export function KeyedOptions({
  options,
  correctAnswer,
  definition,
}: Pick<Question, 'correctAnswer' | 'definition'> & { options: readonly string[] }) {
  if (definition && options.length === 0) {
    return <p className="mt-2.5 break-words">Accepted: {acceptedWords(definition).join('; ')}</p>;
  }
  return (
    <ol className="mt-2.5 grid gap-x-6 gap-y-1 sm:grid-cols-2">
      {options.map((option, index) => {
        const isKey = isRightOption({ correctAnswer, definition }, option);
        return (
          <li
            key={option}
            className={`flex min-h-6.5 items-start gap-2.5 ${isKey ? 'font-medium text-ink' : 'text-ink-2'}`}
          >
            <LetterBubble
              index={index}
              isKey={isKey}
              isSeveral={definition?.type === 'multiple_response'}
            />
            <span className="min-w-0 pt-0.5 break-words whitespace-pre-wrap">
              <Content text={option} format={definition?.format} inline />
            </span>
            {isKey && <VisuallyHidden>, correct answer</VisuallyHidden>}
          </li>
        );
      })}
    </ol>
  );
}
