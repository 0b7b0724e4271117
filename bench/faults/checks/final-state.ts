import type { ReceivedMail } from '@invigil/testkit/mail-servers';
import type { RunningPostgres } from '../../running-postgres.ts';

export interface FinalState {
  attempts: StoredAttempt[];
  messages: StoredMessage[];
  /** Messages that the mail server has and the outbox does not. */
  strays: { recipient: string; messageId: string }[];
}

export interface StoredAttempt {
  id: string;
  person: string;
  status: string;
  /** Milliseconds since 1970, like all times here. */
  startedAt: number;
  deadlineAt: number;
  /** The time that the assessment allows this person. */
  allowedMs: number;
  quizEndsAt: number | null;
  submittedAt: number | null;
  submissionType: string | null;
  score: number | null;
  /** Number of correct stored answers, recounted. */
  right: number;
  countedViolations: number;
  /** When each end was written; there must be only one. */
  endedAt: number[];
  answers: { question: string; revision: number; option: string | null }[];
  violations: { id: string; counted: boolean }[];
}

/** A message of the outbox, and its deliveries to the mail server. */
export interface StoredMessage {
  recipient: string;
  messageId: string;
  state: string;
  lastError: string | null;
  /** `answered`: the mail server acknowledged it, or tried to. */
  taken: { messageId: string; code: string; answered: boolean }[];
  /** How often the mail server refused it permanently. */
  refused: number;
}

const CODE = /[A-Z2-9]{5}-[A-Z2-9]{5}-[A-Z2-9]{5}/;

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/**
 * Every attempt as one JSON text. None is replaced in these rounds. The flags that the server's own job raises are
 * excluded: no one reported them (`flagSilentMonitors`).
 */
const ATTEMPTS = `
  select json_build_object(
    'id', p.id, 'person', u.email, 'status', p.status, 'startedAt', ${ms('p.started_at')},
    'allowedMs', (z.duration * i.extra_time_factor * 60000)::float8,
    'quizEndsAt', ${ms('z.end_date')}, 'score', p.score,
    'right', (select count(*)::int from answers a
      join paper_questions q using (participant_id, question_id)
      join question_versions v
        on v.question_id = q.question_id and v.version = q.question_version
      where a.participant_id = p.id and a.option_id = v.correct_option_id),
    'deadlineAt', ${ms('p.deadline_at')}, 'submittedAt', ${ms('p.submitted_at')},
    'submissionType', p.submission_type, 'countedViolations', p.counted_violations,
    'endedAt', (select coalesce(json_agg(${ms('e.at')}), '[]')
      from participant_events e where e.participant_id = p.id and e.kind = 'ended'),
    'answers', (select coalesce(json_agg(json_build_object(
        'question', a.question_id, 'revision', a.revision,
        'option', v.option_texts[array_position(v.option_ids, a.option_id)])), '[]')
      from answers a
      join paper_questions q using (participant_id, question_id)
      join question_versions v
        on v.question_id = q.question_id and v.version = q.question_version
      where a.participant_id = p.id),
    'violations', (select coalesce(json_agg(json_build_object(
        'id', w.id, 'counted', w.counted)), '[]')
      from violations w where w.participant_id = p.id
        and w.type not in ('monitor_silent', 'camera_unjudged', 'stills_missing', 'ended_by_person'))
  )::text as text
  from participants p join users u on u.id = p.user_id join quizzes z on z.id = p.quiz_id
  join invitations i on i.id = p.invitation_id`;

const MESSAGES = `
  select json_build_object('recipient', recipient, 'messageId', message_id, 'state', state,
    'lastError', last_error)::text as text from outbox where kind = 'invitation'`;

/** Reads the tables directly, not through the servers. */
export async function readFinalState(
  postgres: RunningPostgres,
  mails: readonly ReceivedMail[],
  refused: ReadonlyMap<string, number> = new Map(),
): Promise<FinalState> {
  const attempts = (await postgres.texts(ATTEMPTS)).map((text): StoredAttempt => JSON.parse(text));
  const byRecipient = Map.groupBy(mails, ({ to }) => to[0] ?? '');
  const known = new Set<string>();
  const messages = (await postgres.texts(MESSAGES)).map((text): StoredMessage => {
    const message: Omit<StoredMessage, 'taken' | 'refused'> = JSON.parse(text);
    const messageId = bare(message.messageId);
    known.add(messageId);
    const taken = (byRecipient.get(message.recipient) ?? []).map(({ mail, answered }) => ({
      messageId: bare(mail.messageId ?? ''),
      code: codeIn(mail.text),
      answered,
    }));
    return { ...message, messageId, taken, refused: refused.get(message.recipient) ?? 0 };
  });
  const strays = mails
    .map(({ to, mail }) => ({ recipient: to[0] ?? '', messageId: bare(mail.messageId ?? '') }))
    .filter(({ messageId }) => !known.has(messageId));
  return { attempts, messages, strays };
}

/** The one-time password in a message; empty if there is none. */
export function codeIn(text: string | undefined): string {
  return text?.match(CODE)?.[0] ?? '';
}

/** A message id without the angle brackets of the header. */
function bare(messageId: string): string {
  return messageId.replace(/^<|>$/g, '');
}
