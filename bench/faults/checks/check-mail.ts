import type { Counterexample } from './counterexample.ts';
import type { FinalState } from './final-state.ts';

/**
 * Every message is delivered, or failed permanently and is shown to the administrator. It is repeated
 * only where the mail server dropped the connection after accepting it, or where our server was
 * interrupted while sending; and then with the same code and Message-ID.
 *
 * @param cuts how often the latter may have happened in total
 */
export function findMailFaults(state: FinalState, cuts: number): Counterexample[] {
  return state.messages.flatMap((message): Counterexample[] => {
    const { recipient, taken, state: outboxState, messageId, refused, lastError } = message;
    const stored = `${recipient}: ${outboxState}, ${taken.length} accepted, ${refused} permanent failures, Message-ID ${messageId}`;
    const wrong = (what: string): Counterexample[] => [{ what, entries: [], stored }];
    if (taken.some((one) => one.messageId !== messageId)) return wrong('another Message-ID');
    if (new Set(taken.map(({ code }) => code)).size > 1) return wrong('another code');
    const answered = taken.filter((one) => one.answered).length;
    if (answered > cuts + 1) return wrong('a message was repeated without cause');
    if (refused > 0) {
      const isTold = outboxState === 'failed' && (lastError ?? '') !== '';
      if (!isTold) return wrong('a permanent failure is not shown');
      // An interrupted server of ours did not receive the refusal.
      return refused > cuts + 1 ? wrong('a message that failed permanently was retried') : [];
    }
    if (taken.length === 0) return wrong('a message never arrived');
    return outboxState === 'sent' ? [] : wrong('a delivered message is not recorded as sent');
  });
}

/** Every sent message is in the outbox: it is sent after the commit that created it. */
export function findStrays(state: FinalState): Counterexample[] {
  return state.strays.map(({ recipient, messageId }) => ({
    what: 'a message was sent for an uncommitted invitation',
    entries: [],
    stored: `${recipient} has ${messageId}, which the outbox does not know`,
  }));
}
