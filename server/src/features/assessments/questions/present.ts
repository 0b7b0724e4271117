import type { PaperQuestion, Question } from '@invigil/core/contract/assessments/question-list';
import type { PaperSection } from '@invigil/core/domain/questions/draw-by-rules';
import { itemsOf } from '@invigil/core/domain/questions/matching-options';
import { hasUnits, type QuestionDetails } from '@invigil/core/domain/questions/question-definition';
import { definitionOf } from '@invigil/core/domain/questions/question-versions';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import type { QuestionView } from '../../../db/queries/questions.ts';

/** Includes the key, so for administrators only. `definition` where it is more than a plain question. */
export function presentQuestion({ row, version }: QuestionView): Question {
  const definition = definitionOf(version);
  const correct = definition.options.filter((option) => option.isCorrect);
  return {
    id: row.id,
    quizId: row.quizId ?? '',
    type: definition.type,
    question: version.question,
    options: version.optionTexts,
    correctAnswer: correct.map((option) => option.text).join(', '),
    orderNumber: row.orderNumber,
    version: row.currentVersion,
    ...(version.details ? { definition } : {}),
  };
}

/** Details of a question beyond plain text that a candidate may know. */
export type ShownDetails = Pick<
  QuestionDetails,
  'type' | 'format' | 'points' | 'minSelections' | 'maxSelections'
> & {
  hasUnits: boolean;
  /** How many of the first texts are items to match with the others. */
  items: number;
};

/** Leaves out the key, which may be corrected and is for no candidate. */
export function shownOf(details: QuestionDetails): ShownDetails {
  const { type, format, points, minSelections, maxSelections } = details;
  const items = itemsOf(details.options).length;
  return { type, format, points, minSelections, maxSelections, hasUnits: hasUnits(details), items };
}

export interface DrawnQuestion {
  position: number;
  questionId: string;
  optionOrder: readonly number[];
  content: {
    question: string;
    textOf: ReadonlyMap<number, string>;
    details: ShownDetails | null;
  };
}

/**
 * A question as a candidate may see it (product 4.8), in the paper's order and without the key.
 *
 * @param attempt `maxPoints` null: its questions count, not points, also where a rescoring has since given
 *   points to a question that had none
 */
export function presentDrawn(
  quizId: string,
  { questionId, optionOrder, position, content }: DrawnQuestion,
  { sections, maxPoints }: { sections: readonly PaperSection[] | null; maxPoints: number | null },
): PaperQuestion {
  const { details } = content;
  const section = sections?.findLast(({ first }) => first <= position);
  const items = [...content.textOf.keys()].slice(0, details?.items ?? 0);
  const texts = (ids: readonly number[]) => ids.map((id) => content.textOf.get(id) ?? '');
  return {
    id: questionId,
    quizId,
    type: typeIn(details),
    question: content.question,
    options: texts(optionOrder.filter((id) => !items.includes(id))),
    orderNumber: position,
    ...(details ? presentShown(details) : {}),
    ...(items.length > 0 ? { items: texts(items) } : {}),
    // Points are on all questions or on none: a plain question has 1.
    ...(maxPoints === null ? {} : { points: details?.points ?? 1 }),
    ...(section ? { section: section.title } : {}),
  };
}

function presentShown({ format, minSelections, maxSelections, hasUnits }: ShownDetails) {
  return {
    ...(format === 'plain' ? {} : { format }),
    ...(minSelections === undefined ? {} : { minSelections }),
    ...(maxSelections === undefined ? {} : { maxSelections }),
    ...(hasUnits ? { hasUnits } : {}),
  };
}
