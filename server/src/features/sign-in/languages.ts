import type { Account } from '@invigil/core/contract/accounts/auth';
import {
  firstOf,
  LANGUAGE_TAGS,
  type Language,
  languagesOf,
  leavesChoice,
  preferredIn,
} from '@invigil/core/texts/languages';
import type { BaseContext } from '../../app-context.ts';
import type { Queryable } from '../../db/database.ts';
import { setAdmin } from '../../db/queries/admins.ts';
import { setAttemptLanguage } from '../../db/queries/attempts/changes.ts';
import { findPersonLanguage } from '../../db/queries/people.ts';
import { findQuiz, type QuizView } from '../../db/queries/quizzes.ts';
import type { AdminSession, Session } from '../../db/queries/sessions.ts';
import { AppError } from '../../runtime/app-error.ts';
import { readInstitution } from '../../trust/institution.ts';

/** The languages that a browser asks for: the one that was chosen in it, and those that it prefers. */
export interface AskedLanguages {
  chosen: string | undefined;
  preferred: readonly string[];
}

/**
 * The language of a candidate's screens: that of the attempt, which is English where none is stored (it began before
 * there were others); or the one that was chosen in this browser; where the assessment leaves a choice, the person's
 * and the browser's; else the assessment's first. Nothing where English is the only one.
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
  const begun = attempt && (attempt.language ?? 'en');
  const own = [begun, asked.chosen].filter((tag) => tag !== undefined);
  const chosen = firstOf(own, among);
  if (chosen !== undefined) return { language: chosen, languages: among };
  const isAsked = userId !== null && leavesChoice(quiz);
  const known = isAsked ? await findPersonLanguage(db, userId) : '';
  return { language: preferredIn(quiz, [known, ...asked.preferred]), languages: among };
}

/**
 * The language of the portal: the one that was chosen in it, or that the browser prefers; else the institution's
 * first. Nothing for English. What was chosen in this browser may be a candidate's, or a preview's.
 */
export async function portalLanguageFor(
  ctx: BaseContext,
  { language }: Pick<AdminSession, 'language'>,
  { preferred }: AskedLanguages,
): Promise<Pick<Account, 'language'>> {
  const asked = [language, ...preferred].filter((tag) => tag != null);
  const found = firstOf(asked, LANGUAGE_TAGS) ?? (await readInstitution(ctx, ctx.db)).languages[0];
  return found === undefined || found === 'en' ? {} : { language: found };
}

/** Remembers the language that was chosen: an administrator's always, a candidate's once the attempt has begun. */
export async function rememberLanguage(
  { db }: BaseContext,
  session: Session,
  language: Language,
): Promise<void> {
  if (session.kind === 'admin') await setAdmin(db, session.adminId, { language });
  if (session.kind !== 'participant') return;
  const quiz = await findQuiz(db, session.quizId);
  if (!languagesOf(quiz).includes(language)) throw AppError.at('language', 'INVALID_INPUT');
  await setAttemptLanguage(db, session, language);
}
