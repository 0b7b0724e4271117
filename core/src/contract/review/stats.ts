import { z } from 'zod';
import { AttemptStatus } from '../attempts/own-participant.ts';
import { classified, Score } from '../definition/classified.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { Points } from './participants.ts';

/** Starts and ends of attempts, latest first. */
const Activity = classified(
  ['person'],
  z.array(
    z.object({
      /** The record it links to. */
      participantId: z.string(),
      description: z.string(),
      /** The event; `status` is how the attempt is today. */
      kind: z.enum(['started', 'ended']),
      score: Score,
      totalMarks: z.int().nullable(),
      ...Points,
      /** The current status of the attempt, even in the entry about its start. */
      status: AttemptStatus,
      at: Instant,
    }),
  ),
  [],
);

export const Stats = z.object({
  totalQuizzes: z.int(),
  totalParticipants: z.int(),
  activeQuizzes: z.int(),
  /** Mean percentage over completed attempts, one decimal. */
  averageScore: classified(['score'], z.number(), 0),
  recentActivity: Activity,
  topScorers: classified(
    ['person', 'score'],
    z.array(
      z.object({
        name: z.string(),
        quiz: z.string(),
        score: z.int(),
        totalMarks: z.int(),
        ...Points,
        /** seconds */
        timeSpent: z.int(),
      }),
    ),
    [],
  ),
  /** Open assessments that close within two weeks, soonest first. */
  endingSoon: z.array(
    z.object({
      quizId: z.string(),
      title: z.string(),
      endDate: Instant,
      invited: z.int(),
      started: z.int(),
    }),
  ),
  /**
   * Open assessments with people who have not started and whose one-time passwords end within a week, the last
   * quarter of the time in which they could start.
   */
  codesEnding: z.array(
    z.object({
      quizId: z.string(),
      title: z.string(),
      people: z.int(),
      /** The earliest end. */
      until: Instant,
    }),
  ),
  /** IANA name of the zone in which the week of `topScorers` begins. */
  timeZone: z.string(),
});
export type Stats = z.infer<typeof Stats>;

export const getStats = endpoint('GET /api/stats', ['anywhere: quizzes.see'], {
  summary: 'Figures of the dashboard',
  responses: { 200: Stats },
});

/** How far the people of an assessment have come. Revoked invitations do not count. */
export const QuizFigures = z.object({
  quizId: z.string(),
  invited: z.int(),
  /** Current attempts: all, those that ended, and those of them that wait for a review. */
  started: z.int(),
  finished: z.int(),
  toReview: z.int(),
});
export type QuizFigures = z.infer<typeof QuizFigures>;

export const listQuizFigures = endpoint('GET /api/stats/quizzes', ['anywhere: quizzes.see'], {
  summary:
    'How many people of each assessment are invited, have started, finished, wait for a review',
  responses: { 200: z.array(QuizFigures) },
});

export const getQuizActivity = endpoint('GET /api/quizzes/:id/activity', ['quiz: people.see'], {
  summary: 'The latest starts and ends of the attempts at an assessment',
  responses: { 200: z.object({ activity: Activity, timeZone: z.string() }) },
});

export const StatsCharts = z.object({
  /** Completed attempts of the period by percentage: 0-9, 10-19 … 90-100. */
  histogram: z.array(z.int()).length(10),
  /** Ends per day of the period, in the zone, oldest first. */
  completions: z.array(z.object({ day: z.iso.date(), count: z.int() })),
  /** Attempts that ended in the period, where the assessment has a pass mark; absent without any. */
  results: z.object({ passed: z.int(), failed: z.int() }).optional(),
  timeZone: z.string(),
});
export type StatsCharts = z.infer<typeof StatsCharts>;

export const getStatsCharts = endpoint('GET /api/stats/charts', ['anywhere: figures.see'], {
  summary: 'Score histogram and completions per day, of one assessment or of all',
  query: z.object({
    quizId: Id.optional(),
    days: z.coerce.number().int().min(1).max(366).default(30),
  }),
  responses: { 200: StatsCharts },
});
