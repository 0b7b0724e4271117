import type { AnsweredQuestion } from '@invigil/core/contract/assessments/answered-question';
import type { CandidateResult } from '@invigil/core/contract/review/releases';
import { type GivenAnswer, selectedIdsOf } from '@invigil/core/domain/questions/given-answer';
import { hasOptions } from '@invigil/core/domain/questions/question-definition';
import { rightOptionIds } from '@invigil/core/domain/questions/question-versions';
import { pointsOf } from '@invigil/core/domain/questions/scoring';
import { TYPES, typeIn } from '@invigil/core/domain/questions/types/question-types';
import {
  figuresOf,
  pointsIn,
  type ReleasedResult,
  resultOf,
} from '@invigil/core/domain/results/outcome';
import {
  openUntil,
  RELEASED_PARTS,
  type ReleasedPart,
  type ReleaseRules,
} from '@invigil/core/domain/results/release';
import { widestWindow } from '@invigil/core/domain/schedule';
import type { AttemptContext, LiveContext } from '../../app-context.ts';
import { listAnswers } from '../../db/queries/attempts/answers.ts';
import {
  findListedParticipant,
  type ParticipantListRow,
} from '../../db/queries/attempts/attempt-list.ts';
import { findParticipant, type ParticipantView } from '../../db/queries/attempts/attempts.ts';
import { listPaperKeys, type PaperKey } from '../../db/queries/attempts/paper-keys.ts';
import { findQuiz, type QuizView } from '../../db/queries/quizzes.ts';
import { NOT_EVERYONE } from '../../db/queries/seen-people.ts';
import type { Session } from '../../db/queries/sessions.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { AppError } from '../../runtime/app-error.ts';
import { isQuizOpen } from '../assessments/present-quiz.ts';
import { rowsOf } from '../attempts/answers/answer-text.ts';
import { isOwnCurrent } from '../attempts/own-attempt.ts';
import type { PaperEntry } from '../attempts/paper-cache.ts';
import { listEarned } from '../attempts/present.ts';
import {
  findOpenResult,
  hasChanged,
  mayReadResult,
  noteSeen,
  type OpenResult,
  shownOf,
} from '../attempts/release-results.ts';
import { findCertificateNumber } from './certificates.ts';
import { listResults } from './queries.ts';

type Context = AttemptContext & Pick<LiveContext, 'cachedCounts'>;

/** Fewer would say too much about each of them. */
const FEWEST_IN_STATISTICS = 5;
/** Rules of a preview as long as none are set. */
const EVERYTHING: ReleaseRules = {
  ...{ parts: [...RELEASED_PARTS], when: { kind: 'by_hand' }, openDays: 30 },
};

/**
 * The result of an attempt: for its candidate what is released at this moment, for an administrator what the
 * candidate would see if it were. Throws NOT_FOUND, NOT_RELEASED.
 */
async function readResult(
  ctx: Context,
  session: Session,
  id: string,
  now: Date,
): Promise<CandidateResult> {
  const attempt = await findParticipant(ctx.db, id);
  const row = await findListedParticipant(ctx.db, NOT_EVERYONE, id);
  if (!attempt || !row) throw new AppError('NOT_FOUND');
  if (session.kind === 'participant' && !isOwnCurrent(session, attempt)) {
    throw new AppError('NOT_FOUND');
  }
  if (row.submittedAt === null) throw new AppError('NOT_RELEASED');
  const quiz = await findQuiz(ctx.db, row.quizId);
  if (!quiz) throw new AppError('NOT_FOUND');
  if (session.kind === 'participant') {
    const mayRead = await mayReadResult(ctx.db, session, attempt);
    const open = mayRead ? await findOpenResult(ctx, id, quiz, now) : null;
    if (!open) throw new AppError('NOT_RELEASED');
    const { parts, waiting, release, until } = open;
    const { result, releasedAt } = release;
    const isChanging = hasChanged({ ...row, released: result });
    await noteSeen(ctx, open, !isChanging, now);
    const number = isCertified(parts, result) ? await findCertificateNumber(ctx, id) : null;
    const certificate = number === null ? undefined : { number };
    const shown = { parts, waiting, result, releasedAt, until, isChanging, certificate };
    return present(ctx, { attempt, row, quiz }, shown, now);
  }
  const rules = quiz.releaseRules ?? EVERYTHING;
  const { parts, waiting } = await shownOf(ctx.db, quiz, rules, now);
  const until = openUntil(now, rules, widestWindow(quiz).endDate);
  const result = resultOf(row, row.resultRules);
  const certificate = isCertified(parts, result) ? { number: null } : undefined;
  const shown = { parts, waiting, result, releasedAt: now, until, isChanging: false, certificate };
  return present(ctx, { attempt, row, quiz }, shown, now);
}

const isCertified = (parts: Shown['parts'], { outcome }: ReleasedResult): boolean =>
  parts.includes('certificate') && outcome?.result === 'passed';

interface Shown extends Pick<OpenResult, 'parts' | 'waiting'> {
  result: ReleasedResult;
  releasedAt: Date;
  until: Date;
  /** The stored result differs from the released one. */
  isChanging: boolean;
  /** Absent: none; without a number in a preview. */
  certificate: CandidateResult['certificate'];
}

