import type { EndedAttempt } from '@invigil/core/contract/attempts/ended-attempt';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { Clock } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { SyncSnapshot } from '../../answer-sync/answer-sync.ts';
import { formatTime } from '../../lib/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Trans } from '../../ui/trans.tsx';
import { CandidateBar } from '../candidate-bar.tsx';
import { keepWindowOpen, retakesLeftText } from './outcome-texts.ts';

export function OutcomePage({
  title,
  sign,
  tone,
  heading,
  lead,
  dense = false,
  children,
  countdown,
}: {
  /** The title of the window. */
  title: string;
  sign: ReactNode;
  tone: 'ok' | 'bad' | 'neutral' | 'accent';
  heading: string;
  lead: ReactNode;
  dense?: boolean;
  children?: ReactNode;
  countdown?: ReactNode;
}) {
  const id = useId();
  const title1 = useRef<HTMLHeadingElement>(null);
  // Focused so that screen readers announce it first, and again when it changes.
  useEffect(() => {
    if (heading !== '') title1.current?.focus();
  }, [heading]);
  const tones = {
    ok: 'bg-ok text-on-ok',
    accent: 'bg-accent-soft text-accent-ink border border-accent-line',
    bad: 'bg-bad-soft text-bad-ink border border-bad-line',
    neutral: 'bg-fill text-ink-2 border border-line-2',
  } as const;
  return (
    <>
      <title>{`${title} · Invigil`}</title>
      <CandidateBar />
      <main
        className={`mx-auto w-full max-w-140 px-5 py-8 md:px-6 md:pb-6 ${dense ? 'md:pt-8' : 'md:pt-12'}`}
      >
        <div className="grid justify-items-start gap-1">
          <span
            data-shape=""
            className={`${dense ? 'mb-2 size-12' : 'mb-3 size-13'} grid place-items-center rounded-full [&_svg]:size-6.5 ${tones[tone]}`}
          >
            {sign}
          </span>
          <h1
            ref={title1}
            tabIndex={-1}
            aria-describedby={id}
            className="text-[1.625rem]! leading-8! outline-none md:text-3xl! md:leading-9.5!"
          >
            {heading}
          </h1>
          <div id={id} className="grid gap-1 text-md text-ink-2">
            {lead}
          </div>
        </div>
        {countdown !== undefined && <div className={dense ? 'mt-5' : 'mt-6'}>{countdown}</div>}
        {children}
      </main>
    </>
  );
}

export function Facts({
  title,
  facts,
  dense = false,
  children,
}: {
  title?: string;
  dense?: boolean;
  facts: readonly (readonly [label: string, value: ReactNode, icon?: ReactNode])[];
  children?: ReactNode;
}) {
  return (
    <section
      {...(title === undefined ? {} : { 'aria-label': title })}
      className={`rounded-lg border border-line bg-surface px-5 md:px-6 ${dense ? 'mt-4 py-1.5' : 'mt-6 py-2'}`}
    >
      {title !== undefined && <h2 className="pt-2.5 pb-1">{title}</h2>}
      <dl className={dense ? '' : 'text-md'}>
        {facts.map(([label, value, icon], index) => (
          <div
            key={label}
            className={`flex justify-between gap-4 ${dense ? 'py-1.75' : 'py-2.5'} ${index > 0 ? 'border-t border-line' : ''}`}
          >
            <dt className="flex items-center gap-2.5 text-ink-2 [&_svg]:size-5 [&_svg]:text-ink-3">
              {icon}
              {label}
            </dt>
            <dd className="text-end font-medium">{value}</dd>
          </div>
        ))}
      </dl>
      {children}
    </section>
  );
}

/**
 * The most important facts after the end in one line: the receipt, when, and until when notes are accepted.
 */
