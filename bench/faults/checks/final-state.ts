/** Everything stored at the end of a round. */
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
