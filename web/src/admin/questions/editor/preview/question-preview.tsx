import {
  hasOptions,
  isDraft,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { useDeferredValue, useState } from 'react';
import { pointsWords } from '../../../../lib/format.ts';
import { AnswerField } from '../../../../question-view/answer-field.tsx';
import { Content } from '../../../../question-view/content.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/card.tsx';
import { earnedWords, paperQuestionOf, scoreAnswer } from './trial.ts';

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
            {paper.points === undefined ? 'Question' : pointsWords(paper.points)}
          </p>
          {shown.question === '' ? (
            <p className="mt-1 text-md text-ink-3">The question is shown here.</p>
          ) : format === 'markdown' ? (
            <div dir="auto" className="mt-1 text-[1.0625rem] leading-[1.6]">
              <Content text={shown.question} format={format} links="shown" />
            </div>
          ) : (
            <p dir="auto" className="mt-1 text-lg leading-normal break-words whitespace-pre-wrap">
              {shown.question}
            </p>
          )}
        </div>
        {hasOptions(type) && paper.options.length === 0 ? (
          <p className="text-md text-ink-3">The options are shown here.</p>
        ) : (
          <div>
            <AnswerField
              // What was answered is no answer to another type.
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
            <p className="text-sm text-ink-3">Shown with the key in records</p>
            <div dir="auto" className="break-words whitespace-pre-wrap">
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
        ? `Correct: ${earnedWords(score)}`
        : score.points > 0
          ? `Partly correct: ${earnedWords(score)}`
          : `Wrong: ${earnedWords(score)}`;
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
