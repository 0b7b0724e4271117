import type { Retake } from '@invigil/core/domain/retakes';
import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import type { Accommodations, CodeHolder, GivenCode } from '../../db/queries/codes.ts';
import type { QuizView } from '../../db/queries/quizzes.ts';
import type { Session } from '../../db/queries/sessions.ts';

export interface AccountParts {
  quiz: QuizView | undefined;
  /** The latest, unless it was set aside. */
  attempt: ParticipantView | undefined;
  /** Another attempt that may follow it. */
  retake?: Retake | null;
  accommodations: Accommodations;
  /** There was never an attempt, not even one that was replaced. */
  isFirst?: true;
}

export interface SignedIn {
  token: string;
  session: Session;
  /** The parts of the account that a candidate's sign-in has read. */
  found?: AccountParts;
}

/** Sign-ins with one-time passwords. */
export interface CodeSignIns {
  /** The holder of a code, if any; a wrong code takes as long as a right one. */
  findHolder(given: GivenCode): Promise<CodeHolder | undefined>;
  /**
   * Opens a session for the holder of a code, replacing an earlier one.
   *
   * Throws INVALID_CREDENTIALS when the code was revoked since then, ALREADY_COMPLETED, CODE_EXPIRED.
   */
  open(holder: CodeHolder, now: Date): Promise<SignedIn>;
  /** Opens a session in which the holder reads the result of an ended attempt. Throws as `open`. */
  openResult(holder: CodeHolder, now: Date): Promise<SignedIn>;
}
