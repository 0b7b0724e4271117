import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { orderOptions, seededRandom } from '@invigil/core/domain/questions/draw';
import { type GivenAnswer, listOf, selectionOf } from '@invigil/core/domain/questions/given-answer';
import { itemsOf } from '@invigil/core/domain/questions/matching-options';
import {
  ANSWER_KINDS,
  hasUnits,
  isInRows,
  isSeveralChoice,
  type QuestionDefinition,
  type QuestionType,
} from '@invigil/core/domain/questions/question-definition';
import { orderFor, versionOf } from '@invigil/core/domain/questions/question-versions';
import { pointsOf, type QuestionScore, scorePaper } from '@invigil/core/domain/questions/scoring';
import { isDraft, TYPES } from '@invigil/core/domain/questions/types/question-types';
import { useDeferredValue, useState } from 'react';
import { pointsText } from '../../../lib/format.ts';
import { AnswerField } from '../../../question-view/answer-field.tsx';
import { selectedOptions } from '../../../question-view/answer-value.ts';
import { Content } from '../../../question-view/content.tsx';
import { rowsOf } from '../../../question-view/row-values.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/page.tsx';
import { hasOptionRows } from './state/question-values.ts';

/** The question as candidates will see it. It can be answered, and is scored as in an attempt. */
export function QuestionPreview({ definition }: { definition: QuestionDefinition }) {
  const shown = useDeferredValue(definition);
  const [answer, setAnswer] = useState('');
  const paper = paperQuestionOf(shown);
  const { type, format, explanation } = shown;
  return (
    <Card title="Preview" aside={<span className="text-sm text-ink-3">As candidates see it</span>}>
      <div className="grid gap-4 p-5">
        <div>
          <p className="text-sm text-ink-2">
            {paper.points === undefined ? 'Question' : pointsText(paper.points)}
          </p>
          {shown.question === '' ? (
            <p className="mt-1 text-md text-ink-3">The question is shown here.</p>
          ) : format === 'markdown' ? (
            <div dir="auto" className="mt-1 text-[1.0625rem] leading-[1.6]">
              <Content text={shown.question} format={format} links="shown" />
            </div>
          ) : (
            <p dir="auto" className="mt-1 text-lg leading-normal wrap-anywhere whitespace-pre-wrap">
              {shown.question}
            </p>
          )}
        </div>
        {hasOptionRows(type) && paper.options.length === 0 ? (
          <p className="text-md text-ink-3">The options are shown here.</p>
        ) : (
          <div>
            <AnswerField
              // The answer to one type is no answer to another.
              key={type}
              question={paper}
              value={answer}
              dense
              onSelect={setAnswer}
              onType={setAnswer}
              onSettle={() => undefined}
            />
          </div>
        )}
        <Trial definition={shown} answer={answer} onClear={() => setAnswer('')} />
        {explanation !== undefined && explanation.trim() !== '' && (
          <div className="grid gap-1 border-t border-line pt-4">
            <h3>Explanation</h3>
            <p className="text-sm text-ink-3">
              Shown with the key in records and in released results, and never during an attempt.
            </p>
            <div dir="auto" className="wrap-anywhere whitespace-pre-wrap">
              <Content text={explanation} format={format} />
            </div>
          </div>
        )}
      </div>
    </Card>
  );
}

function Trial({
  definition,
  answer,
  onClear,
}: {
  definition: QuestionDefinition;
  answer: string;
  onClear(): void;
}) {
  const score = scoreAnswer(definition, answer);
  const sentence =
    score === null
      ? answer !== '' && isDraft(definition)
        ? 'Nothing is scored yet: mark the correct answer first.'
        : 'Try it: answer to see what it earns.'
      : score.isCorrect
        ? `Correct: ${earnedText(score)}`
        : score.points > 0
          ? `Partly correct: ${earnedText(score)}`
          : `Wrong: ${earnedText(score)}`;
  const tone =
    score === null
      ? 'bg-sunken text-ink-2'
      : score.isCorrect
        ? 'bg-ok-soft text-ok-ink'
        : 'bg-warn-soft text-warn-ink';
  return (
    <div
      className={`flex min-h-11 items-center justify-between gap-3 rounded-lg px-3.5 py-1.5 ${tone}`}
    >
      <p role="status" className={score === null ? '' : 'font-medium'}>
        {sentence}
      </p>
      {answer !== '' && (
        <Button variant="ghost" size="dense" onClick={onClear}>
          Clear
        </Button>
      )}
    </div>
  );
}

