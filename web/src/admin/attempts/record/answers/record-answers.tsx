import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { listText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../../../ui/button.tsx';
import { Card } from '../../../../ui/page.tsx';
import { Trans } from '../../../../ui/trans.tsx';
import { useLateAnswers } from '../../../data/record.ts';
import { LoadFailure } from '../../../parts/failures.tsx';
import { Moment, Texts } from '../record-texts.tsx';
import {
  type AnswerFilter,
  type AnswerOutcome,
  answerFormat,
  answersUnder,
  givenTexts,
  OUTCOME_WORDS,
  outcomeOf,
  outcomeSentence,
  type RecordQuestion,
} from './answer-filter.ts';
import { RecordAnswer } from './record-answer.tsx';

const FILTERS: readonly { filter: AnswerFilter; label: () => string }[] = [
  { filter: 'all', label: () => t(/* answers; a button */ 'record.answers.all', 'All') },
  {
    filter: 'partial',
    label: () => t(/* answers; a button */ 'record.answers.partial', 'Partly correct'),
  },
  { filter: 'wrong', label: () => t(/* answers; a button */ 'record.answers.wrong', 'Wrong') },
  {
    filter: 'unanswered',
    label: () => t(/* questions; a button */ 'record.answers.unanswered', 'Unanswered'),
  },
  {
    filter: 'flagged',
    label: () => t(/* questions; a button */ 'record.answers.flagged', 'Flagged'),
  },
];
/** Questions shown initially; a paper may have a hundred. */
const FIRST = 10;

export function RecordAnswers({ questions }: { questions: readonly RecordQuestion[] }) {
  const [selected, setSelected] = useState<AnswerFilter>('all');
  const [whole, setWhole] = useState(false);
  const [target, setTarget] = useState<string | null>(null);
  const found = answersUnder(selected, questions);
  const shown = whole ? found : found.slice(0, FIRST);

  useEffect(() => {
    if (target === null) return;
    document.getElementById(`answer-${target}`)?.focus();
    setTarget(null);
  }, [target]);

  return (
    <Card
      title={t('portal.answers', 'Answers')}
      aside={<p className="text-sm text-ink-2 tabular-nums">{outcomeSentence(questions)}</p>}
    >
      <AnswerBubbles
        questions={questions}
        onGo={(questionId) => {
          setSelected('all');
          setWhole(true);
          setTarget(questionId);
        }}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form, these are views */}
      <div
        role="group"
        aria-label={t('record.answers.show', 'Show answers')}
        className="flex flex-wrap gap-1.5 border-b border-line px-5 py-3"
      >
        {FILTERS.filter(
          ({ filter }) => filter !== 'partial' || answersUnder(filter, questions).length > 0,
        ).map(({ filter, label }) => (
          <button
            key={filter}
            type="button"
            aria-pressed={filter === selected}
            onClick={() => setSelected(filter)}
            className="min-h-8 rounded-md border border-line-2 px-3 text-sm font-medium text-ink-2 tabular-nums transition-colors hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-ink touch:min-h-11"
          >
            {`${label()} (${answersUnder(filter, questions).length})`}
          </button>
        ))}
      </div>
      {shown.length === 0 ? (
        <p role="status" className="px-5 py-6 text-ink-2">
          {t('record.answers.none', 'No answers of this kind.')}
        </p>
      ) : (
        <ol aria-label={t('portal.answers', 'Answers')}>
          {shown.map((question) => (
            <RecordAnswer key={question.questionId} question={question} />
          ))}
        </ol>
      )}
      {shown.length < found.length && (
        <div className="border-t border-line px-5 py-3">
          <Button size="dense" onClick={() => setWhole(true)}>
            {t(
              'record.answers.showAll',
              '{count, plural, one {Show all # answers} other {Show all # answers}}',
              { count: found.length },
            )}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** A ring is unanswered, a filled circle correct, a square wrong, in between partly correct. */
const LOOKS: Record<AnswerOutcome, string> = {
  correct: 'rounded-full border-ok bg-ok-soft text-ok-ink',
  partial: 'rounded-[50%_4px_50%_50%] border-warn-edge bg-warn-soft text-warn-ink',
  wrong: 'rounded-sm border-bad bg-bad-soft text-bad-ink',
  unanswered: 'rounded-full border-line-2 text-ink-3',
  left_out: 'rounded-full border-dashed border-line-2 text-ink-3',
};

function AnswerBubbles({
  questions,
  onGo,
}: {
  questions: readonly RecordQuestion[];
  onGo(questionId: string): void;
}) {
  return (
    <ol
      aria-label={t('portal.questions', 'Questions')}
      className="flex flex-wrap gap-1.5 border-b border-line px-5 py-3.5 tabular-nums"
    >
      {questions.map((question) => {
        const outcome = outcomeOf(question);
        const label = [
          t('record.answers.question', 'Question {position}', { position: question.position }),
          OUTCOME_WORDS[outcome](),
          ...(question.isFlagged
            ? [t(/* of a question; in a row of words */ 'record.outcome.flagged', 'flagged')]
            : []),
        ];
        return (
          <li key={question.questionId}>
            <button
              type="button"
              data-shape=""
              aria-label={listText(label, 'unit')}
              onClick={() => onGo(question.questionId)}
              className={`grid size-7 place-items-center border-[1.5px] text-xs font-semibold touch:size-11 touch:text-sm ${LOOKS[outcome]}`}
            >
              {question.position}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

/** Changes received after the end: stored separately, never scored. Hidden if there are none. */
export function LateAnswers({ record }: { record: ParticipantRecord }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { lateAnswerCount: count } = record;
  if (count === 0) return null;
  return (
    <Card title={t('record.late.title', 'Late answers')}>
      <div className="grid justify-items-start gap-3 px-5 py-4">
        <p className="text-ink-2">
          {t(
            /* of answers */ 'record.late.about',
            '{count, plural, one {# change arrived after the end, kept but not scored.} other {# changes arrived after the end, kept but not scored.}}',
            { count },
          )}
        </p>
        <Button size="dense" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open
            ? t('record.late.hide', 'Hide late answers')
            : t('record.late.show', 'Show late answers')}
        </Button>
        <div id={id} className="w-full">
          {open && <LateAnswerList record={record} />}
        </div>
      </div>
    </Card>
  );
}

function LateAnswerList({ record }: { record: ParticipantRecord }) {
  const late = useLateAnswers(record.participant.id);
  if (late.isPending)
    return <p role="status">{t('record.late.loading', 'Loading late answers...')}</p>;
  if (late.isError) {
    return (
      <LoadFailure title={t('record.late.failed', 'Failed to load late answers')} read={late} />
    );
  }
  const questions = new Map(record.questions.map((q) => [q.questionId, q]));
  return (
    <ol className="grid gap-2 tabular-nums">
      {late.data.map((answer, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
          key={`${answer.questionId} ${index}`}
          className="rounded-md bg-sunken px-3 py-2"
        >
          <span className="flex flex-wrap justify-between gap-x-3 text-sm text-ink-2">
            <span>
              {t('record.answers.question', 'Question {position}', {
                position: questions.get(answer.questionId)?.position ?? '–',
              })}
            </span>
            <Moment at={answer.receivedAt} />
          </span>
          <span className="wrap-anywhere">
            {answer.isFlagged ? (
              <Trans
                id="record.late.flagged"
                comment="answer: a text of the question, which the candidate has flagged"
                message="{answer}, flagged"
                values={{
                  answer: (
                    <LateAnswer
                      question={questions.get(answer.questionId)}
                      answer={answer.selectedOption}
                    />
                  ),
                }}
              />
            ) : (
              <LateAnswer
                question={questions.get(answer.questionId)}
                answer={answer.selectedOption}
              />
            )}
          </span>
        </li>
      ))}
    </ol>
  );
}

function LateAnswer({
  question,
  answer,
}: {
  question: RecordQuestion | undefined;
  answer: string;
}) {
  if (answer === '')
    return t(/* in the place of an answer that was removed */ 'record.late.cleared', 'Cleared');
  if (question === undefined) return answer;
  return <Texts of={givenTexts(question, answer)} format={answerFormat(question)} />;
}
