/** What is stored when everything is over. */
export interface FinalState {
  attempts: StoredAttempt[];
  messages: StoredMessage[];
  /** Messages that the mail server has and the outbox does not know. */
  strays: { recipient: string; messageId: string }[];
}

export interface StoredAttempt {
  id: string;
  person: string;
  status: string;
  /** Milliseconds since 1970, as all times here. */
  startedAt: number;
  deadlineAt: number;
  /** What the assessment gives this person. */
  allowedMs: number;
  quizEndsAt: number | null;
  submittedAt: number | null;
  submissionType: string | null;
  score: number | null;
  /** How many of the stored answers are right, counted again. */
  right: number;
  countedViolations: number;
  /** When each end was written; more than one is one too many. */
  endedAt: number[];
  answers: { question: string; revision: number; option: string | null }[];
  violations: { id: string; counted: boolean }[];
}

/** A message of the outbox, and what the mail server has taken of it. */
export interface StoredMessage {
  recipient: string;
  messageId: string;
  state: string;
  lastError: string | null;
  /** `answered`: the mail server said that it has it, or at least tried to. */
  taken: { messageId: string; code: string; answered: boolean }[];
  /** How often the mail server refused it for good. */
  refused: number;
}
