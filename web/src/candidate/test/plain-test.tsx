import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import {
  hasOptions,
  isInRows,
  isSingleChoice,
} from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { Suspense, useEffect, useState } from 'react';
import { clockText } from '../../lib/format.ts';
import { storedAuthKey } from '../../lib/person/stored-auth.ts';
import { attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { PlainRows } from '../../question-view/answer-field.tsx';
import { selectedOptions, withOption } from '../../question-view/answer-value.ts';
import { Button } from '../../ui/button.tsx';
import { Region } from '../../ui/region.tsx';
import { currentAttempt, useAttempt, useSecondsLeft } from '../current-attempt.ts';
import { pageOf } from '../navigation.ts';
import { showsCamera } from '../notices/camera-overlay.tsx';

/**
 * The test without anything that could fail: shown when a part of the page cannot be. Every question as
 * plain text with the browser's own fields, which save as always, and the submit.
 */
export function PlainTest({ retry }: { retry: () => void }) {
  const { paper, participant, phase } = useAttempt();
  const isOver = phase.kind === 'ended';
  useEffect(() => {
    if (isOver) attemptMonitor.stop();
  }, [isOver]);
  if (phase.kind !== 'running' && phase.kind !== 'submitting') {
    return (
      <Page>
        <h1>
          {isOver
            ? t('plainTest.ended', 'Your assessment has ended')
            : t('page.failed', 'This page could not be shown')}
        </h1>
        {isOver && <p>{t('plainTest.receipt', 'Receipt: {id}', { id: phase.receipt.id })}</p>}
        <p>{t('plainTest.safe', 'What was saved is safe. Load the page again to continue.')}</p>
        <Button
          variant="primary"
          size="candidate"
          onClick={() => window.location.assign(pageOf(phase) ?? '/quiz/assessment')}
        >
          {t(/* a button that loads the page again */ 'plainTest.continue', 'Continue')}
        </Button>
      </Page>
    );
  }
  return (
    <Page>
      <h1>
        {storedAuthKey.read()?.quiz?.title ??
          t(/* where its title is not known */ 'plainTest.title', 'Your assessment')}
      </h1>
      <PlainTime />
      <div role="alert" className="grid gap-2 rounded-lg bg-warn-soft px-4 py-3 text-warn-ink">
        <p>
          {t(
            'plainTest.why',
            'Part of this page could not be shown. Here are your questions in a plain list: your answers are saved as before.',
          )}
        </p>
        {participant !== null && showsCamera(participant.policy) && (
          <p>
            {t(
              /* no violation is counted */
              'plainTest.camera',
              'Your camera is still on. Nothing is counted while warnings cannot be shown.',
            )}
          </p>
        )}
        <Button size="dense" className="justify-self-start" onClick={retry}>
          {t('region.retry', 'Try again')}
        </Button>
      </div>
      <ol className="grid gap-6">
        {paper.map((question, index) => (
          <li key={question.id}>
            <Region
              name={`Question ${index + 1}`}
              fallback={t('region.question', 'Question {number} could not be shown', {
                number: index + 1,
              })}
            >
              <PlainQuestion question={question} number={index + 1} />
            </Region>
          </li>
        ))}
      </ol>
      <PlainSubmit isSending={phase.kind === 'submitting'} />
    </Page>
  );
}

function Page({ children }: { children: React.ReactNode }) {
  return <main className="mx-auto grid w-full max-w-160 gap-5 px-4 py-8">{children}</main>;
}

/** The time left, and nothing else. */
export function PlainTime() {
  const seconds = useSecondsLeft();
  return seconds === null ? null : (
    <p role="timer">
      {t(/* {time}: 12:30 */ 'plainTest.time', 'Time left: {time}', {
        time: clockText(seconds * 1_000),
      })}
    </p>
  );
}

function PlainQuestion({ question, number }: { question: PaperQuestion; number: number }) {
  const { sync } = useAttempt();
  const { id, type, options } = question;
  const value = sync.values.get(id)?.answer ?? '';
  const selected = isSingleChoice(type) ? [value] : selectedOptions(question, value);
  return (
    <fieldset className="grid">
      <legend dir="auto" className="mb-2 font-medium break-words whitespace-pre-wrap">
        {`${number}. ${question.question}`}
      </legend>
      {isInRows(type) && (
        <Suspense fallback={null}>
          <PlainRows
            question={question}
            value={value}
            onSelect={(answer) => currentAttempt.answers?.change(id, { answer })}
          />
        </Suspense>
      )}
      {(isInRows(type) ? [] : options).map((option) => (
        <label key={option} className="flex min-h-11 items-center gap-3">
          <input
            type={isSingleChoice(type) ? 'radio' : 'checkbox'}
            name={id}
            checked={selected.includes(option)}
            onChange={() =>
              currentAttempt.answers?.change(id, {
                answer: withOption(question, value, option),
              })
            }
          />
          <span dir="auto" className="break-words whitespace-pre-wrap">
            {option}
          </span>
        </label>
      ))}
      {!hasOptions(type) && !isInRows(type) && (
        <input
          type="text"
          aria-label={t('plainTest.answer', 'Your answer')}
          value={value}
          onChange={({ currentTarget }) => currentAttempt.answers?.type(id, currentTarget.value)}
          onBlur={() => currentAttempt.answers?.settle()}
          className="h-11 w-full rounded-md border border-line-strong bg-surface px-3"
        />
      )}
    </fieldset>
  );
}

/** Asks once more, because nothing can be changed afterwards. */
export function PlainSubmit({ isSending }: { isSending: boolean }) {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking && !isSending) {
    return (
      <Button size="candidate" onClick={() => setAsking(true)}>
        {t('test.submit', 'Submit Assessment')}
      </Button>
    );
  }
  return (
    <div className="grid gap-3">
      <p>{t('plainTest.ask', 'Submit your assessment? Nothing can be changed afterwards.')}</p>
      <Button
        variant="primary"
        size="candidate"
        busy={isSending && t('test.submitting', 'Submitting...')}
        onClick={() => currentAttempt.submit({ emoji: 'neutral', skipped: true })}
      >
        {t(/* a button: ends the assessment */ 'plainTest.submit', 'Submit now')}
      </Button>
      <Button size="candidate" disabled={isSending} onClick={() => setAsking(false)}>
        {t(/* a button: does not submit yet */ 'plainTest.stay', 'Keep working')}
      </Button>
    </div>
  );
}
