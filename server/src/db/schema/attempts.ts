import type { Certificate } from '@invigil/core/contract/review/certificates';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import type {
  ReleaseCourse,
  ReleasedResult,
  ScoredSection,
} from '@invigil/core/domain/results/outcome';
import { sql } from 'drizzle-orm';
import {
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import { questionVersions, quizPolicies } from './assessments.ts';
import { bytes, idOf, instant } from './columns.ts';
import { invitations } from './invitations.ts';
import { admins } from './sign-in.ts';

/** One attempt of one person at one quiz. */
export const participants = pgTable(
  'participants',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    invitationId: c.uuid('invitation_id').notNull(),
    userId: c.uuid('user_id').notNull(),
    quizId: c.uuid('quiz_id').notNull(),
    attempt: c.smallint('attempt').notNull(),
    replacedAt: instant('replaced_at'),
    /**
     * `another`: new paper, full time. `reinstate`: same paper and answers, the remaining time. `retake`: another
     * attempt counts or is under way by the rule of the assessment; which one can change.
     */
    replacedHow: c.text('replaced_how'),
    /** Minutes that `reinstate` adds to the remaining time. */
    addedMinutes: c.smallint('added_minutes'),
    status: c.text('status').notNull(),
    policyVersion: c.integer('policy_version').notNull(),
    totalMarks: c.smallint('total_marks').notNull(),
    startedAt: instant('started_at').notNull(),
    deadlineAt: instant('deadline_at').notNull(),
    /** When the server ends the attempt itself, and why. */
    closeAt: instant('close_at').notNull(),
    closeReason: c.text('close_reason').notNull(),
    /** The latest time in which the clock stands still (core, `Pause`), and of all of them milliseconds. */
    pausedAt: instant('paused_at'),
    pausedUntil: instant('paused_until'),
    pausedMs: c.integer('paused_ms').notNull().default(0),
    /** Shown while it lasts; null: a break that the candidate took. */
    pauseReason: c.text('pause_reason'),
    /** Breaks that the candidate may still take, and milliseconds of all of them. */
    breaksLeft: c.smallint('breaks_left').notNull().default(0),
    breakMsLeft: c.integer('break_ms_left').notNull().default(0),
    submittedAt: instant('submitted_at'),
    submissionType: c.text('submission_type'),
    score: c.smallint('score'),
    /** Ten-thousandths of a point, where questions have points; null: `score` of `totalMarks`. */
    points: c.integer('points'),
    maxPoints: c.integer('max_points'),
    /** Began without points, and counts right answers of those asked since a question was left out. */
    countsRight: c.boolean('counts_right').$type<true>(),
    /** The assessment's setting when it began. */
    negativeMarks: c.jsonb('negative_marks').$type<NegativeMarks>(),
    /** Sections of its paper: where each begins, with its points after the end; null without sections. */
    sections: c.jsonb('sections').$type<ScoredSection[]>(),
    answeredCount: c.smallint('answered_count'),
    receiptId: c.text('receipt_id'),
    /** The session that may save; a takeover moves it in the same transaction (I17). */
    sessionId: c.uuid('session_id'),
    lastSeenAt: instant('last_seen_at').notNull(),
    countedViolations: c.integer('counted_violations').notNull(),
    violationCalls: c.integer('violation_calls').notNull(),
    fullscreenExits: c.integer('fullscreen_exits').notNull(),
    tabSwitches: c.integer('tab_switches').notNull(),
    /** The device that the browser reported, at the start or at a takeover. */
    isPhone: c.boolean('is_phone').notNull().default(false),
    /** Whether a computer was ever used: its tab rule then applies to the whole attempt. */
    usedComputer: c.boolean('used_computer').notNull().default(false),
    /** The device of the latest requests (device.ts); null once it is erased. */
    device: c.jsonb('device'),
    // The person's accommodations at the start; the invitation's may change later.
    cameraEnabled: c.boolean('camera_enabled').notNull(),
    microphoneEnabled: c.boolean('microphone_enabled').notNull(),
    faceCovered: c.boolean('face_covered').notNull(),
    /** Tag of the language of its screens, receipt and certificate; null: English. */
    language: c.text('language'),
    consentTextVersion: c.text('consent_text_version'),
    /** Tag of the language in which it was read; null: English. */
    consentLanguage: c.text('consent_language'),
    consentAt: instant('consent_at'),
    consentAddress: c.text('consent_address'),
    deviceCheck: c.jsonb('device_check'),
    /** An administrator's own note on the attempt. */
    note: c.text('note').notNull().default(''),
    /** Messages from administrators; shows the candidate's page that there is a new one. */
    messageCount: c.integer('message_count').notNull().default(0),
    /** Since when the candidate asks for help; null: does not. */
    helpAt: instant('help_at'),
    /** When the page's monitor last reported; null before the first time. */
    monitorAt: instant('monitor_at'),
    /** Since when answers arrive although the monitor is silent; null while it is not. */
    silentSince: instant('silent_since'),
    /** The most pictures that the monitor reported as checked since the page was opened. */
    monitorChecks: c.integer('monitor_checks'),
    /** Since when the page reports no more checks, first of all the start; null while they grow. */
    checksStalledSince: instant('checks_stalled_since'),
    /** Seconds in which each question was in view, by its place on the paper; as the page says. */
    focused: c.smallint('focused').array(),
    /** Flags for review; counted violations have their own numbers. */
    reviewFlags: c.integer('review_flags').notNull().default(0),
    /** A reviewer's verdict on the ended attempt. */
    verdict: c.text('verdict'),
    verdictNote: c.text('verdict_note').notNull().default(''),
    verdictAt: instant('verdict_at'),
    verdictBy: c.uuid('verdict_by').references(() => admins.id, { onDelete: 'set null' }),
    /** MAC over the result of an ended attempt, its answers and its key (trust/sealed-kinds.ts). */
    resultSeal: bytes('result_seal'),
  }),
  (t) => [
    foreignKey({
      name: 'participants_invitation',
      columns: [t.invitationId, t.userId, t.quizId],
      foreignColumns: [invitations.id, invitations.userId, invitations.quizId],
    }),
    foreignKey({
      name: 'participants_policy',
      columns: [t.quizId, t.policyVersion],
      foreignColumns: [quizPolicies.quizId, quizPolicies.version],
    }),
    unique('participants_attempt').on(t.userId, t.quizId, t.attempt),
    uniqueIndex('participants_current').on(t.userId, t.quizId).where(sql`${t.replacedAt} is null`),
    index('participants_due').on(t.closeAt).where(sql`${t.status} = 'in_progress'`),
    index('participants_started')
      .on(t.startedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.replacedAt} is null`),
    index('participants_of_quiz')
      .on(t.quizId, t.startedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.replacedAt} is null`),
    // These indexes serve lists by score, status, violations and person, each in the order of its pages. The
    // score is the one in the list: points, or the number of right answers, which count one point each. With
    // the columns of that expression, skipped rows are read from the index alone.
    index('participants_shown_scores')
      .on(sql`coalesce(${t.points}, ${t.score} * 10000) nulls first`, t.id, t.points, t.score)
      .where(sql`${t.replacedAt} is null`),
    index('participants_statuses').on(t.status, t.id).where(sql`${t.replacedAt} is null`),
    index('participants_violations')
      .on(sql`greatest(${t.countedViolations}, ${t.violationCalls})`, t.id)
      .where(sql`${t.replacedAt} is null`),
    index('participants_of_user').on(t.userId, t.id).where(sql`${t.replacedAt} is null`),
    // The input of averages and histograms.
    index('participants_results')
      .on(t.quizId, t.submittedAt, t.totalMarks, t.score, t.maxPoints, t.points)
      .where(sql`${t.replacedAt} is null and ${t.status} = 'completed'`),
    index('participants_submitted')
      .on(t.submittedAt.asc().nullsFirst(), t.id)
      .where(sql`${t.replacedAt} is null`),
    index('participants_of_invitation').on(t.invitationId),
    // Attempts that wait for a review; the filter uses the same condition.
    index('participants_to_review')
      .on(t.startedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(
        sql`${t.replacedAt} is null and ${t.verdict} is null and ${t.status} <> 'in_progress'
          and ${t.countedViolations} + ${t.violationCalls} + ${t.fullscreenExits} + ${t.tabSwitches} + ${t.reviewFlags} > 0`,
      ),
    index('participants_running').on(t.id).where(sql`${t.status} = 'in_progress'`),
    // Rows that the retention deletes.
    index('participants_device_checks').on(t.submittedAt).where(sql`${t.deviceCheck} is not null`),
    check('participants_verdict', sql`${t.verdict} in ('no_concern', 'talk', 'breach')`),
    check(
      'participants_verdict_whole',
      sql`(${t.verdict} is null) = (${t.verdictAt} is null)
        and (${t.verdict} is null or ${t.status} <> 'in_progress')`,
    ),
    check('participants_status', sql`${t.status} in ('in_progress', 'completed', 'dismissed')`),
    check(
      'participants_ended_whole',
      sql`(${t.status} = 'in_progress') = (${t.submittedAt} is null)
        and (${t.submittedAt} is null) = (${t.submissionType} is null)
        and (${t.submittedAt} is null) = (${t.score} is null)
        and (${t.submittedAt} is null) = (${t.answeredCount} is null)
        and (${t.submittedAt} is null) = (${t.receiptId} is null)`,
    ),
    check(
      'participants_submission_type',
      sql`${t.submissionType} in ('manual', 'auto', 'dismissed', 'database')
        and (${t.status} = 'dismissed') = (${t.submissionType} = 'dismissed')`,
    ),
    check('participants_close_reason', sql`${t.closeReason} in ('auto', 'dismissed', 'database')`),
    check('participants_score', sql`${t.score} between 0 and ${t.totalMarks}`),
    check('participants_points', sql`${t.points} between 0 and ${t.maxPoints}`),
    check('participants_points_whole', sql`${t.points} is null or ${t.maxPoints} is not null`),
    check(
      'participants_times',
      sql`${t.deadlineAt} >= ${t.startedAt} and ${t.submittedAt} >= ${t.startedAt}`,
    ),
    check(
      'participants_replaced_ended',
      sql`${t.replacedAt} is null or ${t.status} <> 'in_progress'`,
    ),
    check(
      'participants_added_minutes',
      sql`${t.addedMinutes} is null or (${t.replacedHow} = 'reinstate' and ${t.addedMinutes} between 1 and 180)`,
    ),
    check('participants_attempt_number', sql`${t.attempt} >= 1`),
  ],
);

