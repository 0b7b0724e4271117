import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';

/*
 * Wrong states are impossible here where SQL can say so, and indexes are made for a million
 * participants. Times are to the millisecond, like JavaScript's; no column has a default of now():
 * the service clock's time is always a parameter (product 4.1).
 */

const instant = (name: string) =>
  timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

export const admins = pgTable(
  'admins',
  {
    id: uuid('id').primaryKey(),
    email: text('email').notNull(),
    passwordHash: text('password_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    lastSignInAt: instant('last_sign_in_at'),
    /** MAC over the credential and the confirmed second step (trust/sealed-kinds.ts). */
    seal: bytes('seal'),
  },
  (t) => [uniqueIndex('admins_email_key').on(sql`lower(${t.email})`)],
);

/** An administrator's second step (RFC 6238). Without `confirmedAt` it is being set up and asks nobody. */
export const adminTotp = pgTable('admin_totp', {
  adminId: uuid('admin_id')
    .primaryKey()
    .references(() => admins.id, { onDelete: 'cascade' }),
  sealedSecret: bytes('sealed_secret').notNull(),
  createdAt: instant('created_at').notNull(),
  confirmedAt: instant('confirmed_at'),
  /** The time step of the last code that was taken: it and those before it are used up. */
  lastStep: bigint('last_step', { mode: 'number' }),
});

/** What lets an administrator in once without the device; a used one is deleted. */
export const adminRecoveryCodes = pgTable(
  'admin_recovery_codes',
  {
    adminId: uuid('admin_id')
      .notNull()
      .references(() => admins.id, { onDelete: 'cascade' }),
    codeHash: bytes('code_hash').notNull(),
  },
  (t) => [primaryKey({ columns: [t.adminId, t.codeHash] })],
);

/** A right password that waits for its code. It opens nothing by itself. */
export const pendingSignIns = pgTable(
  'pending_sign_ins',
  {
    tokenHash: bytes('token_hash').primaryKey(),
    adminId: uuid('admin_id')
      .notNull()
      .references(() => admins.id, { onDelete: 'cascade' }),
    expiresAt: instant('expires_at').notNull(),
    /** MAC: a row that a writer to the database makes or moves to another administrator opens nothing. */
    seal: bytes('seal'),
  },
  (t) => [
    index('pending_sign_ins_of_admin').on(t.adminId),
    index('pending_sign_ins_expiry').on(t.expiresAt),
  ],
);

/** A link to set a new password, sent by mail; one per administrator, the newest. */
export const passwordResets = pgTable('password_resets', {
  adminId: uuid('admin_id')
    .primaryKey()
    .references(() => admins.id, { onDelete: 'cascade' }),
  tokenHash: bytes('token_hash').notNull().unique(),
  expiresAt: instant('expires_at').notNull(),
});

/** What every administrator's sign-in needs; one row, and none while nothing is required. */
export const signInPolicy = pgTable(
  'sign_in_policy',
  {
    one: boolean('one').primaryKey().default(true),
    totpRequired: boolean('totp_required').notNull(),
    updatedAt: instant('updated_at').notNull(),
    seal: bytes('seal'),
  },
  (t) => [check('sign_in_policy_one', sql`${t.one}`)],
);

/** A person known by e-mail. */
export const users = pgTable(
  'users',
  {
    id: uuid('id').primaryKey(),
    /** null once the person's data was erased; shown as 'Unknown' */
    email: text('email'),
    /**
     * The key of what is written about the person elsewhere, sealed; made when it is first needed.
     * Erasing takes it away, and with it all that it locks (product 9).
     */
    sealedKey: bytes('sealed_key'),
    createdAt: instant('created_at').notNull(),
  },
  // Erased people first, as lists by address have them.
  (t) => [uniqueIndex('users_email_key').on(sql`lower(${t.email}) nulls first`)],
);

export const categories = pgTable('categories', {
  id: uuid('id').primaryKey(),
  name: text('name').notNull(),
  description: text('description'),
  createdAt: instant('created_at').notNull(),
});

export const quizzes = pgTable(
  'quizzes',
  {
    id: uuid('id').primaryKey(),
    title: text('title').notNull(),
    description: text('description'),
    categoryId: uuid('category_id')
      .notNull()
      .references(() => categories.id, { onDelete: 'restrict' }),
    duration: smallint('duration').notNull(),
    totalQuestions: smallint('total_questions').notNull(),
    endDate: instant('end_date'),
    finishAfterEnd: boolean('finish_after_end').notNull(),
    isActive: boolean('is_active').notNull(),
    /** Each candidate gets a mail with the receipt when the attempt has ended. */
    closingMail: boolean('closing_mail').notNull().default(false),
    archivedAt: instant('archived_at'),
    policyVersion: integer('policy_version').notNull(),
    version: integer('version').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('quizzes_duration', sql`${t.duration} between 1 and 180`),
    check('quizzes_total_questions', sql`${t.totalQuestions} between 5 and 100`),
    check('quizzes_title', sql`${t.title} <> ''`),
    index('quizzes_listed')
      .on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.archivedAt} is null`),
    index('quizzes_category').on(t.categoryId),
  ],
);

/** Violation policies, never changed once written: an attempt stores the version it ran under. */
export const quizPolicies = pgTable(
  'quiz_policies',
  {
    quizId: uuid('quiz_id')
      .notNull()
      .references(() => quizzes.id),
    version: integer('version').notNull(),
    settings: jsonb('settings').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.quizId, t.version] })],
);

export const questions = pgTable(
  'questions',
  {
    id: uuid('id').primaryKey(),
    quizId: uuid('quiz_id')
      .notNull()
      .references(() => quizzes.id),
    orderNumber: integer('order_number').notNull(),
    /** The version that later starts get. */
    currentVersion: integer('current_version').notNull(),
    /** One above the highest option id ever used, so that an id never comes to mean another text. */
    nextOptionId: smallint('next_option_id').notNull(),
    deletedAt: instant('deleted_at'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    index('questions_of_quiz').on(t.quizId, t.orderNumber, t.id).where(sql`${t.deletedAt} is null`),
  ],
);

/** What a question said at one time. Papers point here, so an edit never reaches them. */
export const questionVersions = pgTable(
  'question_versions',
  {
    questionId: uuid('question_id')
      .notNull()
      .references(() => questions.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    question: text('question').notNull(),
    optionIds: smallint('option_ids').array().notNull(),
    optionTexts: text('option_texts').array().notNull(),
    correctOptionId: smallint('correct_option_id').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.questionId, t.version] }),
    check('question_versions_options', sql`cardinality(${t.optionIds}) between 2 and 4`),
    check(
      'question_versions_texts',
      sql`cardinality(${t.optionTexts}) = cardinality(${t.optionIds})`,
    ),
    check('question_versions_key', sql`${t.correctOptionId} = any (${t.optionIds})`),
  ],
);

/** user x quiz. Codes, delivery and the person's accommodations hang on it. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid('id').primaryKey(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id),
    quizId: uuid('quiz_id')
      .notNull()
      .references(() => quizzes.id),
    extraTimeFactor: numeric('extra_time_factor', {
      precision: 4,
      scale: 2,
      mode: 'number',
    }).notNull(),
    cameraEnabled: boolean('camera_enabled').notNull(),
    microphoneEnabled: boolean('microphone_enabled').notNull(),
    invitedBy: uuid('invited_by').references(() => admins.id, { onDelete: 'set null' }),
    createdAt: instant('created_at').notNull(),
    lastInvitedAt: instant('last_invited_at').notNull(),
    revokedAt: instant('revoked_at'),
    firstSignInAt: instant('first_sign_in_at'),
  },
  (t) => [
    unique('invitations_user_quiz').on(t.userId, t.quizId),
    unique('invitations_identity').on(t.id, t.userId, t.quizId),
    index('invitations_of_quiz').on(t.quizId, t.createdAt),
    check('invitations_extra_time', sql`${t.extraTimeFactor} between 1 and 10`),
  ],
);

/** One-time passwords as keyed hashes; more than one may be valid for somebody in progress. */
export const invitationCodes = pgTable(
  'invitation_codes',
  {
    id: uuid('id').primaryKey(),
    invitationId: uuid('invitation_id')
      .notNull()
      .references(() => invitations.id),
    codeHash: bytes('code_hash').notNull(),
    createdAt: instant('created_at').notNull(),
    revokedAt: instant('revoked_at'),
  },
  (t) => [
    uniqueIndex('invitation_codes_hash').on(t.codeHash),
    index('invitation_codes_of_invitation').on(t.invitationId),
  ],
);

/** Mail on its way. The code is sealed, and wiped once the message was handed over. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    invitationId: uuid('invitation_id').references(() => invitations.id),
    codeId: uuid('code_id').references(() => invitationCodes.id),
    /** Whose receipt it brings. */
    participantId: uuid('participant_id').references(() => participants.id),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    /** What the template needs besides the code. */
    variables: jsonb('variables').notNull(),
    sealedCode: bytes('sealed_code'),
    messageId: text('message_id').notNull(),
    state: text('state').notNull(),
    attempts: integer('attempts').notNull(),
    lastError: text('last_error'),
    createdAt: instant('created_at').notNull(),
    nextAttemptAt: instant('next_attempt_at'),
    /** From then on the mail server has its 24 hours; null until the first try. */
    firstTriedAt: instant('first_tried_at'),
    /** While `sending`: after this moment the sender is taken for dead. */
    claimedUntil: instant('claimed_until'),
    sentAt: instant('sent_at'),
  },
  (t) => [
    check('outbox_kind', sql`${t.kind} in ('invitation', 'receipt', 'notice', 'password_reset')`),
    check('outbox_receipt', sql`(${t.kind} = 'receipt') = (${t.participantId} is not null)`),
    check('outbox_state', sql`${t.state} in ('queued', 'sending', 'sent', 'uncertain', 'failed')`),
    check('outbox_code_wiped', sql`${t.state} <> 'sent' or ${t.sealedCode} is null`),
    check(
      'outbox_due',
      sql`(${t.state} in ('queued', 'uncertain')) = (${t.nextAttemptAt} is not null)`,
    ),
    check('outbox_claim', sql`(${t.state} = 'sending') = (${t.claimedUntil} is not null)`),
    index('outbox_queued').on(t.nextAttemptAt).where(sql`${t.nextAttemptAt} is not null`),
    index('outbox_sending').on(t.claimedUntil).where(sql`${t.state} = 'sending'`),
    index('outbox_newest').on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('outbox_of_invitation').on(t.invitationId),
    // What the figures count: all that was not handed over, and what lately was.
    index('outbox_not_sent').on(t.state).where(sql`${t.state} <> 'sent'`),
    index('outbox_sent').on(t.sentAt).where(sql`${t.state} = 'sent'`),
    // One receipt per attempt, however often its end is tried.
    uniqueIndex('outbox_one_receipt')
      .on(t.participantId)
      .where(sql`${t.participantId} is not null`),
  ],
);

/** ONE attempt of ONE person at ONE quiz. */
export const participants = pgTable(
  'participants',
  {
    id: uuid('id').primaryKey(),
    invitationId: uuid('invitation_id').notNull(),
    userId: uuid('user_id').notNull(),
    quizId: uuid('quiz_id').notNull(),
    attempt: smallint('attempt').notNull(),
    replacedAt: instant('replaced_at'),
    /** `another`: new paper, full time. `reinstate`: same paper and answers, the time that was left. */
    replacedHow: text('replaced_how'),
    status: text('status').notNull(),
    policyVersion: integer('policy_version').notNull(),
    totalMarks: smallint('total_marks').notNull(),
    startedAt: instant('started_at').notNull(),
    deadlineAt: instant('deadline_at').notNull(),
    /** When the server ends the attempt by itself, and why. */
    closeAt: instant('close_at').notNull(),
    closeReason: text('close_reason').notNull(),
    submittedAt: instant('submitted_at'),
    submissionType: text('submission_type'),
    score: smallint('score'),
    answeredCount: smallint('answered_count'),
    receiptId: text('receipt_id'),
    /** The session that may save; a takeover moves it in the same transaction (I17). */
    sessionId: uuid('session_id'),
    lastSeenAt: instant('last_seen_at').notNull(),
    countedViolations: integer('counted_violations').notNull(),
    violationCalls: integer('violation_calls').notNull(),
    fullscreenExits: integer('fullscreen_exits').notNull(),
    tabSwitches: integer('tab_switches').notNull(),
    /** What the browser said it runs on, at the start or when it took over. */
    isPhone: boolean('is_phone').notNull().default(false),
    /** Whether a computer was ever used: its tab rule then holds for the whole attempt. */
    usedComputer: boolean('used_computer').notNull().default(false),
    /** What the latest requests said of the device (device.ts); null: begun by an earlier version. */
    device: jsonb('device'),
    /**
     * The person's sensor switches as they stood at the start: the invitation's may change later. null:
     * begun by a process of an earlier version, during an upgrade; the invitation's count then.
     */
    cameraEnabled: boolean('camera_enabled'),
    microphoneEnabled: boolean('microphone_enabled'),
    consentTextVersion: text('consent_text_version'),
    consentAt: instant('consent_at'),
    consentAddress: text('consent_address'),
    deviceCheck: jsonb('device_check'),
    /** An administrator's own words about the attempt. */
    note: text('note').notNull().default(''),
    /** Messages from administrators; the candidate's page sees by it that there is a new one. */
    messageCount: integer('message_count').notNull().default(0),
    /** When the page's monitor was last heard of; null before the first time. */
    monitorAt: instant('monitor_at'),
    /** Since when answers arrive although the monitor is silent; null while it is not. */
    silentSince: instant('silent_since'),
    /** How many pictures the monitor said that it had checked; null: it said that it cannot tell. */
    monitorChecks: integer('monitor_checks'),
    /** Since when the monitor speaks and has checked nothing more; null while it checks. */
    unjudgedSince: instant('unjudged_since'),
    /** Flags that ask for a person's eye; what counts has its own numbers. */
    reviewFlags: integer('review_flags').notNull().default(0),
    /** A reviewer's judgement of the ended attempt. */
    verdict: text('verdict'),
    verdictNote: text('verdict_note').notNull().default(''),
    verdictAt: instant('verdict_at'),
    verdictBy: uuid('verdict_by').references(() => admins.id, { onDelete: 'set null' }),
    /** MAC over the result of an ended attempt, its answers and its key (trust/sealed-kinds.ts). */
    resultSeal: bytes('result_seal'),
  },
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
    // For lists by score, status, violations and person, each in the order of its pages.
    index('participants_scores')
      .on(t.score.asc().nullsFirst(), t.id)
      .where(sql`${t.replacedAt} is null`),
    index('participants_statuses').on(t.status, t.id).where(sql`${t.replacedAt} is null`),
    index('participants_violations')
      .on(sql`greatest(${t.countedViolations}, ${t.violationCalls})`, t.id)
      .where(sql`${t.replacedAt} is null`),
    index('participants_of_user').on(t.userId, t.id).where(sql`${t.replacedAt} is null`),
    // All that averages and histograms are made of.
    index('participants_results')
      .on(t.quizId, t.submittedAt, t.totalMarks, t.score)
      .where(sql`${t.replacedAt} is null and ${t.status} = 'completed'`),
    index('participants_submitted')
      .on(t.submittedAt.asc().nullsFirst(), t.id)
      .where(sql`${t.replacedAt} is null`),
    index('participants_of_invitation').on(t.invitationId),
    // What waits for a reviewer; the filter says it in the same words.
    index('participants_to_review')
      .on(t.startedAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(
        sql`${t.replacedAt} is null and ${t.verdict} is null and ${t.status} <> 'in_progress'
          and ${t.countedViolations} + ${t.violationCalls} + ${t.fullscreenExits} + ${t.tabSwitches} + ${t.reviewFlags} > 0`,
      ),
    index('participants_running').on(t.id).where(sql`${t.status} = 'in_progress'`),
    // What the retention takes away.
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
    check(
      'participants_times',
      sql`${t.deadlineAt} >= ${t.startedAt} and ${t.submittedAt} >= ${t.startedAt}`,
    ),
    check(
      'participants_replaced_ended',
      sql`${t.replacedAt} is null or ${t.status} <> 'in_progress'`,
    ),
    check(
      'participants_replaced_how',
      sql`(${t.replacedAt} is null) = (${t.replacedHow} is null)
        and ${t.replacedHow} in ('another', 'reinstate')`,
    ),
    check('participants_attempt_number', sql`${t.attempt} >= 1`),
  ],
);

/** The paper: per position the question version and its option ids in order. Written once. */
export const paperQuestions = pgTable(
  'paper_questions',
  {
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    position: smallint('position').notNull(),
    questionId: uuid('question_id').notNull(),
    questionVersion: integer('question_version').notNull(),
    optionOrder: smallint('option_order').array().notNull(),
  },
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
  {
    participantId: uuid('participant_id').notNull(),
    questionId: uuid('question_id').notNull(),
    id: uuid('id').notNull(),
    optionId: smallint('option_id'),
    isFlagged: boolean('is_flagged').notNull(),
    revision: integer('revision').notNull(),
    createdAt: instant('created_at').notNull(),
    savedAt: instant('saved_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.participantId, t.questionId] }),
    // On the paper or not stored: no answer to a question that this candidate was not given.
    foreignKey({
      name: 'answers_on_paper',
      columns: [t.participantId, t.questionId],
      foreignColumns: [paperQuestions.participantId, paperQuestions.questionId],
    }),
    check('answers_revision', sql`${t.revision} >= 1`),
  ],
);

/** What arrived after the end: kept apart, shown to administrators, never scored (I21). */
export const lateAnswers = pgTable(
  'late_answers',
  {
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id').notNull(),
    questionId: uuid('question_id').notNull(),
    optionId: smallint('option_id'),
    isFlagged: boolean('is_flagged').notNull(),
    revision: integer('revision'),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    foreignKey({
      name: 'late_answers_on_paper',
      columns: [t.participantId, t.questionId],
      foreignColumns: [paperQuestions.participantId, paperQuestions.questionId],
    }),
    unique('late_answers_once').on(t.participantId, t.questionId, t.revision).nullsNotDistinct(),
  ],
);

/** What happened to an attempt. At most one end each (I4). */
export const participantEvents = pgTable(
  'participant_events',
  {
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    kind: text('kind').notNull(),
    at: instant('at').notNull(),
    details: jsonb('details'),
  },
  (t) => [
    index('participant_events_newest')
      .on(t.at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.kind} in ('started', 'ended')`),
    index('participant_events_of').on(t.participantId, t.at),
    uniqueIndex('participant_events_one_end').on(t.participantId).where(sql`${t.kind} = 'ended'`),
    check(
      'participant_events_kind',
      sql`${t.kind} in ('started', 'resumed', 'device_changed', 'flooded', 'signed_in', 'extended', 'ending', 'message', 'limit_reached', 'reported', 'gap', 'replaced', 'ended')`,
    ),
  ],
);