const ID = 'trial';

/**
 * A definition as a candidate's paper has it, its options in the author's order unless that is the key, which no
 * paper has.
 */
export function paperQuestionOf(definition: QuestionDefinition): PaperQuestion {
  const { type, format, question, options, points, minSelections, maxSelections } = definition;
  const places = options.map((_, i) => i);
  const order = orderFor(places, { type, options });
  const shown = order.isMixed
    ? orderOptions({ optionIds: places, ...order }, seededRandom(ID)).flatMap(
        (place) => options[place] ?? [],
      )
    : options;
  const texts = shown
    .filter(({ match }) => match === undefined)
    .map(({ text }) => text)
    .filter((text) => text !== '');
  return {
    id: ID,
    quizId: ID,
    type,
    format,
    question,
    // Equal ones are one: on a paper there are none.
    options: [...new Set(texts)],
    ...(type === 'matching' ? { items: itemsOf(options).map(({ text }) => text) } : {}),
    orderNumber: 1,
    ...(Number.isFinite(points) ? { points } : {}),
    ...(minSelections === undefined ? {} : { minSelections }),
    ...(maxSelections === undefined ? {} : { maxSelections }),
    ...(hasUnits(definition) ? { hasUnits: true } : {}),
  };
}

/**
 * The points that an answer earns, by the rules that score attempts; `null` without a key or an answer.
 *
 * @param answer as it is on the wire (question-view/answer-value.ts)
 */
export function scoreAnswer(definition: QuestionDefinition, answer: string): QuestionScore | null {
  if (isDraft(definition) || answer === '') return null;
  const { content } = versionOf(definition);
  const idsOf = (texts: readonly string[]) =>
    texts.map((text) => content.optionIds[content.optionTexts.indexOf(text)] ?? 0);
  const asked = paperQuestionOf(definition);
  const selected = idsOf(
    isInRows(definition.type) ? rowsOf(asked, answer) : selectedOptions(asked, answer),
  );
  const given = givenBy(definition.type, answer, selected);
  const paper = [{ questionId: ID, ...content }];
  return scorePaper(paper, [{ questionId: ID, ...given }], null).questions[0] ?? null;
}

function givenBy(type: QuestionType, answer: string, selected: readonly number[]): GivenAnswer {
  switch (ANSWER_KINDS[type]) {
    case 'one':
      return { optionId: selected[0] ?? null, response: null };
    case 'several':
      return selectionOf(selected);
    case 'matches':
    case 'order':
      return listOf(selected);
    case 'number':
    case 'text':
      return { optionId: null, response: answer };
  }
}

function earnedText({ points, maxPoints }: QuestionScore): string {
  const most = pointsOf(maxPoints);
  return `${pointsOf(points)} of ${most} ${most === 1 ? 'point' : 'points'}`;
}

export function ruleSentence({ type, rule }: QuestionDefinition): string {
  switch (rule) {
    case 'all_or_nothing':
      if (type === 'matching')
        return 'All points if every item has its right answer, otherwise none.';
      if (type === 'ordering') return 'All points for the whole right order, otherwise none.';
      return isSeveralChoice(type)
        ? 'All points for exactly the right options, otherwise none.'
        : 'All points for a right answer, otherwise none.';
    case 'right_minus_wrong':
      return 'Each right option earns its share of the points; each wrong one takes a share away. Never below 0.';
    case 'per_option':
      if (type === 'matching') {
        return 'Each item counts the same: it earns its share with the right answer. Wrong and open ones earn nothing.';
      }
      if (type === 'ordering') {
        return 'Each item counts the same: it earns its share at its right place. Wrong places earn nothing.';
      }
      return 'Each option counts the same: selected if it is right, left out if it is wrong.';
    case 'weights':
      return 'Each option or accepted answer earns its percentage of the points. Never below 0.';
  }
}

/** A worked example of a rule with the question's own numbers; `null` as long as there is no key. */
export function workedExample(definition: QuestionDefinition): string | null {
  if (isDraft(definition) || !Number.isFinite(definition.points)) return null;
  return TYPES[definition.type]
    .examples(definition)
    .map(({ name, answer }) => {
      const score = scoreAnswer(definition, answer);
      return `${name}: ${score === null ? '' : earnedText(score)}`;
    })
    .join('. ');
}
