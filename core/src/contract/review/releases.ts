import { z } from 'zod';
import { RECORD_LIMITS } from '../../domain/limits.ts';
import { LATE_PARTS, RELEASE_HOLDS, RELEASED_PARTS } from '../../domain/results/release.ts';
import { t } from '../../texts/i18n.ts';
import { AnsweredQuestion } from '../assessments/answered-question.ts';
import { Outcome } from '../assessments/result-rules.ts';
import { OptionalPersonText, PersonEmail, PersonId, PersonText } from '../definition/classified.ts';
import { endpoint, Id, Instant } from '../definition/endpoint.ts';

const DAYS = {
  error: () =>
    t(
      'field.releaseDays',
      '{max, plural, one {From {min} to # day} other {From {min} to # days}}',
      { min: 1, max: 365 },
    ),
};

export const ReleaseRules = z.object({
  parts: z.array(z.enum(RELEASED_PARTS)).min(1, {
    error: () =>
      t(/* part of a result that candidates see */ 'field.selectOne', 'Select at least one'),
  }),
  when: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('by_hand') }),
    z.object({ kind: z.literal('at_once') }),
    z.object({ kind: z.literal('reviewed') }),
    z.object({ kind: z.literal('at'), at: Instant }),
  ]),
  openDays: z
    .int({ error: () => t(/* enter them */ 'field.wholeDays', 'Whole days') })
    .min(1, DAYS)
    .max(365, DAYS),
  /** Answers and explanations only once no one can start or is under way. */
  keyAfterEnd: z.literal(true).optional(),
});

/** Rules to be set: right answers and explanations are shown beside the candidate's own answers. */
export const NewReleaseRules = ReleaseRules.refine(
  ({ parts }) =>
    parts.includes('answers') || !(parts.includes('key') || parts.includes('explanations')),
  {
    path: ['parts'],
    error: () =>
      t(
        /* of candidates */ 'field.keyWithAnswers',
        'Right answers and explanations are shown beside their own answers: select those too',
      ),
  },
);

/** The result of one attempt as its candidate sees it: only the parts that are released. */
export const CandidateResult = z.object({
  participantId: z.string(),
  title: z.string(),
  submittedAt: Instant,
  releasedAt: Instant,
  /** The moment until which the one-time password opens the result. */
  until: Instant,
  /** A correction is under way: answers are shown again once the new result is released. */
  isChanging: z.boolean(),
  /**
   * Parts that are shown once no one can start or is under way; absent: none. `until`: not before; null: no end
   * date, or it has passed.
   */
  waiting: z.object({ parts: z.array(z.enum(LATE_PARTS)), until: Instant.nullable() }).optional(),
  outcome: Outcome.pick({ result: true, because: true }).optional(),
  grade: z.string().optional(),
  /** Points, or right answers out of all questions. */
  score: z
    .object({ points: z.number(), maxPoints: z.number(), percent: z.number().nullable() })
    .optional(),
  sections: z
    .array(z.object({ title: z.string(), points: z.number(), maxPoints: z.number() }))
    .optional(),
  /** Statistics of everyone who took the assessment. */
  statistics: z
    .object({ people: z.int(), meanPercent: z.number().nullable(), distribution: z.array(z.int()) })
    .optional(),
  /** The certificate of a candidate who passed; `null` in a preview. */
  certificate: z.object({ number: z.string().nullable() }).optional(),
  questions: z.array(AnsweredQuestion).optional(),
});
export type CandidateResult = z.infer<typeof CandidateResult>;

export const getResult = endpoint(
  'GET /api/participants/:id/result',
  ['participant', 'participant: scores.correct'],
  {
    summary:
      'The released result of the own attempt; for administrators as the candidate would see it',
    responses: { 200: CandidateResult },
    errors: ['NOT_RELEASED'],
    cost: 4,
  },
);