/** What a sensor or the page noticed, and whether it counted. Only the candidate's note is later. */
export const violations = pgTable(
  'violations',
  {
    /** Made by the browser, so that sending again counts once. */
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    type: text('type').notNull(),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    counted: boolean('counted').notNull(),
    durationMs: integer('duration_ms'),
    notes: text('notes'),
    /** Which detector judged. */
    engine: text('engine'),
    /** The candidate's own words about it. */
    candidateNote: text('candidate_note'),
    /** The first answer, for whoever sends it again. */
    answer: jsonb('answer').notNull(),
  },
  (t) => [index('violations_of').on(t.participantId, t.at)],
);

/**
 * The key of an attempt's evidence, sealed with the service's. Destroying it is how evidence is
 * deleted: by the retention, and when the person is erased.
 */
export const evidenceKeys = pgTable(
  'evidence_keys',
  {
    participantId: uuid('participant_id')
      .primaryKey()
      .references(() => participants.id),
    sealedKey: bytes('sealed_key'),
    createdAt: instant('created_at').notNull(),
    destroyedAt: instant('destroyed_at'),
    /** When the files were gone as well; a storage that was away is asked again until then. */
    filesRemovedAt: instant('files_removed_at'),
  },
  (t) => [
    index('evidence_keys_kept').on(t.createdAt).where(sql`${t.sealedKey} is not null`),
    index('evidence_keys_leftover')
      .on(t.destroyedAt)
      .where(sql`${t.sealedKey} is null and ${t.filesRemovedAt} is null`),
    check('evidence_keys_whole', sql`(${t.sealedKey} is null) = (${t.destroyedAt} is not null)`),
  ],
);

