import { type Counterexample, smallestFirst } from './counterexample.ts';
import type { FinalState } from './final-state.ts';
import { type Entry, operationsOf } from './history.ts';
import type { Alarms, ClockNote, DiskNote, SingleReply } from './notes.ts';

/** Once there is space again: the supervisor waits half a minute at most. */
const DISK_HEALS_WITHIN_MS = 60_000;

/** While a clock is wrong no attempt ends, no save is refused, and alarms are raised. */
export function findClockFaults(
  history: readonly Entry[],
  state: FinalState,
  notes: readonly ClockNote[],
): Counterexample[] {
  const found = notes.flatMap((note): Counterexample[] => {
    const { whose, from, to, seenMs, alarms } = note;
    const stored = `the clock of ${whose} was ${Math.round(seenMs / 60_000)} minutes off for ${Math.round(to - from)} ms`;
    const wrong = (what: string, entries: Entry[] = []): Counterexample => ({
      what,
      entries,
      stored,
    });
    const ended = state.attempts
      .filter(({ endedAt }) => endedAt.some((at) => at > from && at < to))
      .map(({ id }) => wrong(`attempt ${id} ended while the clock was wrong`));
    const refused = operationsOf(history, 'save').flatMap(({ invoke, outcome }) =>
      outcome?.type === 'fail' && outcome.at > from && outcome.at < to
        ? [wrong('a save was refused while the clock was wrong', [invoke, outcome])]
        : [],
    );
    const saves = savesWithin(history, from, to);
    const idle = saves === 0 ? [wrong('there was no save while the clock was wrong')] : [];
    return [...ended, ...refused, ...idle, ...silent(alarms, wrong)];
  });
  return smallestFirst(found);
}

/** New attempts are refused first, running ones continue, and it recovers on its own. */
export function findDiskFaults(
  history: readonly Entry[],
  notes: readonly DiskNote[],
): Counterexample[] {
  const found = notes.flatMap((note): Counterexample[] => {
    const { lowAt, fullAt, freedAt, wellAt, whileLow, resumed, afterwards } = note;
    const { evidence, report, alarms } = note;
    const stored = `low for ${Math.round(fullAt - lowAt)} ms, full for ${Math.round(freedAt - fullAt)} ms, recovered after ${Math.round(wellAt - freedAt)} ms`;
    const wrong = (what: string): Counterexample => ({ what, entries: [], stored });
    const replyText = (reply: SingleReply) => ` (${reply.status} ${reply.code})`;
    const problems: Counterexample[] = [];
    const refused = whileLow.status === 503 && whileLow.code === 'DISK_LOW';
    if (!refused || !(Number(whileLow.retryAfter) > 0)) {
      problems.push(
        wrong(`a new attempt was not refused while the disk was low${replyText(whileLow)}`),
      );
    }
    if (resumed.status !== 200) problems.push(wrong(`resuming failed${replyText(resumed)}`));
    if (evidence.status !== 503)
      problems.push(wrong(`evidence was accepted${replyText(evidence)}`));
    if (report.status !== 201) problems.push(wrong(`a violation was refused${replyText(report)}`));
    if (savesWithin(history, lowAt, fullAt) === 0) {
      problems.push(wrong('there was no save while the disk was low'));
    }
    if (wellAt - freedAt > DISK_HEALS_WITHIN_MS) problems.push(wrong('it recovered too late'));
    if (afterwards.status !== 201) {
      problems.push(wrong(`starting failed afterwards${replyText(afterwards)}`));
    }
    return [...problems, ...silent(alarms, wrong)];
  });
  return smallestFirst(found);
}

function silent(
  { log, metrics, over }: Alarms,
  wrong: (what: string) => Counterexample,
): Counterexample[] {
  return [
    ...(log ? [] : [wrong('no alarm in the log')]),
    ...(metrics ? [] : [wrong('no alarm in the metrics')]),
    ...(over ? [] : [wrong('the alarm did not end')]),
  ];
}

function savesWithin(history: readonly Entry[], from: number, to: number): number {
  return operationsOf(history, 'save').filter(
    ({ outcome }) => outcome?.type === 'ok' && outcome.at > from && outcome.at < to,
  ).length;
}