/** The paper: per position the question version and its option ids in order. Written once. */
export const paperQuestions = pgTable(
  'paper_questions',
  (c) => ({
    participantId: idOf('participant_id', () => participants.id),
    position: c.smallint('position').notNull(),
    questionId: c.uuid('question_id').notNull(),
    questionVersion: c.integer('question_version').notNull(),
    optionOrder: c.smallint('option_order').array().notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.participantId, t.questionId] }),
    unique('paper_questions_position').on(t.participantId, t.position),
    foreignKey({
      name: 'paper_questions_version',
      columns: [t.questionId, t.questionVersion],
      foreignColumns: [questionVersions.questionId, questionVersions.version],
    }),
    index('paper_questions_of_question').on(t.questionId),
  ],
);

/** The current value of one question of one attempt. Its revision only grows (I7). */
export const answers = pgTable(
  'answers',
  (c) => ({
    participantId: c.uuid('participant_id').notNull(),
    questionId: c.uuid('question_id').notNull(),
    id: c.uuid('id').notNull(),
    optionId: c.smallint('option_id'),
    /** An answer that is not one option: the ids of several, or a typed text (scoring.ts). */
    response: c.text('response'),
    isFlagged: c.boolean('is_flagged').notNull(),
    revision: c.integer('revision').notNull(),
    createdAt: instant('created_at').notNull(),
    savedAt: instant('saved_at').notNull(),
  }),
  (t) => [
    primaryKey({ columns: [t.participantId, t.questionId] }),
    // The foreign key refuses an answer to a question that is not on this candidate's paper.
    foreignKey({
      name: 'answers_on_paper',
      columns: [t.participantId, t.questionId],
      foreignColumns: [paperQuestions.participantId, paperQuestions.questionId],
    }),
    check('answers_revision', sql`${t.revision} >= 1`),
    check('answers_one_form', sql`${t.optionId} is null or ${t.response} is null`),
  ],
);

