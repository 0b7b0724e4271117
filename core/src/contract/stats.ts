import { z } from 'zod';
import { endpoint, Instant } from './endpoint.ts';
import { AttemptStatus } from './participants.ts';

export const Stats = z.object({
  totalQuizzes: z.int(),
  totalParticipants: z.int(),
  activeQuizzes: z.int(),
  /** Mean per cent over completed attempts, one decimal. */
  averageScore: z.number(),
  recentActivity: z.array(
    z.object({
      description: z.string(),
      score: z.int().nullable(),
      totalMarks: z.int().nullable(),
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
      /** seconds */
      timeSpent: z.int(),
    }),
  ),
});
export type Stats = z.infer<typeof Stats>;

export const getStats = endpoint({
  method: 'GET',
  path: '/api/stats',
  access: ['admin'],
  summary: 'Figures of the dashboard',
  responses: { 200: Stats },
  errors: [],
});
