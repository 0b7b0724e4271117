import type { Action, Reply, Result } from '../checks/history.ts';
import type { SingleReply } from '../checks/notes.ts';
import type { Answer } from './own-line.ts';

/** Status, error code and Retry-After of a response. */
export function singleReplyOf(answer: Answer | { status: null; why: string }): SingleReply {
  if (answer.status === null) return { status: null, code: answer.why, retryAfter: null };
  const { status, body, retryAfter } = answer;
  return { status, code: body?.code ?? '', retryAfter };
}

/** The outcome of an action, for the history. */
export function resultOf(action: Action, answer: Answer | { status: null; why: string }): Result {
  if (answer.status === null) {
    return { type: 'unknown', status: null, why: answer.why, retryAfter: null };
  }
  const { status, body, text, retryAfter } = answer;
  if (status >= 500) return { type: 'unknown', status, why: text, retryAfter };
  if (status >= 300) return { type: 'fail', status, why: text };
  return { type: 'ok', status, reply: replyOf(action, body, text) };
}

// biome-ignore lint/suspicious/noExplicitAny: foreign data under test
function replyOf({ kind }: Action, body: any, text: string): Reply {
  if (kind === 'start') return { attempt: body.id, status: body.status };
  if (kind === 'submit') return { status: body.participant.status, text };
  if (kind === 'report') return { status: body.status, counted: body.counted };
  if (kind === 'save') return { status: body.status, stale: (body.stale ?? []).length > 0 };
  return kind === 'heartbeat' ? { status: body.status } : {};
}
