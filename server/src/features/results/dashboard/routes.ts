import type { Stats } from '@invigil/core/contract/review/stats';
import { timeSpentSeconds } from '@invigil/core/domain/attempt';
import { userNameOf } from '@invigil/core/domain/people';
import type { Reach } from '@invigil/core/domain/rights';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import type { LiveContext } from '../../../app-context.ts';
import { unknownText } from '../../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../../http/endpoints.ts';
import { requireUnarchived } from '../../../sessions/guards.ts';
import { readInstitution } from '../../../trust/institution.ts';
import { presentPoints } from '../../attempts/present.ts';
import {
  countCurrentAttempts,
  countEndsPerDay,
  countQuizzes,
  countResults,
  listCodesEnding,
  listEndingSoon,
  listFigures,
  listRecentActivity,
  listTopScorers,
  readAverage,
  readHistogram,
} from './queries.ts';
import { lastDays, startOfDay, startOfWeek } from './week.ts';

const ACTIVITIES = 10;
const SCORERS = 3;
const ENDING = 5;
const SOON_MS = 14 * 86_400_000;

export function statsHandlers(ctx: LiveContext) {
  const { cachedCounts } = ctx;
  const countAttempts = (reach: Reach) =>
    cachedCounts.count(`attempts ${nameOf(reach)}`, () => countCurrentAttempts(ctx.db, reach));
  return {
    async getStats({ reach, sees, now }) {
      const attempts = await countAttempts(reach);
      const { timeZone } = await readInstitution(ctx, ctx.db);
      const soon = new Date(now.getTime() + SOON_MS);
      const [quizzes, average, activity, scorers, ending, codes] = await Promise.all([
        countQuizzes(ctx.db, reach, now),
        cachedCounts.over(attempts, `average ${nameOf(reach)}`, () => readAverage(ctx.db, reach)),
        listRecentActivity(ctx.db, sees, ACTIVITIES, { reach }),
        cachedCounts.over(
          attempts,
          `top scorers ${timeZone} ${nameOf(reach)} ${nameOf(sees)}`,
          () => listTopScorers(ctx.db, { reach, sees }, startOfWeek(now, timeZone), SCORERS),
        ),
        listEndingSoon(ctx.db, reach, now, soon, ENDING),
        listCodesEnding(ctx.db, reach, now, ENDING),
      ]);
      return {
        totalQuizzes: quizzes.total,
        activeQuizzes: quizzes.active,
        totalParticipants: attempts,
        averageScore: Math.round(average * 10) / 10,
        recentActivity: activity.map(presentActivity),
        topScorers: scorers.map((row) => ({
          name: whoOf(row),
          quiz: row.quiz,
          score: row.score ?? 0,
          totalMarks: row.totalMarks,
          ...presentPoints(row),
          timeSpent: timeSpentSeconds(row, now),
        })),
        endingSoon: ending.map((row) => ({ ...row, endDate: row.endDate.toISOString() })),
        codesEnding: codes.map((row) => ({ ...row, until: row.until.toISOString() })),
        timeZone,
      };
    },
    listQuizFigures: ({ reach }) => listFigures(ctx.db, reach),
    async getQuizActivity({ params: { id }, sees }) {
      await requireUnarchived(ctx.db, id);
      const activity = await listRecentActivity(ctx.db, sees, ACTIVITIES, {
        quizId: id,
        reach: 'all',
      });
      const { timeZone } = await readInstitution(ctx, ctx.db);
      return { activity: activity.map(presentActivity), timeZone };
    },
    async getStatsCharts({ query: { quizId, days: period }, reach, now }) {
      const scope = { quizId, reach };
      const { timeZone } = await readInstitution(ctx, ctx.db);
      const days = lastDays(now, period, timeZone);
      const starts = days.map((day) => startOfDay(day, timeZone));
      const attempts = await countAttempts(reach);
      const what = `${quizId} ${nameOf(reach)} ${timeZone} ${days.join()}`;
      const [histogram, counts, results] = await Promise.all([
        cachedCounts.over(attempts, `histogram ${what}`, () =>
          readHistogram(ctx.db, scope, starts[0]),
        ),
        cachedCounts.over(attempts, `ends ${what}`, () => countEndsPerDay(ctx.db, scope, starts)),
        cachedCounts.over(attempts, `results ${what}`, () =>
          countResults(ctx.db, scope, starts[0]),
        ),
      ]);
      return {
        histogram,
        completions: days.map((day, i) => ({ day, count: counts[i] ?? 0 })),
        ...(results.passed + results.failed > 0 ? { results } : {}),
        timeZone,
      };
    },
  } satisfies Handlers;
}

/** Figures are kept for each reach alone. */
const nameOf = (reach: Reach) => (reach === 'all' ? 'all' : JSON.stringify(reach));

const whoOf = (row: { email: string | null; givenName: string; familyName: string }) =>
  userNameOf(row).userName ?? row.email ?? unknownText();

type Names = { person: string; assessment: string };

const ACTIVITY_TEXTS = {
  started: (names: Names) =>
    t(/* what a candidate did */ 'activity.started', '{person} started {assessment}', names),
  completed: (names: Names) =>
    t(/* what a candidate did */ 'activity.completed', '{person} completed {assessment}', names),
  dismissed: (names: Names) =>
    t(
      /* an attempt was ended by its rules */ 'activity.dismissed',
      '{person} was dismissed from {assessment}',
      names,
    ),
};

function presentActivity(
  row: Awaited<ReturnType<typeof listRecentActivity>>[number],
): Stats['recentActivity'][number] {
  const ended = row.kind === 'ended';
  const did = !ended ? 'started' : row.status === 'dismissed' ? 'dismissed' : 'completed';
  return {
    participantId: row.participantId,
    description: ACTIVITY_TEXTS[did]({
      person: isolated(whoOf(row)),
      assessment: isolated(row.quiz),
    }),
    kind: row.kind,
    score: ended ? row.score : null,
    totalMarks: ended ? row.totalMarks : null,
    ...(ended ? presentPoints(row) : {}),
    status: row.status,
    at: row.at.toISOString(),
  };
}
