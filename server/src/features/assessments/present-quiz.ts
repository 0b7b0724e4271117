import { PolicySettings } from '@invigil/core/contract/assessments/policy';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Times } from '@invigil/core/contract/assessments/schedule';
import {
  type Reminders,
  type Schedule,
  type StoredSchedule,
  widestWindow,
} from '@invigil/core/domain/schedule';
import { isLanguage } from '@invigil/core/texts/languages';
import type { QuizView } from '../../db/queries/quizzes.ts';

/**
 * Active, not archived, and neither the end date nor a latest start has passed (product 1: "open"): for the person
 * whose times it has, else for someone in a group.
 */
export function isQuizOpen(
  quiz: { isActive: boolean; archivedAt: Date | null } & Parameters<typeof widestWindow>[0],
  now: Date,
): boolean {
  const { lastStart } = widestWindow(quiz);
  return (
    quiz.isActive &&
    quiz.archivedAt === null &&
    (lastStart === null || now.getTime() < lastStart.getTime())
  );
}

/**
 * Whether someone whose attempt was reinstated can go on, as far as the end date decides: it was reinstated before it,
 * or in spite of it. It has been started, so no latest start counts.
 */
export function canContinue(
  quiz: Parameters<typeof isQuizOpen>[0],
  { replacedAt }: { replacedAt: Date | null },
  now: Date,
): boolean {
  const isInSpite = quiz.endDate !== null && replacedAt !== null && replacedAt >= quiz.endDate;
  const timed = { ...quiz, startBy: null };
  return isQuizOpen(isInSpite ? { ...timed, endDate: null } : timed, now);
}

/** Whether attempts may start, as far as its opening time decides. */
export function hasOpened({ opensAt }: { opensAt: Date | null }, now: Date): boolean {
  return opensAt === null || now >= opensAt;
}

export function presentQuiz(quiz: QuizView, now: Date): Quiz {
  return {
    id: quiz.id,
    title: quiz.title,
    description: quiz.description,
    categoryId: quiz.categoryId,
    category: quiz.category,
    duration: quiz.duration,
    totalQuestions: quiz.totalQuestions,
    // A paper with sections has questions from elsewhere, too, so its total counts.
    questionCount: quiz.structure ? quiz.totalQuestions : quiz.questionCount,
    ...(quiz.structure ? { hasSections: true as const } : {}),
    ...(quiz.hasOtherAnswers ? { hasOtherAnswers: true as const } : {}),
    ...(quiz.negativeMarks ? { negativeMarks: quiz.negativeMarks } : {}),
    ...(quiz.opensAt ? { opensAt: quiz.opensAt.toISOString() } : {}),
    endDate: quiz.endDate?.toISOString() ?? null,
    ...(quiz.startBy ? { startBy: quiz.startBy.toISOString() } : {}),
    ...(quiz.timeRules ? { timeRules: quiz.timeRules.length } : {}),
    ...(quiz.practiceToken === null
      ? {}
      : { asPractice: { token: quiz.practiceToken, namedBy: quiz.namedBy } }),
    ...(quiz.practiceQuizId === null
      ? {}
      : {
          practice: {
            quizId: quiz.practiceQuizId,
            ...(quiz.namedToken === null ? {} : { token: quiz.namedToken }),
          },
        }),
    ...(quiz.startTogether ? { startTogether: quiz.startTogether } : {}),
    finishAfterEnd: quiz.finishAfterEnd,
    closingMail: quiz.closingMail,
    ...(quiz.retakes ? { retakes: quiz.retakes } : {}),
    ...(quiz.reminders ? { reminders: presentReminders(quiz.reminders) } : {}),
    ...(quiz.languages ? { languages: quiz.languages.filter(isLanguage) } : {}),
    isActive: quiz.isActive,
    isOpen: isQuizOpen(quiz, now),
    policy: { version: quiz.policyVersion, ...parsePolicySettings(quiz.policySettings) },
    version: quiz.version,
    createdAt: quiz.createdAt.toISOString(),
  };
}

const presentReminders = ({ beforeOpening, beforeEnd }: Reminders): Reminders => ({
  beforeOpening,
  beforeEnd,
});

export const presentTimes = ({
  opensAt,
  endDate,
  startBy,
  duration,
  attempts,
}: Schedule): Times => ({
  opensAt: opensAt?.toISOString() ?? null,
  endDate: endDate?.toISOString() ?? null,
  ...(startBy ? { startBy: startBy.toISOString() } : {}),
  duration,
  ...(attempts === 1 ? {} : { attempts }),
});

/** Times that are stored where they are others than those of the assessment. */
export const presentOtherTimes = ({
  duration,
  attempts,
  ...window
}: StoredSchedule): { times?: Times } =>
  duration === null
    ? {}
    : { times: presentTimes({ ...window, duration, attempts: attempts ?? 1 }) };

/**
 * The settings of a stored policy; fields that an earlier version did not have get their default.
 */
export function parsePolicySettings(stored: unknown): PolicySettings {
  return PolicySettings.parse(stored);
}