export function EndLine({
  receiptId,
  ended,
  lateCount = 0,
}: {
  receiptId: string;
  ended: EndedAttempt | null;
  lateCount?: number;
}) {
  const notes = ended?.detected.length ? ended.notes : null;
  const known = notes !== null ? 'notes' : ended !== null ? 'time' : 'nothing';
  const time = ended === null ? '' : formatTime(ended.submittedAt);
  const until = notes === null ? '' : formatTime(notes.until);
  const receipt = <span className="code text-sm text-ink">{receiptId}</span>;
  return (
    <p>
      {lateCount > 0 ? (
        <Trans
          id="outcome.savedInTime"
          comment="Others arrived too late. receipt: its number. time, until: times of day"
          message="{known, select, notes {What arrived in time is saved, {time}: receipt {receipt}. You can add a note until {until}.} time {What arrived in time is saved, {time}: receipt {receipt}} other {What arrived in time is saved: receipt {receipt}}}"
          values={{ known, time, receipt, until }}
        />
      ) : (
        <Trans
          id="outcome.saved"
          comment="receipt: its number. time, until: times of day"
          message="{known, select, notes {Your answers are saved, {time}: receipt {receipt}. You can add a note until {until}.} time {Your answers are saved, {time}: receipt {receipt}} other {Your answers are saved: receipt {receipt}}}"
          values={{ known, time, receipt, until }}
        />
      )}
    </p>
  );
}

/** How often the assessment can be taken again, where a rule allows it. */
export function RetakesLeft({ ended }: { ended: EndedAttempt | null }) {
  if (!ended?.retakes) return null;
  return <p className="text-ink">{retakesLeftText(ended.retakes, ended.timeZone)}</p>;
}

/** The sentence of an administrator with the end. */
export function EndMessage({ ended }: { ended: EndedAttempt | null }) {
  if (ended?.message === undefined) return null;
  return (
    <p className="break-words whitespace-pre-line text-ink">
      {t('outcome.administratorWrote', 'The administrator wrote: “{message}”', {
        message: isolated(ended.message),
      })}
    </p>
  );
}

export function LateChanges({ count: changes }: { count: number }) {
  if (changes === 0) return null;
  return (
    <div className="mt-6">
      <Notice
        tone="warn"
        role="status"
        icon={<Clock />}
        title={t(
          /* changes of answers */ 'outcome.late',
          '{changes, plural, one {# change arrived after the end.} other {# changes arrived after the end.}}',
          { changes },
        )}
      >
        {t(
          'outcome.lateNotCounted',
          '{changes, plural, one {It is not counted, but the administrator can see it.} other {They are not counted, but the administrator can see them.}}',
          { changes },
        )}
      </Notice>
    </div>
  );
}

export function StillSending({
  tries,
  sync,
}: {
  tries: number;
  sync: Pick<SyncSnapshot, 'state' | 'durable'>;
}) {
  return (
    <div className="mt-6">
      <Notice
        tone="accent"
        role="status"
        icon={<Spinner />}
        title={t('outcome.sending', 'Still sending your answers.')}
      >
        {keepWindowOpen()}
        {tries > 0 &&
          ` ${t('outcome.interrupted', 'The connection is interrupted.')} ${knownText(sync)}`}
      </Notice>
    </div>
  );
}

/** States what has been saved; whether the rest counts is known after the response. */
function knownText({ state, durable }: Pick<SyncSnapshot, 'state' | 'durable'>): string {
  if (state.kind === 'saved') {
    return t(
      'outcome.sending.allSaved',
      'Every answer you gave is saved on the server. Your submission is sent automatically when you are back online.',
    );
  }
  const changes = 'waiting' in state ? state.waiting : null;
  if (changes === null) {
    return durable
      ? t(
          'outcome.sending.someKept',
          'Some changes have not reached the server yet. They are kept on this device and sent automatically when you are back online. This page will show whether they arrived in time.',
        )
      : t(
          'outcome.sending.someNotKept',
          'Some changes have not reached the server yet. This browser cannot keep unsent changes, so do not close or reload this page. This page will show whether they arrived in time.',
        );
  }
  return durable
    ? t(
        'outcome.sending.kept',
        '{changes, plural, one {# change has not reached the server yet. It is kept on this device and sent automatically when you are back online. This page will show whether it arrived in time.} other {# changes have not reached the server yet. They are kept on this device and sent automatically when you are back online. This page will show whether they arrived in time.}}',
        { changes },
      )
    : t(
        'outcome.sending.notKept',
        '{changes, plural, one {# change has not reached the server yet. This browser cannot keep unsent changes, so do not close or reload this page. This page will show whether it arrived in time.} other {# changes have not reached the server yet. This browser cannot keep unsent changes, so do not close or reload this page. This page will show whether they arrived in time.}}',
        { changes },
      );
}
