import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import {
  ANSWER_KINDS,
  isInRows,
  isSingleChoice,
} from '@invigil/core/domain/questions/question-definition';
import { lazy, Suspense } from 'react';
import { needTexts } from '../lib/language.ts';
import { type AnswerFieldProps, AnswerOptions } from './answer-options.tsx';
import { checkNumbersWith } from './answer-value.ts';

// Their texts are with those of the other screens: most tests have plain questions only.
const fetchRicher = async () => {
  const [richer] = await Promise.all([import('./richer-answers.tsx'), needTexts('candidate')]);
  checkNumbersWith(richer.numberToCheck);
  return richer;
};
const RicherAnswer = lazy(fetchRicher);

const fetchRows = async () => {
  const fetched = import('./row-answers.tsx');
  await Promise.all([fetched, needTexts('candidate')]);
  return fetched;
};
const RowAnswer = lazy(fetchRows);
/** The rows of the plain test; fetched with the paper, too. */
export const PlainRows = lazy(async () => ({ default: (await fetchRows()).PlainRows }));

export function AnswerField(props: AnswerFieldProps) {
  const { question, value, readOnly, dense, onSelect } = props;
  const kind = ANSWER_KINDS[question.type];
  if (kind === 'one') {
    return (
      <AnswerOptions
        question={question}
        selected={value}
        {...(readOnly === undefined ? {} : { readOnly })}
        {...(dense === undefined ? {} : { dense })}
        onSelect={onSelect}
      />
    );
  }
  return (
    <Suspense fallback={null}>
      {kind === 'matches' || kind === 'order' ? (
        <RowAnswer key={question.id} {...props} />
      ) : (
        <RicherAnswer key={question.id} {...props} kind={kind} />
      )}
    </Suspense>
  );
}

/** Fetches what the paper's types need, so that a cut network never hides a question. */
export async function fetchAnswerFields(paper: readonly PaperQuestion[]): Promise<void> {
  const types = paper.map(({ type }) => type);
  await Promise.all([
    types.some((type) => !isSingleChoice(type) && !isInRows(type)) && fetchRicher(),
    types.some(isInRows) && fetchRows(),
  ]);
}
