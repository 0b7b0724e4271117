import type { ParticipantView } from '../../db/queries/attempts/attempts.ts';
import type { Accommodations, CodeHolder, GivenCode } from '../../db/queries/codes.ts';
import type { QuizView } from '../../db/queries/quizzes.ts';
import type { Session } from '../../db/queries/sessions.ts';

/** What belongs to one person's account. */
export interface AccountParts {
  quiz: QuizView | undefined;
  attempt: ParticipantView | undefined;
  accommodations: Accommodations;
}

/** A session that was opened just now. */
export interface SignedIn {
  token: string;
  session: Session;
  /** What a candidate's sign-in has just read of the account. */
  found?: AccountParts;
}

/** Sign-ins with one-time passwords. */
export interface CodeSignIns {
  /** Who holds a code, if anyone does; a wrong one takes as long as a right one. */
  findHolder(given: GivenCode): Promise<CodeHolder | undefined>;
  /**
   * A session for the holder of a code, in the place of an earlier one.
   *
   * Throws INVALID_CREDENTIALS where the code was taken back in the meantime, ALREADY_COMPLETED, CODE_EXPIRED.
   */
  open(holder: CodeHolder, now: Date): Promise<SignedIn>;
}
