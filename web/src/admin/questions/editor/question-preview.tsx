import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { figureText } from '@invigil/core/domain/locale';
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
import { t } from '@invigil/core/texts/i18n';
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
    <Card
      title={t(/* noun: the question as candidates see it */ 'editor.preview', 'Preview')}
      aside={
        <span className="text-sm text-ink-3">
          {t(/* said of the question */ 'editor.preview.hint', 'As candidates see it')}
        </span>
      }
    >
      <div className="grid gap-4 p-5">
        <div>
          <p className="text-sm text-ink-2">
            {paper.points === undefined
              ? t(/* above its text, where it has no points */ 'portal.question', 'Question')
              : pointsText(paper.points)}
          </p>
          {shown.question === '' ? (
            <p className="mt-1 text-md text-ink-3">
              {t('editor.preview.noQuestion', 'The question is shown here.')}
            </p>
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
          <p className="text-md text-ink-3">
            {t('editor.preview.noOptions', 'The options are shown here.')}
          </p>
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
            <h3>{t(/* of the correct answer */ 'portal.explanation', 'Explanation')}</h3>
            <p className="text-sm text-ink-3">
              {t(
                /* said of the explanation; the key is the correct answer */ 'editor.explanation.hint',
                'Shown with the key in records and in released results, and never during an attempt.',
              )}
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
        ? t('editor.trial.noKey', 'Nothing is scored yet: mark the correct answer first.')
        : t(
            /* how many points an answer earns */ 'editor.trial.none',
            'Try it: answer to see what it earns.',
          )
      : score.isCorrect
        ? t(
            'editor.trial.correct',
            '{count, plural, one {Correct: {points} of {max} point} other {Correct: {points} of {max} points}}',
            earned(score),
          )
        : score.points > 0
          ? t(
              'editor.trial.partly',
              '{count, plural, one {Partly correct: {points} of {max} point} other {Partly correct: {points} of {max} points}}',
              earned(score),
            )
          : t(
              'editor.trial.wrong',
              '{count, plural, one {Wrong: {points} of {max} point} other {Wrong: {points} of {max} points}}',
              earned(score),
            );
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
          {t(/* a button: removes the answer that was tried */ 'editor.trial.clear', 'Clear')}
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

/** The points of an answer as texts name them. */
function earned({ points, maxPoints }: QuestionScore) {
  const count = pointsOf(maxPoints);
  return { count, points: figureText(pointsOf(points)), max: figureText(count) };
}

export function ruleSentence({ type, rule }: QuestionDefinition): string {
  switch (rule) {
    case 'all_or_nothing':
      if (type === 'matching')
        return t(
          'editor.rule.allItems',
          'All points if every item has its right answer, otherwise none.',
        );
      if (type === 'ordering')
        return t('editor.rule.wholeOrder', 'All points for the whole right order, otherwise none.');
      return isSeveralChoice(type)
        ? t('editor.rule.allOptions', 'All points for exactly the right options, otherwise none.')
        : t('editor.rule.rightAnswer', 'All points for a right answer, otherwise none.');
    case 'right_minus_wrong':
      return t(
        'editor.rule.rightMinusWrong',
        'Each right option earns its share of the points; each wrong one takes a share away. Never below 0.',
      );
    case 'per_option':
      if (type === 'matching') {
        return t(
          'editor.rule.perPair',
          'Each item counts the same: it earns its share with the right answer. Wrong and open ones earn nothing.',
        );
      }
      if (type === 'ordering') {
        return t(
          'editor.rule.perPlace',
          'Each item counts the same: it earns its share at its right place. Wrong places earn nothing.',
        );
      }
      return t(
        'editor.rule.perOption',
        'Each option counts the same: selected if it is right, left out if it is wrong.',
      );
    case 'weights':
      return t(
        'editor.rule.weights',
        'Each option or accepted answer earns its percentage of the points. Never below 0.',
      );
  }
}

/** A worked example of a rule with the question's own numbers; `null` as long as there is no key. */
export function workedExample(definition: QuestionDefinition): string | null {
  if (isDraft(definition) || !Number.isFinite(definition.points)) return null;
  const [first = '', ...others] = TYPES[definition.type]
    .examples(definition)
    .flatMap(({ name, answer }) => {
      const score = scoreAnswer(definition, answer);
      if (score === null) return [];
      return t(
        /* {name} is an answer: “2 of 3 right”; then what it earns */ 'editor.example.earns',
        '{count, plural, one {{name}: {points} of {max} point} other {{name}: {points} of {max} points}}',
        { name, ...earned(score) },
      );
    });
  return others.reduce(
    (before, next) =>
      t(/* two examples, which are no sentences */ 'editor.example.both', '{before}. {next}', {
        before,
        next,
      }),
    first,
  );
}
