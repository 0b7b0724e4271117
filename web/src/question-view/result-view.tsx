import type { CandidateResult } from '@invigil/core/contract/review/releases';
import { listText, numberText, percentText } from '@invigil/core/domain/locale';
import { Award, CircleCheck, CircleX } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDateTime } from '../lib/format.ts';
import { zoneText } from '../lib/moment-text.ts';
import { Glyph } from '../ui/badges/glyphs.tsx';
import { PercentChart } from '../ui/bar-chart.tsx';
import { buttonClasses } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Card } from '../ui/page.tsx';
import { AnswerRows } from './answer-rows.tsx';
import { Content } from './content.tsx';

type Question = NonNullable<CandidateResult['questions']>[number];

/** A result as its candidate sees it: on their page, and in an administrator's preview. */
export function ResultView({ result }: { result: CandidateResult }) {
  const { sections, statistics, questions } = result;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Summary result={result} />
      {result.isChanging && (
        <Notice tone="neutral" title="This result is being checked again">
          What you see was released earlier. You get an email if it changes.
        </Notice>
      )}
      {result.waiting !== undefined && <Waiting {...result.waiting} />}
      {result.certificate !== undefined && <CertificateCard {...result.certificate} />}
      {sections !== undefined && (
        <Card title="Sections">
          <ul className="px-5 py-2 text-md">
            {sections.map(({ title, points, maxPoints }) => (
              <li
                key={title}
                className="flex justify-between gap-4 border-t border-line py-2.5 first:border-t-0"
              >
                <span className="min-w-0 wrap-anywhere">{title}</span>
                <span className="flex-none font-medium tabular-nums">{`${points} of ${maxPoints}`}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
      {statistics !== undefined && <Everyone statistics={statistics} own={result.score?.percent} />}
      {questions !== undefined && (
        <section aria-labelledby="answers" className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <h2 id="answers">Your answers</h2>
          {questions.map((question) => (
            <QuestionResult key={question.number} question={question} />
          ))}
        </section>
      )}
    </div>
  );
}

const PARTS: Record<NonNullable<CandidateResult['waiting']>['parts'][number], string> = {
  answers: 'your answers',
  key: 'right answers',
  explanations: 'explanations',
};

/** Says which parts of the result come later, and when. */
function Waiting({ parts, until }: NonNullable<CandidateResult['waiting']>) {
  const what = listText(parts.map((part) => PARTS[part]));
  return (
    <Notice tone="neutral" title={`${what.charAt(0).toUpperCase()}${what.slice(1)} come later`}>
      {until === null
        ? 'You find them here once no one can take the assessment any more.'
        : `You find them here after ${formatDateTime(until)}${zoneText(until)}, once no one is taking the assessment any more.`}
    </Notice>
  );
}

const BECAUSE: Partial<
  Record<NonNullable<CandidateResult['outcome']>['because'] & string, string>
> = {
  section: 'The points of one section are below its minimum.',
  dismissed: 'Your assessment was ended under its rules.',
  breach: 'A reviewer found a breach of the rules.',
};

function Summary({ result }: { result: CandidateResult }) {
  const { outcome, grade, score } = result;
  const passed = outcome?.result === 'passed';
  const because = outcome?.because && BECAUSE[outcome.because];
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
            <p className="text-2xl font-semibold">{passed ? 'Passed' : 'Not passed'}</p>
            {because !== undefined && <p className="text-ink-2">{because}</p>}
          </div>
        </div>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(9rem,45%),1fr))] gap-4 tabular-nums">
        {grade !== undefined && <Fact label="Grade">{grade}</Fact>}
        {score !== undefined && (
          <>
            <Fact label="Points">{`${score.points} of ${score.maxPoints}`}</Fact>
            {score.percent !== null && <Fact label="Percent">{percentText(score.percent)}</Fact>}
          </>
        )}
        <Fact label="Submitted">{formatDateTime(result.submittedAt)}</Fact>
        <Fact label="Released">{formatDateTime(result.releasedAt)}</Fact>
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
        <h2>Your certificate</h2>
        <p className="text-ink-2">
          {number === null ? (
            'With a number and a code, by which anyone can check it.'
          ) : (
            <>
              {'Number '}
              <span className="code whitespace-nowrap">{number}</span>. Anyone can check it, also
              when this page is closed.
            </>
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
          Open certificate
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
    <Card title="Everyone’s results">
      <p className="px-5 pt-4 text-ink-2">
        {`${numberText(people)} people${meanPercent === null ? '' : `, ${percentText(meanPercent)} on average`}.`}
        {own != null && ' Yours is in the colored bar.'}
      </p>
      <PercentChart
        caption="Everyone’s results"
        countHead="People"
        distribution={distribution}
        own={own ?? undefined}
      />
    </Card>
  );
}

/** A plain text keeps its lines and spaces, as on the paper. */
const wraps = (format?: Question['format']) =>
  format === 'markdown' ? 'wrap-anywhere' : 'wrap-anywhere whitespace-pre-wrap';

const CORRECTIONS: Record<NonNullable<Question['correction']>, string> = {
  full_points: 'Everyone gets the points of this question.',
  left_out: 'This question does not count.',
  also_right: 'More than one answer is accepted here.',
};

function QuestionResult({ question }: { question: Question }) {
  const { number, format, options, rows, typed, accepted, isCorrect, correction, explanation } =
    question;
  const isBlank =
    rows?.every(({ given }) => given === '') ??
    (options.length > 0 ? !options.some((o) => o.isSelected) : typed === '');
  return (
    <article
      aria-label={`Question ${number}`}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface px-5 py-4"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 break-after-avoid">
        <h3>{`Question ${number}`}</h3>
        <p className="text-sm text-ink-2 tabular-nums">
          {correction !== 'left_out' &&
            (question.points !== undefined
              ? `${question.points} of ${question.maxPoints} points`
              : isCorrect !== undefined && (isCorrect ? 'Right' : 'Not right'))}
        </p>
      </div>
      <div className={`text-md ${wraps(format)}`}>
        <Content text={question.question} format={format} />
      </div>
      {options.length > 0 && (
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
          {options.map((option, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: options may have equal texts
            <OptionResult key={i} option={option} format={format} />
          ))}
        </ul>
      )}
      {rows !== undefined && (
        <AnswerRows rows={rows} isOrder={question.isOrder === true} format={format} />
      )}
      {typed !== undefined && typed !== '' && (
        <p>
          <span className="text-ink-2">Your answer: </span>
          <b className={`font-semibold ${wraps()}`}>{typed}</b>
        </p>
      )}
      {isBlank && <p className="text-ink-2">You left this question blank.</p>}
      {accepted !== undefined && accepted.length > 0 && (
        <p>
          <span className="text-ink-2">Right: </span>
          {accepted.join(', or ')}
        </p>
      )}
      {correction !== undefined && <p className="text-ink-2">{CORRECTIONS[correction]}</p>}
      {explanation !== undefined && (
        <div className="rounded-md bg-sunken px-4 py-3">
          <p className="text-sm font-medium text-ink-2">Explanation</p>
          <div className={wraps(format)}>
            <Content text={explanation} format={format} />
          </div>
        </div>
      )}
    </article>
  );
}

function OptionResult({
  option: { text, isSelected, isCorrect, feedback },
  format,
}: {
  option: Question['options'][number];
  format: Question['format'];
}) {
  const isWrong = isSelected && isCorrect === false;
  const look = isCorrect
    ? 'border-ok-line bg-ok-soft'
    : isWrong
      ? 'border-bad-line bg-bad-soft'
      : isSelected
        ? 'border-accent-line bg-accent-soft'
        : 'border-line';
  const words = [isSelected ? 'Your answer' : '', isCorrect ? 'Right' : isWrong ? 'Not right' : ''];
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
        <Content text={text} format={format} inline />
        {feedback !== undefined && (
          <div className="mt-1 text-ink-2">
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
