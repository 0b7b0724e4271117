import type { AnsweredQuestion } from '@invigil/core/contract/assessments/answered-question';
import type { CandidateResult } from '@invigil/core/contract/review/releases';
import { figureText, listText, percentText } from '@invigil/core/domain/locale';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Award, CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../lib/format.ts';
import { zoneText } from '../lib/moment-text.ts';
import { Glyph } from '../ui/badges/glyphs.tsx';
import { PercentChart } from '../ui/bar-chart.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { Trans } from '../ui/trans.tsx';
import { directionOf, directionOfOption } from './answer-options.tsx';
import { AnswerRows, verdictText } from './answer-rows.tsx';
import { Content } from './content.tsx';

type Question = AnsweredQuestion;

/** A result as its candidate sees it: on their page, and in an administrator's preview. */
export function ResultView({ result }: { result: CandidateResult }) {
  const { sections, statistics, questions } = result;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Summary result={result} />
      {result.isChanging && (
        <Notice
          tone="neutral"
          title={t('result.checkedAgain', 'This result is being checked again')}
        >
          {t(
            'result.releasedEarlier',
            'What you see was released earlier. You get an email if it changes.',
          )}
        </Notice>
      )}
      {result.waiting !== undefined && <Waiting {...result.waiting} />}
      {result.certificate !== undefined && <CertificateCard {...result.certificate} />}
      {sections !== undefined && (
        <Card title={t(/* of the assessment */ 'result.sections', 'Sections')}>
          <ul className="px-5 py-2 text-md">
            {sections.map(({ title, points, maxPoints }) => (
              <li
                key={title}
                className="flex justify-between gap-4 border-t border-line py-2.5 first:border-t-0"
              >
                <span className="min-w-0 wrap-anywhere">{title}</span>
                <span className="flex-none font-medium tabular-nums">
                  {pointsOf(points, maxPoints)}
                </span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {statistics !== undefined && <Everyone statistics={statistics} own={result.score?.percent} />}
      {questions !== undefined && (
        <section aria-labelledby="answers" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <h2 id="answers">{t('result.yourAnswers', 'Your answers')}</h2>
          {questions.map((question) => (
            <QuestionResult key={question.number} question={question} />
          ))}
        </section>
      )}
    </div>
  );
}

const pointsOf = (points: number, maxPoints: number): string =>
  t(/* points that were reached, and the most there are */ 'result.pointsOf', '{points} of {max}', {
    points: figureText(points),
    max: figureText(maxPoints),
  });

const PARTS: Record<NonNullable<CandidateResult['waiting']>['parts'][number], () => string> = {
  answers: () =>
    t(
      /* of the candidate; a part of the result, in a list */ 'result.part.answers',
      'your answers',
    ),
  key: () => t(/* a part of the result, in a list */ 'result.part.key', 'right answers'),
  explanations: () =>
    t(/* a part of the result, in a list */ 'result.part.explanations', 'explanations'),
};

/** Says which parts of the result come later, and when. */
function Waiting({ parts, until }: NonNullable<CandidateResult['waiting']>) {
  const later = t(
    /* a list of parts of the result; its first letter becomes a capital */ 'result.comeLater',
    '{parts} come later',
    { parts: listText(parts.map((part) => PARTS[part]())) },
  );
  return (
    <Notice tone="neutral" title={`${later.charAt(0).toUpperCase()}${later.slice(1)}`}>
      {until === null
        ? t(
            /* them: the parts that come later */ 'result.onceNoOne',
            'You find them here once no one can take the assessment any more.',
          )
        : t(
            /* them: the parts that come later; a date and time */ 'result.onceAfter',
            'You find them here after {time}, once no one is taking the assessment any more.',
            { time: `${formatDateTime(until)}${zoneText(until)}` },
          )}
    </Notice>
  );
}

const BECAUSE: Partial<
  Record<NonNullable<CandidateResult['outcome']>['because'] & string, () => string>
> = {
  section: () => t('result.because.section', 'The points of one section are below its minimum.'),
  dismissed: () => t('result.because.dismissed', 'Your assessment was ended under its rules.'),
  breach: () => t('result.because.breach', 'A reviewer found a breach of the rules.'),
};

function Summary({ result }: { result: CandidateResult }) {
  const { outcome, grade, score } = result;
  const passed = outcome?.result === 'passed';
  const because = outcome?.because && BECAUSE[outcome.because]?.();
  return (
    <Card className="grid gap-4 px-5 py-5 md:px-6">
      {outcome?.result != null && (
        <div className="flex items-center gap-3">
          <span
            className={`[&_svg]:size-8 ${passed ? 'text-ok-ink' : 'text-bad-ink'}`}
            aria-hidden="true"
          >
            {passed ? <CircleCheck /> : <CircleX />}
          </span>
          <div>
            <p className="text-2xl font-semibold">
              {passed
                ? t(/* the outcome; said of the candidate */ 'result.passed', 'Passed')
                : t(/* the outcome; said of the candidate */ 'result.notPassed', 'Not passed')}
            </p>
            {because !== undefined && <p className="text-ink-2">{because}</p>}
          </div>
        </div>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,45%),1fr))] gap-4 tabular-nums">
        {grade !== undefined && <Fact label={t('result.grade', 'Grade')}>{grade}</Fact>}
        {score !== undefined && (
          <>
            <Fact label={t('result.points', 'Points')}>
              {pointsOf(score.points, score.maxPoints)}
            </Fact>
            {score.percent !== null && (
              <Fact label={t('result.percent', 'Percent')}>{percentText(score.percent)}</Fact>
            )}
          </>
        )}
        <Fact label={t(/* before the time of the submit */ 'result.submitted', 'Submitted')}>
          {formatDateTime(result.submittedAt)}
        </Fact>
        <Fact
          label={t(
            /* before the time when the result was released */ 'result.released',
            'Released',
          )}
        >
          {formatDateTime(result.releasedAt)}
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-3">{label}</dt>
      <dd className="text-lg font-medium">{children}</dd>
    </div>
  );
}

function CertificateCard({ number }: NonNullable<CandidateResult['certificate']>) {
  return (
    <Card className="flex flex-wrap items-center gap-x-4 gap-y-3 px-5 py-4">
      <Award aria-hidden="true" className="size-7 flex-none text-accent-ink" strokeWidth={1.5} />
      <div className="min-w-0 flex-1 basis-56">
        <h2>{t('result.certificate', 'Your certificate')}</h2>
        <p className="text-ink-2">
          {number === null ? (
            t(
              /* it: the certificate */ 'result.certificate.check',
              'With a number and a code, by which anyone can check it.',
            )
          ) : (
            <Trans
              id="result.certificate.number"
              comment="it: the certificate"
              message="Number {number}. Anyone can check it, also when this page is closed."
              values={{ number: <span className="code whitespace-nowrap">{number}</span> }}
            />
          )}
        </p>
      </div>
      {number !== null && (
        <a
          href={`/verify#${number}`}
          target="_blank"
          rel="noreferrer"
          className={`${buttonClasses('primary', 'candidate')} print:hidden`}
        >
          {t('result.certificate.open', 'Open certificate')}
        </a>
      )}
    </Card>
  );
}

function Everyone({
  statistics: { people, meanPercent, distribution },
  own,
}: {
  statistics: NonNullable<CandidateResult['statistics']>;
  own: number | null | undefined;
}) {
  return (
    <Card title={t('result.everyone', 'Everyone’s results')}>
      <p className="px-5 pt-4 text-ink-2">
        {meanPercent === null
          ? t(
              /* how many took the assessment */ 'result.everyone.people',
              '{people, plural, one {# person.} other {# people.}}',
              { people },
            )
          : t(
              /* how many took the assessment; {mean}: a percentage */ 'result.everyone.mean',
              '{people, plural, one {# person, {mean} on average.} other {# people, {mean} on average.}}',
              { people, mean: percentText(meanPercent) },
            )}
        {own != null &&
          ` ${t(/* yours: the candidate’s own percentage */ 'result.everyone.yours', 'Yours is in the colored bar.')}`}
      </p>
      <PercentChart
        caption={t('result.everyone', 'Everyone’s results')}
        countHead={t(/* head of a column of counts */ 'result.everyone.head', 'People')}
        distribution={distribution}
        own={own ?? undefined}
      />
    </Card>
  );
}

/** A plain text keeps its lines and spaces, as on the paper. */
const wraps = (format?: Question['format']) =>
  format === 'markdown' ? 'wrap-anywhere' : 'wrap-anywhere whitespace-pre-wrap';

const CORRECTIONS: Record<NonNullable<Question['correction']>, () => string> = {
  full_points: () =>
    t('result.correction.fullPoints', 'Everyone gets the points of this question.'),
  left_out: () => t('result.correction.leftOut', 'This question does not count.'),
  also_right: () => t('result.correction.alsoRight', 'More than one answer is accepted here.'),
};

/** With a comma: the answers may be numbers and have one themselves. */
const either = (one: string, other: string): string =>
  t(/* two right answers, each of them enough */ 'result.either', '{one}, or {other}', {
    one,
    other,
  });

/** '2 of 3 points' */
export const pointsOfText = (points: number, maxPoints: number): string =>
  t(
    /* points that were reached, and the most there are */ 'result.question.pointsOf',
    '{count, plural, one {{points} of {max} point} other {{points} of {max} points}}',
    { points: figureText(points), max: figureText(maxPoints), count: maxPoints },
  );

export function QuestionResult({ question }: { question: Question }) {
  const { number, format, isCorrect, correction } = question;
  return (
    <article
      aria-label={t('question.number', 'Question {number}', { number })}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface px-5 py-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 break-after-avoid">
        <h3>{t('question.number', 'Question {number}', { number })}</h3>
        <p className="text-sm text-ink-2 tabular-nums">
          {correction !== 'left_out' &&
            (question.points !== undefined && question.maxPoints !== undefined
              ? pointsOfText(question.points, question.maxPoints)
              : isCorrect !== undefined && verdictText(isCorrect))}
        </p>
      </div>
      <div dir="auto" className={`text-md ${wraps(format)}`}>
        <Content text={question.question} format={format} />
      </div>
      <AnswerResult question={question} />
    </article>
  );
}

/** An answer beside what is shown of the key, with its explanation. */
export function AnswerResult({ question }: { question: Question }) {
  const { format, options, rows, typed, accepted, correction, explanation } = question;
  const isBlank =
    rows?.every(({ given }) => given === '') ??
    (options.length > 0 ? !options.some((o) => o.isSelected) : typed === '');
  return (
    <>
      {options.length > 0 && (
        <ul dir={directionOf(question)} className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          {options.map((option, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options may have equal texts
            <OptionResult key={i} question={question} option={option} />
          ))}
        </ul>
      )}
      {rows !== undefined && (
        <AnswerRows rows={rows} isOrder={question.isOrder === true} format={format} />
      )}
      {typed !== undefined && typed !== '' && (
        <p>
          <Trans
            id="result.yourAnswer"
            message="<label>Your answer:</label> {answer}"
            values={{
              answer: (
                <b dir="auto" className={`font-semibold ${wraps()}`}>
                  {typed}
                </b>
              ),
            }}
            components={{ label: <span className="text-ink-2" /> }}
          />
        </p>
      )}
      {isBlank && (
        <p className="text-ink-2">{t('result.leftBlank', 'You left this question blank.')}</p>
      )}
      {accepted !== undefined && accepted.length > 0 && (
        <p>
          <Trans
            id="result.accepted"
            comment="the right answers to a question"
            message="<label>Right:</label> {answers}"
            values={{ answers: accepted.map((one) => isolated(one)).reduce(either) }}
            components={{ label: <span className="text-ink-2" /> }}
          />
        </p>
      )}
      {correction !== undefined && <p className="text-ink-2">{CORRECTIONS[correction]()}</p>}
      {explanation !== undefined && (
        <div className="rounded-md bg-sunken px-4 py-3">
          <p className="text-sm font-medium text-ink-2">{t('result.explanation', 'Explanation')}</p>
          <div dir="auto" className={wraps(format)}>
            <Content text={explanation} format={format} />
          </div>
        </div>
      )}
    </>
  );
}

function OptionResult({
  question,
  option: { text, isSelected, isCorrect, feedback },
}: {
  question: Question;
  option: Question['options'][number];
}) {
  const { format } = question;
  const isWrong = isSelected && isCorrect === false;
  const look = isCorrect
    ? 'border-ok-line bg-ok-soft'
    : isWrong
      ? 'border-bad-line bg-bad-soft'
      : isSelected
        ? 'border-accent-line bg-accent-soft'
        : 'border-line';
  const words = [
    isSelected
      ? t(/* beside an option that the candidate selected */ 'result.selected', 'Your answer')
      : '',
    isCorrect || isWrong ? verdictText(!isWrong) : '',
  ];
  return (
    <li
      className={`flex flex-wrap items-start gap-x-3 rounded-md border px-3 py-2 break-inside-avoid ${look}`}
    >
      <Glyph
        name={isCorrect ? 'ticked' : isWrong ? 'cross' : isSelected ? 'dot' : 'ring'}
        className="mt-1.5 flex-none"
      />
      {/* The verdict gets a line of its own where there is little room beside the text. */}
      <div className={`min-w-0 flex-1 basis-36 ${wraps(format)}`}>
        <div dir={directionOfOption(question, text)}>
          <Content text={text} format={format} inline />
        </div>
        {feedback !== undefined && (
          <div dir="auto" className="mt-1 text-ink-2">
            <Content text={feedback} format={format} />
          </div>
        )}
      </div>
      <span className="ms-auto flex-none text-sm font-medium">
        {words.filter(Boolean).join(' · ')}
      </span>
    </li>
  );
}
