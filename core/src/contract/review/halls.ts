import { z } from 'zod';
import { PEOPLE_LIMITS } from '../../domain/limits.ts';
import { t } from '../../texts/i18n.ts';
import { KnownStartTogether } from '../assessments/quiz.ts';
import { classified, KnownPerson, PersonEmail } from '../definition/classified.ts';
import { endpoint, Instant } from '../definition/endpoint.ts';
import { atMostCharacters } from '../definition/field-problems.ts';

/**
 * How far someone is before a common start: `waiting` is ready; `lost` was, and the page has not been heard of since;
 * `entered` is signed in and not through the device check; `absent` has not signed in.
 */
export const WaitingState = z.enum(['absent', 'lost', 'entered', 'waiting']);
export type WaitingState = z.infer<typeof WaitingState>;

/** How many people are how far. */
const WaitingCounts = z.record(WaitingState, z.int());
export type WaitingCounts = z.infer<typeof WaitingCounts>;

/** An assessment whose people wait to start together, of an opening if they start then. */
export const Hall = z.object({
  quizId: z.string(),
  title: z.string(),
  ...KnownStartTogether.shape,
  /** When it opens; null: is open, whatever the time. */
  opensAt: Instant.nullable(),
  /** Everyone has been started, and those who are late can start until `lateUntil`. */
  startedAt: Instant.optional(),
  lateUntil: Instant.optional(),
  /** Counts people who have not started. */
  counts: WaitingCounts,
  /** The same of each group. */
  groups: classified(
    ['person'],
    z.array(
      z.object({
        group: z.string(),
        counts: WaitingCounts,
        startedAt: Instant.optional(),
        lateUntil: Instant.optional(),
      }),
    ),
    [],
  ),
  /** The first of them, those who are not ready before the others. */
  people: z.array(
    z.object({
      invitationId: z.string(),
      email: PersonEmail,
      userName: KnownPerson.userName,
      groups: classified(['person'], z.array(z.string()), []),
      state: WaitingState,
    }),
  ),
});
export type Hall = z.infer<typeof Hall>;

export const listHalls = endpoint('GET /api/live/halls', ['anywhere: live.watch'], {
  summary:
    'Who waits to start together and who is not ready, of assessments that are about to begin',
  responses: { 200: z.object({ at: Instant, halls: z.array(Hall) }) },
});

const max = PEOPLE_LIMITS.textMaxCharacters;
const groupName = { error: () => t('field.group', 'Select a group') };

export const startTogether = endpoint('POST /api/quizzes/:id/starts', ['quiz: attempts.act'], {
  audit: 'quiz.started_together',
  summary: 'Start all who wait, or those in a group; it is not taken back',
  body: z.object({
    /** null: everyone */
    group: z.string(groupName).trim().min(1, groupName).max(max, atMostCharacters(max)).nullable(),
  }),
  responses: { 200: z.object({ startedAt: Instant, lateUntil: Instant }) },
  errors: ['NO_COMMON_START', 'NOT_OPEN_FOR_START', 'STARTED_ALREADY'],
});
