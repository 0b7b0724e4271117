import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import { acceptedWords } from '../../../lib/question-words.ts';
import { Content } from '../../../question-view/content.tsx';
import { optionLetter } from '../../../question-view/question-state.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx';
import { LetterBubble } from '../../questions/letter-bubble.tsx';

/** What is right in a question of a file: the letter and text of each right option, or what is accepted. */
export function ItemKey({ definition }: { definition: QuestionDefinition }) {
  const { type, format, options } = definition;
  const right = options.flatMap((option, i) => (option.isCorrect ? [{ ...option, i }] : []));
  const accepted = acceptedWords(definition);
  if (right.length + accepted.length === 0) {
    return <p className="text-sm text-warn-ink">No correct answer yet</p>;
  }
  return (
    // No list: it is a line of an item, and a list of items has no others inside.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Correct answer"
      className="my-0.5 flex flex-wrap items-start gap-x-3 gap-y-1"
    >
      <span className="pt-0.5 text-sm text-ink-2">{right.length > 0 ? 'Correct' : 'Accepted'}</span>
      {right.map(({ text, weight, i }) => (
        <span key={text} className="flex max-w-full min-w-0 items-start gap-2">
          <LetterBubble index={i} isKey isSeveral={type === 'multiple_response'} />
          <span className="line-clamp-2 min-w-0 pt-0.5 text-sm wrap-anywhere">
            <VisuallyHidden>{`${optionLetter(i)}: `}</VisuallyHidden>
            <Content text={text} format={format} inline links="shown" />
            {weight !== undefined && <span className="text-ink-2">{` (${weight}%)`}</span>}
          </span>
        </span>
      ))}
      {accepted.length > 0 && (
        <span className="line-clamp-2 min-w-0 pt-0.5 text-sm wrap-anywhere">
          {accepted.join('; ')}
        </span>
      )}
    </div>
  );
}