/** Something about a certificate to put right before it is issued. */
const CertificateProblem = z.object({
  participantId: z.string(),
  userId: PersonId,
  userEmail: PersonEmail,
  userName: OptionalPersonText,
  /** false: no name is known, and the address takes its place. */
  hasName: z.boolean(),
  /** Letters of the name that are drawn as boxes; none for readers who see another name. */
  letters: z.array(PersonText),
});

const Releases = z.object({
  /** null: candidates see no results. */
  rules: ReleaseRules.nullable(),
  released: z.int(),
  /** Released, and changed since then by a correction or another pass mark; without a breach in question. */
  changed: z.int(),
  /** The first candidates whose result changed, who have to be informed; present if there are any. */
  changes: z
    .array(
      z.object({
        participantId: z.string(),
        userId: PersonId,
        userEmail: PersonEmail,
        userName: OptionalPersonText,
      }),
    )
    .optional(),
  /** Attempts that are not released, by why. */
  held: z.partialRecord(z.enum(RELEASE_HOLDS), z.int()),
  /** Candidates who have opened their result since its latest release. */
  seen: z.int(),
  /** Attempts that a release by hand would reach, and no one has reviewed. */
  toReview: z.int(),
  /**
   * Who could learn right answers from others; both 0 once no one can start or is under way. `until`: when starts
   * end by themselves.
   */
  open: z.object({ canStart: z.int(), running: z.int(), until: Instant.nullable() }),
  /** Present where passed attempts get certificates. */
  certificates: z
    .object({
      /** Letters of the title and of the institution's name that are drawn as boxes. */
      letters: z.array(z.string()),
      /** Passed attempts whose certificate lacks a name or letters of it; the first of them are named. */
      count: z.int(),
      problems: z.array(CertificateProblem),
    })
    .optional(),
  timeZone: z.string(),
});
export type Releases = z.infer<typeof Releases>;

export const getReleases = endpoint('GET /api/quizzes/:id/releases', ['quiz: figures.see'], {
  summary: 'How many results of an assessment are released, and why others are not',
  responses: { 200: Releases },
});

const Elsewhere = z.object({
  named: z.array(z.object({ quizId: z.string(), title: z.string(), questions: z.int() })),
  /** Counts those that the reader may not see. */
  others: z.int(),
});
export type Elsewhere = z.infer<typeof Elsewhere>;

export const listElsewhere = endpoint(
  'GET /api/quizzes/:id/releases/elsewhere',
  ['quiz: figures.see'],
  {
    summary:
      'Other assessments that can still be started, whose papers can have questions of these attempts; none where the rules show no right answers',
    responses: { 200: Elsewhere },
  },
);

/** The numbers that people need who are about to let someone start, or go on for longer. */
export const countKeyReaders = endpoint('GET /api/quizzes/:id/key-readers', ['quiz: quizzes.see'], {
  summary:
    'How many candidates have right answers of an assessment, or can read them now, and how many have not started or are under way',
  responses: { 200: z.object({ people: z.int(), notStarted: z.int(), running: z.int() }) },
});

export const setReleaseRules = endpoint(
  'PUT /api/quizzes/:id/releases/rules',
  ['quiz: scores.correct'],
  {
    audit: 'quiz.release_set',
    summary:
      'Set what of the results candidates see and when; null: nothing any more. Nothing any more, or a later time, takes back what is released; audited',
    /** `before`: as they were read; others that are stored are STALE. */
    body: z.object({
      rules: NewReleaseRules.nullable(),
      before: ReleaseRules.nullable().optional(),
    }),
    responses: { 200: Releases },
    errors: ['STALE'],
  },
);

export const releaseResults = endpoint('POST /api/quizzes/:id/releases', ['quiz: scores.correct'], {
  audit: 'quiz.results_released',
  summary:
    'Release results now, with a mail to each candidate: of all that nothing is open about, or of the named ones; those released before only where they changed; audited',
  body: z.object({ ids: z.array(Id).min(1).max(RECORD_LIMITS.releasesMax).optional() }),
  responses: { 200: z.object({ released: z.int(), releases: Releases }) },
  errors: ['RULES_UNMET', 'CHANGED_OUTSIDE'],
});