/** What was uploaded; the bytes are files, sealed with the attempt's key. */
export const evidence = pgTable(
  'evidence',
  {
    /** Made by the browser, so that sending again stores once. */
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => evidenceKeys.participantId),
    /** null: a still that the policy asks for every so often. */
    violationId: uuid('violation_id').references(() => violations.id),
    at: instant('at').notNull(),
    receivedAt: instant('received_at').notNull(),
    /** Since when the file is on stable storage; until then the row only holds its room. */
    storedAt: instant('stored_at'),
    stills: smallint('stills').notNull(),
    hasLevels: boolean('has_levels').notNull(),
    bytes: integer('bytes').notNull(),
    /** MAC over the row, made when the file is stored. */
    seal: bytes('seal'),
  },
  (t) => [
    index('evidence_of').on(t.participantId, t.receivedAt),
    index('evidence_of_violation').on(t.violationId),
  ],
);

/**
 * Keyed hashes of the stills of kept evidence, to see one that comes again. Without the key they say
 * nothing; they go with their evidence.
 */
export const stillHashes = pgTable(
  'still_hashes',
  {
    participantId: uuid('participant_id').notNull(),
    hash: bytes('hash').notNull(),
    evidenceId: uuid('evidence_id')
      .notNull()
      .references(() => evidence.id, { onDelete: 'cascade' }),
    /** When the page says that it was taken. */
    takenAt: instant('taken_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.participantId, t.hash] }),
    index('still_hashes_same').on(t.hash),
    index('still_hashes_of_evidence').on(t.evidenceId),
  ],
);

/**
 * A deed for many attempts at once, where it was done already: sent again after a failure it is done
 * to the others only.
 */
export const doneDeeds = pgTable(
  'done_deeds',
  {
    /** Made by the browser, one for each thing that an administrator wants done. */
    deedId: uuid('deed_id').notNull(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    at: instant('at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.deedId, t.participantId] })],
);

/** What administrators said to a candidate during the attempt. */
export const participantMessages = pgTable(
  'participant_messages',
  {
    id: uuid('id').primaryKey(),
    participantId: uuid('participant_id')
      .notNull()
      .references(() => participants.id),
    text: text('text').notNull(),
    at: instant('at').notNull(),
  },
  (t) => [index('participant_messages_of').on(t.participantId, t.at)],
);

export const feedback = pgTable(
  'feedback',
  {
    participantId: uuid('participant_id')
      .primaryKey()
      .references(() => participants.id),
    emoji: text('emoji').notNull(),
    text: text('text'),
    skipped: boolean('skipped').notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [check('feedback_emoji', sql`${t.emoji} in ('smile', 'neutral', 'sad')`)],
);

/** Sessions by the hash of their token; ended ones stay a while so that their holder can be told why. */
export const sessions = pgTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    tokenHash: bytes('token_hash').notNull(),
    adminId: uuid('admin_id').references(() => admins.id, { onDelete: 'cascade' }),
    invitationId: uuid('invitation_id').references(() => invitations.id),
    createdAt: instant('created_at').notNull(),
    lastSeenAt: instant('last_seen_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    /** When an administrator last proved the password; null: not since this is recorded. */
    passwordAt: instant('password_at'),
    endedAt: instant('ended_at'),
    endReason: text('end_reason'),
    /** MAC of an administrator's session, so that a candidate's row cannot be turned into one. */
    seal: bytes('seal'),
  },
  (t) => [
    uniqueIndex('sessions_token').on(t.tokenHash),
    uniqueIndex('sessions_one_per_invitation')
      .on(t.invitationId)
      .where(sql`${t.endedAt} is null and ${t.invitationId} is not null`),
    index('sessions_of_admin').on(t.adminId),
    index('sessions_ended_of_invitation')
      .on(t.invitationId, t.endedAt)
      .where(sql`${t.invitationId} is not null and ${t.endedAt} is not null`),
    index('sessions_expiry').on(t.expiresAt),
    check('sessions_one_owner', sql`num_nonnulls(${t.adminId}, ${t.invitationId}) = 1`),
    check('sessions_end', sql`(${t.endedAt} is null) = (${t.endReason} is null)`),
  ],
);

/** Wrong sign-ins per account and address (product 5), shared by all processes. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    key: bytes('key').primaryKey(),
    failures: integer('failures').notNull(),
    blockedUntil: instant('blocked_until').notNull(),
  },
  (t) => [index('sign_in_failures_until').on(t.blockedUntil)],
);

/** The mail server; one row at most. */
export const smtpSettings = pgTable(
  'smtp_settings',
  {
    id: uuid('id').primaryKey(),
    one: boolean('one').notNull().default(true).unique(),
    host: text('host').notNull(),
    port: integer('port').notNull(),
    username: text('username').notNull(),
    sealedPassword: bytes('sealed_password').notNull(),
    fromEmail: text('from_email').notNull(),
    isActive: boolean('is_active').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [check('smtp_settings_one', sql`${t.one}`)],
);

/**
 * Who did what to whom: ids, no names. Append-only. A job gives each entry its number and its hash,
 * which covers the one before it, so that no entry can be changed, taken out, moved or cut off.
 */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: uuid('id').primaryKey(),
    at: instant('at').notNull(),
    adminId: uuid('admin_id'),
    action: text('action').notNull(),
    subjectType: text('subject_type'),
    subjectId: uuid('subject_id'),
    details: jsonb('details'),
    number: bigint('number', { mode: 'number' }),
    hash: bytes('hash'),
  },
  (t) => [
    index('audit_entries_newest').on(t.at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('audit_entries_subject').on(t.subjectId, t.at),
    uniqueIndex('audit_entries_number').on(t.number),
    index('audit_entries_unsealed').on(t.at, t.id).where(sql`${t.number} is null`),
    check('audit_entries_sealed_whole', sql`(${t.number} is null) = (${t.hash} is null)`),
  ],
);

/** Where the chain ends: without it, entries could be cut off its end unseen. One row. */
export const auditHead = pgTable(
  'audit_head',
  {
    one: boolean('one').primaryKey().default(true),
    number: bigint('number', { mode: 'number' }).notNull(),
    hash: bytes('hash').notNull(),
    /** HMAC over number and hash, with a key outside the database. */
    seal: bytes('seal').notNull(),
  },
  (t) => [check('audit_head_one', sql`${t.one}`)],
);

/**
 * How far the rows of an earlier version have been sealed; one row. An administrator's credentials
 * are sealed before it is written, results and evidence follow in batches.
 */
export const trustState = pgTable(
  'trust_state',
  {
    one: boolean('one').primaryKey().default(true),
    stage: text('stage').notNull(),
    /** The last row of the stage that was sealed. */
    after: uuid('after'),
    seal: bytes('seal').notNull(),
  },
  (t) => [
    check('trust_state_one', sql`${t.one}`),
    check('trust_state_stage', sql`${t.stage} in ('results', 'evidence', 'all')`),
  ],
);

/**
 * Whose turn it is to look at the live board: one look a second in the whole installation. Times are
 * the database's own and decide nothing but that. One row; unlogged, so that it costs no WAL.
 */
export const liveTurn = pgTable(
  'live_turn',
  {
    one: boolean('one').primaryKey().default(true),
    number: bigint('number', { mode: 'number' }).notNull(),
    /** The next turn begins then at the earliest. */
    nextAt: instant('next_at').notNull(),
  },
  (t) => [check('live_turn_one', sql`${t.one}`)],
);

/** What the last looks at the live board found, for the processes that did not look; unlogged. */
export const liveLooks = pgTable('live_looks', {
  number: bigint('number', { mode: 'number' }).primaryKey(),
  /** What changed since the look before, as it is sent; null: everybody looks for themselves. */
  frame: text('frame'),
});

/**
 * A known word, sealed: whether a SECRET_KEY is the one of this installation is seen by opening it.
 * One row.
 */
export const keyCheck = pgTable(
  'key_check',
  {
    one: boolean('one').primaryKey().default(true),
    sealedWord: bytes('sealed_word').notNull(),
    madeAt: instant('made_at').notNull(),
  },
  (t) => [check('key_check_one', sql`${t.one}`)],
);

/**
 * Something was erased, and old versions of its rows are still in the files of the database
 * (erased-leftovers.ts). One row, and none once they are gone.
 */
export const erasedLeftovers = pgTable(
  'erased_leftovers',
  {
    one: boolean('one').primaryKey().default(true),
    /** The oldest erasure that is not through. */
    since: instant('since').notNull(),
  },
  (t) => [check('erased_leftovers_one', sql`${t.one}`)],
);

/** How long monitoring data is kept; one row, and none while the default holds. */
export const retention = pgTable(
  'retention',
  {
    one: boolean('one').primaryKey().default(true),
    days: smallint('days').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    check('retention_one', sql`${t.one}`),
    check('retention_days', sql`${t.days} between 1 and 3650`),
  ],
);

/** Until when the service is known to have been up (product 4.1); one row. */
export const liveness = pgTable(
  'liveness',
  {
    one: boolean('one').primaryKey().default(true),
    aliveAt: instant('alive_at').notNull(),
  },
  (t) => [check('liveness_one', sql`${t.one}`)],
);
