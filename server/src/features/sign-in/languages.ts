import type { Account } from '@invigil/core/contract/accounts/auth';
import {
  firstOf,
  type Language,
  languagesOf,
  leavesChoice,
  preferredIn,
} from '@invigil/core/texts/languages';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { setAttemptLanguage } from '../../db/queries/attempts/changes.ts';
import { findPersonLanguage } from '../../db/queries/people.ts';
import { findQuiz, type QuizView } from '../../db/queries/quizzes.ts';
import type { Session } from '../../db/queries/sessions.ts';
import { AppError } from '../../runtime/app-error.ts';

/** The languages that a browser asks for: the one that was chosen in it, and those that it prefers. */
export interface AskedLanguages {
  chosen: string | undefined;
  preferred: readonly string[];
}

/**
 * The language of a candidate's screens: that of the attempt, or the one that was chosen in this browser; where
 * the assessment leaves a choice, the person's and the browser's; else the assessment's first. Nothing where
 * English is the only one.
 */
export async function languageFor(
  db: Queryable,
  userId: string | null,
  quiz: QuizView | undefined,
  attempt: { language: string | null } | undefined,
  asked: AskedLanguages,
): Promise<Pick<Account, 'language' | 'languages'>> {
  const among = languagesOf(quiz);
  if (among.length === 1) return {};
  const own = [attempt?.language, asked.chosen].filter((tag) => tag != null);
  const chosen = firstOf(own, among);
  if (chosen !== undefined) return { language: chosen, languages: among };
  const isAsked = userId !== null && leavesChoice(quiz);
  const known = isAsked ? await findPersonLanguage(db, userId) : '';
  return { language: preferredIn(quiz, [known, ...asked.preferred]), languages: among };
}

/** Remembers the language that a candidate has chosen, once the attempt has begun. */
export async function rememberLanguage(
  { db }: BaseContext,
  session: Session,
  language: Language,
): Promise<void> {
  if (session.kind !== 'participant') return;
  const quiz = await findQuiz(db, session.quizId);
  if (!languagesOf(quiz).includes(language)) throw AppError.at('language', 'INVALID_INPUT');
  await setAttemptLanguage(db, session, language);
}
