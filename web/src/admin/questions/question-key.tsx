import type { Question } from '@invigil/core/contract/assessments/question-list';
import { figureText, optionLetter } from '@invigil/core/domain/locale';
import {
  isInRows,
  isSeveralChoice,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { acceptedText, isDraft, typeIn } from '@invigil/core/domain/questions/types/question-types';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { isRightOption } from '../../lib/question-labels.ts';
import { Content } from '../../question-view/content.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { KeyRows, KeyRowsLine } from '../parts/key-rows.tsx';

export function KeyedOptions({
  options,
  correctAnswer,
  definition,
}: Pick<Question, 'correctAnswer' | 'definition'> & { options: readonly string[] }) {
  if (definition && isInRows(definition.type)) {
    return (
      <ul className="mt-2.5 grid gap-1">
        <KeyRows definition={definition} />
      </ul>
    );
  }
  if (definition && options.length === 0) {
    return (
      <p className="mt-2.5 wrap-anywhere">
        {t(
          /* numbers or words that are right */ 'questionKey.acceptedAnswers',
          'Accepted: {answers}',
          {
            answers: isolated(acceptedText(definition).join('; ')),
          },
        )}
      </p>
    );
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
              isSeveral={isSeveralChoice(typeIn(definition))}
            />
            <span dir="auto" className="min-w-0 pt-0.5 wrap-anywhere whitespace-pre-wrap">
              <Content text={option} format={definition?.format} inline />
            </span>
            {isKey && (
              <VisuallyHidden>
                {t(/* read out after an option */ 'questionKey.isCorrect', ', correct answer')}
              </VisuallyHidden>
            )}
          </li>
        );
      })}
    </ol>
  );
}

export function QuestionKey({ definition }: { definition: QuestionDefinition }) {
  const { type, format, options } = definition;
  const right = options.flatMap((option, i) => (option.isCorrect ? [{ ...option, i }] : []));
  const accepted = isInRows(type) ? [] : acceptedText(definition);
  if (isDraft(definition)) {
    return (
      <p className="text-sm text-warn-ink">{t('questionKey.none', 'No correct answer yet')}</p>
    );
  }
  return (
    // No list: it is a line of an item, and a list of items has no others inside.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label={t(
        /* a part of the page with the correct answer */ 'portal.correctAnswer',
        'Correct answer',
      )}
      className="my-0.5 flex flex-wrap items-start gap-x-3 gap-y-1"
    >
      <span className="pt-0.5 text-sm text-ink-2">
        {right.length > 0 || isInRows(type)
          ? t(/* in front of the correct options */ 'questionKey.correct', 'Correct')
          : t(/* in front of the answers that are right */ 'questionKey.accepted', 'Accepted')}
      </span>
      {isInRows(type) && (
        <span className="line-clamp-2 min-w-0 pt-0.5 text-sm wrap-anywhere">
          <KeyRowsLine definition={definition} />
        </span>
      )}
      {right.map(({ text, weight, i }) => (
        <span key={text} className="flex max-w-full min-w-0 items-start gap-2">
          <LetterBubble index={i} isKey isSeveral={isSeveralChoice(type)} />
          <span className="line-clamp-2 min-w-0 pt-0.5 text-sm wrap-anywhere">
            <VisuallyHidden>{`${optionLetter(i)}: `}</VisuallyHidden>
            <bdi>
              <Content text={text} format={format} inline links="shown" />
            </bdi>
            {weight !== undefined && (
              <span className="text-ink-2">{` (${figureText(weight)}%)`}</span>
            )}
          </span>
        </span>
      ))}
      {accepted.length > 0 && (
        <bdi className="line-clamp-2 min-w-0 pt-0.5 text-sm wrap-anywhere">
          {accepted.join('; ')}
        </bdi>
      )}
    </div>
  );
}

export function LetterBubble({
  index,
  isKey,
  isSeveral,
}: {
  index: number;
  isKey: boolean;
  /** The question has several right options: a square. */
  isSeveral: boolean;
}) {
  return (
    <span
      aria-hidden="true"
      data-shape=""
      className={`mt-px grid size-5.5 flex-none place-items-center ${isSeveral ? 'rounded-sm' : 'rounded-full'} border-[1.25px] text-[0.6875rem] font-semibold ${isKey ? 'border-ok bg-ok text-on-ok' : 'border-line-strong text-ink-3'}`}
    >
      {optionLetter(index)}
    </span>
  );
}
