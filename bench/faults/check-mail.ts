import type { Counterexample } from './counterexample.ts';
import type { FinalState } from './final-state.ts';

/**
 * Everybody gets the message, or it was refused for good, and then the administrator is told. It comes
 * again only where the mail server dropped the line after taking it, or where a server of ours was
 * cut off while it handed one over; and then with the same code and Message-ID.
 *
 * @param cuts how often the latter may have happened in all
 */
export function findMailFaults(state: FinalState, cuts: number): Counterexample[] {
  return state.messages.flatMap((message): Counterexample[] => {
    const { recipient, taken, state: outboxState, messageId, refused, lastError } = message;
    const stored = `${recipient}: ${outboxState}, ${taken.length} taken, ${refused} times refused for good, Message-ID ${messageId}`;
    const wrong = (what: string): Counterexample[] => [{ what, entries: [], stored }];
    if (taken.some((one) => one.messageId !== messageId)) return wrong('another Message-ID');
    if (new Set(taken.map(({ code }) => code)).size > 1) return wrong('another code');
    const answered = taken.filter((one) => one.answered).length;
    if (answered > cuts + 1) return wrong('a message came again without cause');
    if (refused > 0) {
      const isTold = outboxState === 'failed' && (lastError ?? '') !== '';
      if (!isTold) return wrong('a message that was refused for good is not shown so');
      // A server of ours that was cut off has not heard the refusal.
      return refused > cuts + 1 ? wrong('a message that was refused for good was tried again') : [];
    }
    if (taken.length === 0) return wrong('a message never arrived');
    return outboxState === 'sent' ? [] : wrong('a message that arrived is not noted as sent');
  });
}

/** What was handed over is in the outbox: a message leaves after the commit that made it. */
export function findStrays(state: FinalState): Counterexample[] {
  return state.strays.map(({ recipient, messageId }) => ({
    what: 'a message left for an invitation that was never committed',
    entries: [],
    stored: `${recipient} has ${messageId}, which the outbox does not know`,
  }));
}
