import { t } from '@invigil/core/texts/i18n';
import { Coffee, Pause } from 'lucide-react';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { clockText, wholeMinutes } from '../../lib/format.ts';
import { sentenceOf } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { currentAttempt, useAttempt } from '../current-attempt.ts';
import { Panel } from '../halted.tsx';
import { focusHeading } from '../navigation.ts';
import { BarMenu } from './bar-menu.tsx';

/** Covers the questions while the clock stands still: a pause with the invigilator's words, or a break. */
export default function PausedPanel({
  reason,
  isOpen,
}: {
  reason: string | null;
  isOpen: boolean;
}) {
  const { run, problem } = useBreak(false);
  const left = useLeft();
  const isBreak = reason === null;
  useEffect(
    () => () => {
      // The question is announced, unless another panel covers it and has the focus.
      requestAnimationFrame(() => document.activeElement === document.body && focusHeading());
    },
    [],
  );
  return (
    <Panel
      icon={isBreak ? <Coffee /> : <Pause />}
      title={
        isBreak
          ? t('paused.break.title', 'You are on a break')
          : t(/* by an invigilator */ 'paused.title', 'Your time is stopped')
      }
      {...(isBreak
        ? {
            action: t(/* a button: ends a break */ 'paused.break.end', 'Continue now'),
            onAction: run,
          }
        : {})}
    >
      <title>{`${isBreak ? t('paused.break.title', 'You are on a break') : t('paused.title', 'Your time is stopped')} · Invigil`}</title>
      {!isBreak && (
        <p dir="auto" className="text-ink">
          {reason}
        </p>
      )}
      {!isOpen && (
        <p className="text-ink tabular-nums" role="timer">
          {t(/* {time}: 04:05 */ 'paused.goesOn', 'Your time goes on by itself in {time}.', {
            time: left,
          })}
        </p>
      )}
      <p>
        {t(
          'paused.covered',
          'The questions are covered and nothing is monitored or counted until then. Your answers are kept.',
        )}
      </p>
      {isOpen && (
        <p>
          {t(
            'paused.open',
            'You may leave the room and close the lid. Keep this page open: it goes on by itself when the pause is over.',
          )}
        </p>
      )}
      {problem !== null && (
        <p role="alert" className="text-bad-ink">
          {problem}
        </p>
      )}
    </Panel>
  );
}

/** How many breaks are left, and the button that begins one: in the bar behind a button, else in a list. */
export function BreakButton({ inBar }: { inBar: boolean }) {
  const { participant } = useAttempt();
  const { run, problem } = useBreak(true);
  if (!participant?.breaks) return null;
  const { left, leftMs } = participant.breaks;
  const label = t(/* a button: what a candidate may do */ 'paused.break.take', 'Take a break');
  const panel = (
    <div className="grid gap-3 text-start">
      <p className="text-sm text-ink-2">
        {t(
          /* {minutes}: of all breaks together */
          'paused.break.left',
          '{left, plural, one {# break left} other {# breaks left}}, {minutes, plural, one {# minute in all} other {# minutes in all}}. During a break your time is stopped and the questions are covered.',
          { left, minutes: wholeMinutes(leftMs / 1_000) },
        )}
      </p>
      <Button icon={<Coffee />} full onClick={run}>
        {label}
      </Button>
      {problem !== null && (
        <p role="alert" className="text-sm text-bad-ink">
          {problem}
        </p>
      )}
    </div>
  );
  if (!inBar) return panel;
  return (
    <BarMenu
      label={label}
      button={
        <>
          <Coffee />
          <span className="max-xl:sr-only">{label}</span>
        </>
      }
    >
      {panel}
    </BarMenu>
  );
}

/** A press that begins a break or ends it, and why the last one did not. */
function useBreak(onBreak: boolean) {
  const [problem, setProblem] = useState<string | null>(null);
  const run = () => {
    setProblem(null);
    currentAttempt.takeBreak(onBreak).catch((cause) => setProblem(sentenceOf(cause)));
  };
  return { run, problem };
}

/** The time until the clock goes on by itself, as it is shown. */
function useLeft(): string {
  const subscribe = useCallback((listener: () => void) => {
    const timer = setInterval(listener, 250);
    return () => clearInterval(timer);
  }, []);
  return useSyncExternalStore(subscribe, () =>
    clockText(Math.ceil(currentAttempt.pausedLeftMs() / 1_000) * 1_000),
  );
}
