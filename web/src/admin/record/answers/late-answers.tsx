import type { ParticipantRecord } from '@invigil/core/contract/review/participant-record';
import { useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { LoadFailure } from '../../failures.tsx';
import { useLateAnswers } from '../record-api.ts';
import { Moment, Texts } from '../record-texts.tsx';
import { givenTexts, type RecordQuestion } from './answer-filter.ts';

/** Changes received after the end: stored separately, never scored. Hidden if there are none. */
export function LateAnswers({ record }: { record: ParticipantRecord }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { lateAnswerCount: count } = record;
  if (count === 0) return null;
  return (
    <Card title="Late answers">
      <div className="grid justify-items-start gap-3 px-5 py-4">
        <p className="text-ink-2">
          {`${count} change${count === 1 ? '' : 's'} arrived after the end, kept but not scored.`}
        </p>
        <Button size="dense" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
          {open ? 'Hide late answers' : 'Show late answers'}
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
  if (late.isPending) return <p role="status">Loading late answers...</p>;
  if (late.isError) {
    return <LoadFailure title="Failed to load late answers" read={late} />;
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
            <span>{`Question ${questions.get(answer.questionId)?.position ?? '–'}`}</span>
            <Moment at={answer.receivedAt} />
          </span>
          <span className="break-words">
            {answer.selectedOption === '' ? (
              'Cleared'
            ) : (
              <LateAnswer
                question={questions.get(answer.questionId)}
                answer={answer.selectedOption}
              />
            )}
            {answer.isFlagged && ', flagged'}
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
  if (question === undefined) return answer;
  return <Texts of={givenTexts(question, answer)} format={question.definition?.format} />;
}
