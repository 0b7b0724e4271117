import type { Question } from '@invigil/core/contract/assessments/question-list';
import { numberText, optionLetter } from '@invigil/core/domain/locale';
import { orderOptions, seededRandom } from '@invigil/core/domain/questions/draw';
import { questionFileName, questionFileOf } from '@invigil/core/domain/questions/question-csv';
import {
  isInRows,
  isSeveralChoice,
  type QuestionDefinition,
} from '@invigil/core/domain/questions/question-definition';
import { orderFor } from '@invigil/core/domain/questions/question-versions';
import { acceptedText } from '@invigil/core/domain/questions/types/question-types';
import { t } from '@invigil/core/texts/i18n';
import { pointsText } from '../../lib/format.ts';
import { isRightOption } from '../../lib/question-labels.ts';
import { saveFile } from '../../net/file-download.ts';
import { selectionHint } from '../../question-view/answer-options.tsx';
import { preloadContent } from '../../question-view/content/load-content.ts';
import { Content } from '../../question-view/content.tsx';
import { QuestionText } from '../../question-view/question-head.tsx';
import { toast } from '../../ui/toast.ts';
import { KeyRows } from './key-rows.tsx';
import { OnPaper } from './on-paper.tsx';

/** Downloads the plain ones as a CSV file that the import accepts, and says how many are not in it. */
export function saveQuestions(title: string, questions: readonly Question[]): void {
  // CSV has no place for the points, the formatting or the several right options of the others.
  const plain = questions.filter(({ definition }) => definition === undefined);
  const left = questions.length - plain.length;
  if (plain.length > 0) {
    const file = new Blob([questionFileOf(plain)], { type: 'text/csv;charset=utf-8' });
    saveFile(file, questionFileName(title));
  }
  if (left === 0) return;
  const isNone = plain.length === 0;
  toast({
    title: isNone
      ? t('parts.paper.nothingExported', 'Nothing was exported')
      : t(
          'parts.paper.leftOut',
          '{count, plural, one {{left} of # question left out of the file} other {{left} of # questions left out of the file}}',
          { left: numberText(left), count: questions.length },
        ),
    description: isNone
      ? t(
          /* Export is a button, Questions a page */ 'parts.paper.nothingInCsv',
          'CSV holds only plain questions with one correct answer. For these, use Export on the Questions page, with QTI or Moodle XML.',
        )
      : t(
          /* Export is a button, Questions a page */ 'parts.paper.notAllInCsv',
          'CSV holds only plain questions with one correct answer. For all, use Export on the Questions page, with QTI or Moodle XML.',
        ),
    ...(isNone ? { variant: 'destructive' } : {}),
  });
}

export function QuestionsOnPaper({
  title,
  questions,
  withKey,
  onPrinted,
}: {
  title: string;
  questions: readonly Question[];
  withKey: boolean;
  onPrinted(): void;
}) {
  return (
    // Content that cannot be loaded is printed as its source.
    <OnPaper load={() => preloadContent(textsOf(questions))} onPrinted={onPrinted}>
      <h1>{title}</h1>
      {withKey ? (
        <p className="mt-1">
          {t(
            /* below the title of printed questions */ 'parts.paper.withKey',
            'With answer key. Not for candidates.',
          )}
        </p>
      ) : (
        <p className="mt-4 flex gap-8">
          <span className="flex-1 border-b border-black pb-1">
            {t(/* on paper: a line for the name of the candidate */ 'portal.name', 'Name')}
          </span>
          <span className="w-48 border-b border-black pb-1">
            {t(/* on paper: a line for the date */ 'parts.paper.date', 'Date')}
          </span>
        </p>
      )}
      <ol className="mt-6 grid gap-6">
        {questions.map((question, index) => (
          <li key={question.id} className="flex break-inside-avoid gap-3">
            <span className="w-8 flex-none text-end font-semibold">{index + 1}.</span>
            <div className="min-w-0 flex-1">
              <QuestionText
                text={question.question}
                format={question.definition?.format}
                className="wrap-anywhere whitespace-pre-wrap"
              />
              {question.definition && <Instructions definition={question.definition} />}
              {question.definition && isInRows(question.type) && (
                <RowsOnPaper id={question.id} definition={question.definition} withKey={withKey} />
              )}
              <ol className="mt-2 grid gap-1.5">
                {(isInRows(question.type) ? [] : question.options).map((option, place) => {
                  const isKey = withKey && isRightOption(question, option);
                  return (
                    <li key={option} className={`flex gap-2.5 ${isKey ? 'font-semibold' : ''}`}>
                      <span
                        className={`grid size-5.5 flex-none place-items-center ${isSeveralChoice(question.type) ? 'rounded-sm' : 'rounded-full'} border text-xs ${isKey ? 'border-[3px] border-black' : 'border-black'}`}
                      >
                        {optionLetter(place)}
                      </span>
                      <span dir="auto" className="min-w-0 wrap-anywhere whitespace-pre-wrap">
                        <Content text={option} format={question.definition?.format} inline />
                        {isKey &&
                          ` ${t(/* behind an answer */ 'parts.paper.correct', '(correct)')}`}
                      </span>
                    </li>
                  );
                })}
              </ol>
              {question.definition && question.options.length === 0 && (
                <TypedLine definition={question.definition} withKey={withKey} />
              )}
            </div>
          </li>
        ))}
      </ol>
    </OnPaper>
  );
}

