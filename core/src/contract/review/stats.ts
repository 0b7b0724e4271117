import { z } from 'zod';
import { AttemptStatus } from '../attempts/own-participant.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';
import { Points } from './participants.ts';

export const Stats = z.object({
  totalQuizzes: z.int(),
  totalParticipants: z.int(),
  activeQuizzes: z.int(),
  /** Mean percentage over completed attempts, one decimal. */
  averageScore: z.number(),
  recentActivity: z.array(
    z.object({
      /** The record it links to. */
      participantId: z.string(),
      description: z.string(),
      score: z.int().nullable(),
      totalMarks: z.int().nullable(),
      ...Points,
      /** The current status of the attempt, even in the entry about its start. */
      status: AttemptStatus,
      at: Instant,
    }),
  ),
  topScorers: z.array(
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
  /** Open assessments with people who have not started and whose one-time passwords end within a week. */
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

export const getStats = endpoint('GET /api/stats', ['admin'], {
  summary: 'Figures of the dashboard',
  responses: { 200: Stats },
});

export const StatsCharts = z.object({
  /** Completed attempts of the period by percentage: 0-9, 10-19 … 90-100. */
  histogram: z.array(z.int()).length(10),
  /** Ends per day of the period, in the zone, oldest first. */
  completions: z.array(z.object({ day: z.iso.date(), count: z.int() })),
  timeZone: z.string(),
});
export type StatsCharts = z.infer<typeof StatsCharts>;

export const getStatsCharts = endpoint('GET /api/stats/charts', ['admin'], {
  summary: 'Score histogram and completions per day, of one assessment or of all',
  query: z.object({
    quizId: Id.optional(),
    days: z.coerce.number().int().min(1).max(366).default(30),
  }),
  responses: { 200: StatsCharts },
});