async function present(
  ctx: Context,
  { attempt, row, quiz }: { attempt: ParticipantView; row: ParticipantListRow; quiz: QuizView },
  { parts, waiting, result, releasedAt, until, isChanging, certificate }: Shown,
  now: Date,
): Promise<CandidateResult> {
  const { outcome } = result;
  const { points, maxPoints } = pointsIn(result);
  const has = (part: ReleasedPart) => parts.includes(part);
  const statistics = has('statistics') ? await readStatistics(ctx, row) : null;
  return {
    participantId: row.id,
    title: row.quizTitle,
    submittedAt: (row.submittedAt ?? releasedAt).toISOString(),
    releasedAt: releasedAt.toISOString(),
    until: until.toISOString(),
    isChanging,
    ...(waiting.length > 0
      ? {
          waiting: {
            parts: [...waiting],
            until: isQuizOpen(quiz, now)
              ? (widestWindow(quiz).endDate?.toISOString() ?? null)
              : null,
          },
        }
      : {}),
    ...(has('outcome') && outcome
      ? {
          outcome: {
            result: outcome.result,
            ...(outcome.because ? { because: outcome.because } : {}),
          },
        }
      : {}),
    ...(has('grade') && outcome?.grade != null ? { grade: outcome.grade } : {}),
    ...(has('score')
      ? {
          score: {
            points: pointsOf(points),
            maxPoints: pointsOf(maxPoints),
            percent: result.percent,
          },
        }
      : {}),
    ...(has('sections') && result.sections.length > 0
      ? {
          sections: result.sections.map((section) => ({
            title: section.title,
            points: pointsOf(section.points ?? 0),
            maxPoints: pointsOf(section.maxPoints ?? 0),
          })),
        }
      : {}),
    ...(statistics ? { statistics } : {}),
    ...(certificate ? { certificate } : {}),
    // Answers beside a key that was corrected since would not fit the result that is shown.
    ...(has('answers') && !isChanging
      ? { questions: await presentQuestions(ctx, attempt, has) }
      : {}),
  };
}

async function readStatistics(
  ctx: Context,
  { quizId, resultRules }: ParticipantListRow,
): Promise<CandidateResult['statistics'] | null> {
  // One reading serves all who open their result at that moment.
  const key = `figures ${quizId} ${JSON.stringify(resultRules)}`;
  const figures = await ctx.cachedCounts.over(Number.POSITIVE_INFINITY, key, async () =>
    figuresOf(await listResults(ctx.db, NOT_EVERYONE, quizId), resultRules),
  );
  if (figures.ended < FEWEST_IN_STATISTICS) return null;
  const { ended: people, meanPercent, distribution } = figures;
  return { people, meanPercent, distribution };
}

async function presentQuestions(
  ctx: AttemptContext,
  attempt: ParticipantView,
  has: (part: ReleasedPart) => boolean,
): Promise<CandidateResult['questions']> {
  const [paper, keys, answers] = await Promise.all([
    ctx.papers.get(attempt.id),
    listPaperKeys(ctx.db, [attempt.id]),
    listAnswers(ctx.db, attempt.id),
  ]);
  return listEarned(attempt, paper, keys, answers).map(({ entry, key, answer, earned }) => {
    const explanation = has('explanations') ? key?.details?.explanation : undefined;
    return {
      ...presentAnswer(entry, answer, {
        key,
        hasKey: has('key'),
        feedback: has('explanations') ? feedbackOf(key) : new Map(),
      }),
      ...(has('key') ? earnedFor(earned, has('score')) : {}),
      ...(explanation ? { explanation } : {}),
    };
  });
}

/** The points of all questions add up to the score, and are shown only with it. */
function earnedFor(earned: Earned, hasScore: boolean): Earned {
  return hasScore ? earned : { isCorrect: earned.isCorrect };
}

type Earned = ReturnType<typeof listEarned>[number]['earned'];

/** The key of a version, as far as an answer is shown beside it. */
type KnownKey = Pick<PaperKey, 'optionIds' | 'correctOptionId' | 'details' | 'correction'>;

/** Feedback on the options of a version, by their ids. */
export const feedbackOf = (key: KnownKey | undefined): Map<number, string> =>
  new Map(
    (key?.optionIds ?? []).flatMap((id, i) => {
      const feedback = key?.details?.options[i]?.feedback;
      return feedback ? [[id, feedback] as const] : [];
    }),
  );

/**
 * @param released `hasKey`: the key is; feedback is shown on what was selected: the others would tell the key
 */
export function presentAnswer(
  { position, optionOrder, content }: PaperEntry,
  answer: GivenAnswer | undefined,
  {
    key: known,
    hasKey,
    feedback,
  }: { key: KnownKey | undefined; hasKey: boolean; feedback: ReadonlyMap<number, string> },
): AnsweredQuestion {
  const { details } = content;
  const type = typeIn(details);
  const key = known && hasKey ? known : null;
  const rows = known && rowsOf(known, content.textOf, optionOrder, answer);
  const isTyped = !hasOptions(type) && !rows;
  const selected = new Set(answer && hasOptions(type) ? selectedIdsOf(answer) : []);
  const right = key && new Set(rightOptionIds(key));
  return {
    number: position,
    question: content.question,
    format: details?.format ?? 'plain',
    options: (hasOptions(type) ? optionOrder : []).map((id) => ({
      text: content.textOf.get(id) ?? '',
      isSelected: selected.has(id),
      ...(right ? { isCorrect: right.has(id) } : {}),
      ...(selected.has(id) && feedback.has(id) ? { feedback: feedback.get(id) } : {}),
    })),
    ...(rows ? { rows: rows.map(({ right, ...row }) => (hasKey ? { ...row, right } : row)) } : {}),
    ...(type === 'ordering' ? { isOrder: true } : {}),
    ...(isTyped ? { typed: answer?.response ?? '' } : {}),
    ...(isTyped && key?.details
      ? { accepted: TYPES[key.details.type].releasedKey(key.details) }
      : {}),
    ...(key?.correction ? { correction: key.correction.kind } : {}),
  };
}

export function candidateResultHandlers(ctx: Context) {
  return {
    getResult: ({ params, session, now }) => readResult(ctx, session, params.id, now),
  } satisfies Handlers;
}