/** Formatted texts, whose figures and formulas must be there before printing. */
function textsOf(questions: readonly Question[]) {
  return questions.flatMap(({ question, options, definition }) =>
    [question, ...options].map((text) => ({ text, format: definition?.format })),
  );
}

function Instructions({ definition }: { definition: QuestionDefinition }) {
  const { type, points, options, minSelections = 1, maxSelections = options.length } = definition;
  const hint = isSeveralChoice(type)
    ? [selectionHint(minSelections, maxSelections, options.length)]
    : type === 'matching'
      ? [t('parts.paper.matching', 'Write the letter of an answer at each item')]
      : type === 'ordering'
        ? [t(/* number: a verb */ 'parts.paper.ordering', 'Number the items in the right order')]
        : [];
  return <p className="mt-1 text-sm">{[pointsText(points), ...hint].join(' · ')}</p>;
}

/** Items with a line each for a letter or a place; answers and items to order are mixed, as on any paper. */
function RowsOnPaper({
  id,
  definition,
  withKey,
}: {
  id: string;
  definition: QuestionDefinition;
  withKey: boolean;
}) {
  const { type, format, options } = definition;
  if (withKey) {
    return (
      <ul className="mt-2 grid gap-1.5 font-semibold">
        <KeyRows definition={definition} />
      </ul>
    );
  }
  const places = options.map((_, i) => i);
  const order = orderFor(places, { type, options });
  const mixed = orderOptions({ optionIds: places, ...order }, seededRandom(id));
  const textsOf = (isItem: boolean) =>
    (isItem && type === 'matching' ? places : mixed)
      .map((place) => options[place])
      .filter(
        (one) => one !== undefined && (type === 'ordering' || (one.match !== undefined) === isItem),
      )
      .map((one) => one?.text ?? '');
  const text = (one: string) => (
    <span dir="auto" className="min-w-0 wrap-anywhere whitespace-pre-wrap">
      <Content text={one} format={format} inline />
    </span>
  );
  return (
    <div className="mt-2 grid gap-4">
      <ul className="grid gap-2">
        {textsOf(true).map((item) => (
          <li key={item} className="flex items-end gap-3">
            <span className="w-10 flex-none border-b border-black" />
            {text(item)}
          </li>
        ))}
      </ul>
      {type === 'matching' && (
        <ol className="grid gap-1.5">
          {textsOf(false).map((answer, i) => (
            <li key={answer} className="flex gap-2.5">
              <span className="w-6 flex-none font-semibold">{optionLetter(i)}</span>
              {text(answer)}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function TypedLine({ definition, withKey }: { definition: QuestionDefinition; withKey: boolean }) {
  return withKey ? (
    <p className="mt-2 font-semibold wrap-anywhere">
      {t(/* answers that count as right */ 'parts.paper.accepted', 'Accepted: {answers}', {
        answers: acceptedText(definition).join('; '),
      })}
    </p>
  ) : (
    <p className="mt-8 w-80 max-w-full border-b border-black" />
  );
}