/** Answers that arrived after the end: stored separately, shown to administrators, never scored (I21). */
export const lateAnswers = pgTable(
  'late_answers',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    participantId: c.uuid('participant_id').notNull(),
    questionId: c.uuid('question_id').notNull(),
    optionId: c.smallint('option_id'),
    response: c.text('response'),
    isFlagged: c.boolean('is_flagged').notNull(),
    revision: c.integer('revision'),
    receivedAt: instant('received_at').notNull(),
  }),
  (t) => [
    foreignKey({
      name: 'late_answers_on_paper',
      columns: [t.participantId, t.questionId],
      foreignColumns: [paperQuestions.participantId, paperQuestions.questionId],
    }),
    unique('late_answers_once').on(t.participantId, t.questionId, t.revision).nullsNotDistinct(),
  ],
);

/** The log of an attempt. At most one end each (I4). */
export const participantEvents = pgTable(
  'participant_events',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    participantId: idOf('participant_id', () => participants.id),
    /** `ParticipantEvent` in db/queries/attempts/events.ts. */
    kind: c.text('kind').notNull(),
    at: instant('at').notNull(),
    details: c.jsonb('details'),
  }),
  (t) => [
    index('participant_events_newest')
      .on(t.at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.kind} in ('started', 'ended')`),
    index('participant_events_of').on(t.participantId, t.at),
    uniqueIndex('participant_events_one_end').on(t.participantId).where(sql`${t.kind} = 'ended'`),
  ],
);

/**
 * Certificates of passed attempts. Only the latest of an attempt counts; earlier ones stay, so that they are
 * recognized as replaced.
 */
export const certificates = pgTable(
  'certificates',
  (c) => ({
    number: c.text('number').primaryKey(),
    participantId: idOf('participant_id', () => participants.id),
    issuedAt: instant('issued_at').notNull(),
    /** null: with the release of the result */
    issuedBy: c.uuid('issued_by').references(() => admins.id, { onDelete: 'set null' }),
    content: c.jsonb('content').$type<CertificateContent>().notNull(),
    revokedAt: instant('revoked_at'),
    seal: bytes('seal').notNull(),
  }),
  (t) => [index('certificates_of').on(t.participantId, t.issuedAt.desc().nullsFirst())],
);

/** The texts of a certificate, and the receipt that its attempt had. */
export interface CertificateContent extends Omit<Certificate, 'number'> {
  receipt: { id: string; digest: string };
}

/**
 * Results as they were released to their candidates, and what became of that. The latest one that was not taken
 * back is shown; a corrected result is released again, and the earlier ones stay.
 */
export const resultReleases = pgTable(
  'result_releases',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    participantId: idOf('participant_id', () => participants.id),
    releasedAt: instant('released_at').notNull(),
    /** null: by its rule */
    releasedBy: c.uuid('released_by').references(() => admins.id, { onDelete: 'set null' }),
    result: c.jsonb('result').$type<ReleasedResult & { course?: ReleaseCourse }>().notNull(),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [index('result_releases_of').on(t.participantId, t.releasedAt.desc().nullsFirst())],
);
