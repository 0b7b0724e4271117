import type { GivenStart, StartTogether } from '@invigil/core/domain/common-start';
import type {
  Correction,
  Difficulty,
  QuestionDetails,
} from '@invigil/core/domain/questions/question-definition';
import type { QuizStructure } from '@invigil/core/domain/questions/quiz-structure';
import type { NegativeMarks } from '@invigil/core/domain/questions/scoring';
import type { ResultRules } from '@invigil/core/domain/results/outcome';
import type { ReleaseRules } from '@invigil/core/domain/results/release';
import type { RetakeRule } from '@invigil/core/domain/retakes';
import type { GroupTimeRule, Reminders } from '@invigil/core/domain/schedule';
import { sql } from 'drizzle-orm';
import { type AnyPgColumn, check, index, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { bytes, idOf, instant } from './columns.ts';

export const categories = pgTable('categories', (c) => ({
  id: c.uuid('id').primaryKey(),
  name: c.text('name').notNull(),
  description: c.text('description'),
  createdAt: instant('created_at').notNull(),
}));

export const quizzes = pgTable(
  'quizzes',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    title: c.text('title').notNull(),
    description: c.text('description'),
    categoryId: idOf('category_id', () => categories.id, { onDelete: 'restrict' }),
    duration: c.smallint('duration').notNull(),
    totalQuestions: c.smallint('total_questions').notNull(),
    /** No attempt starts before; null: open at once. */
    opensAt: instant('opens_at'),
    endDate: instant('end_date'),
    /** No attempt starts from then on; null: the end date decides. */
    startBy: instant('start_by'),
    finishAfterEnd: c.boolean('finish_after_end').notNull(),
    /** Other times for groups of people, the nearest first; null: the same times for all. */
    timeRules: c.jsonb('time_rules').$type<GroupTimeRule[]>(),
    /** How often each person may take it, and which attempt counts; null: once only. */
    retakes: c.jsonb('retakes').$type<RetakeRule>(),
    /** All start at the same time; null: each when they like. */
    startTogether: c.jsonb('start_together').$type<StartTogether>(),
    /** Starts that invigilators gave, the newest of each group; null: none. */
    commonStarts: c.jsonb('common_starts').$type<GivenStart[]>(),
    isActive: c.boolean('is_active').notNull(),
    /** Each candidate gets a mail with the receipt when the attempt has ended. */
    closingMail: c.boolean('closing_mail').notNull().default(false),
    archivedAt: instant('archived_at'),
    /** Emails before the opening and the end, and since when they are set; null: none. */
    reminders: c.jsonb('reminders').$type<Reminders & { since: string }>(),
    /** Sections with their questions and drawing rules; null: questions of its own, drawn at random. */
    structure: c.jsonb('structure').$type<QuizStructure>(),
    /** The cost of wrong answers; null: nothing. */
    negativeMarks: c.jsonb('negative_marks').$type<NegativeMarks>(),
    /** Pass mark and grades; null: attempts have no outcome. */
    resultRules: c.jsonb('result_rules').$type<ResultRules>(),
    /** When candidates see their results, and what of them; null: never. */
    releaseRules: c.jsonb('release_rules').$type<ReleaseRules>(),
    /** Tags of the languages that candidates choose from, the first for who prefers none; null: the installation's first. */
    languages: c.text('languages').array(),
    policyVersion: c.integer('policy_version').notNull(),
    /** The end of the public address under which anyone can practice with it; null: it is no practice assessment. */
    practiceToken: c.text('practice_token').unique(),
    /** The practice assessment that its candidates are told of; null: none. */
    practiceQuizId: c.uuid('practice_quiz_id').references((): AnyPgColumn => quizzes.id),
    version: c.integer('version').notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [
    check('quizzes_duration', sql`${t.duration} between 1 and 180`),
    check('quizzes_total_questions', sql`${t.totalQuestions} between 5 and 100`),
    check('quizzes_opens_before_end', sql`${t.opensAt} < ${t.endDate}`),
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
  (c) => ({
    quizId: idOf('quiz_id', () => quizzes.id),
    version: c.integer('version').notNull(),
    settings: c.jsonb('settings').notNull(),
    createdAt: instant('created_at').notNull(),
    /** MAC over the sealed columns (trust/table-list.ts); null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [primaryKey({ columns: [t.quizId, t.version] })],
);

export const questions = pgTable(
  'questions',
  (c) => ({
    id: c.uuid('id').primaryKey(),
    /** The assessment it belongs to; null: only in the bank, from which any assessment can use it. */
    quizId: c.uuid('quiz_id').references(() => quizzes.id),
    orderNumber: c.integer('order_number').notNull(),
    /** The version that later starts get. */
    currentVersion: c.integer('current_version').notNull(),
    /** One above the highest option id ever used, so that an id never comes to mean another text. */
    nextOptionId: c.smallint('next_option_id').notNull(),
    deletedAt: instant('deleted_at'),
    /** Out of the bank's lists and of every draw; papers and fixed uses keep it. */
    archivedAt: instant('archived_at'),
    categoryId: c.uuid('category_id').references(() => categories.id, { onDelete: 'set null' }),
    tags: c.text('tags').array().notNull().default(sql`'{}'`),
    difficulty: c.text('difficulty').$type<Difficulty>(),
    /** The author's note, for other authors. */
    note: c.text('note').notNull().default(''),
    /**
     * Text for searches, as `search_letters` makes it: question, options and explanation of the current version, note, tags.
     * Two triggers keep it, because it is of two tables and an earlier version of the program, which may write
     * beside this one during an upgrade, does not know it.
     */
    searchText: c.text('search_text').notNull().default(''),
    createdAt: instant('created_at').notNull(),
  }),
  (t) => [
    index('questions_of_quiz').on(t.quizId, t.orderNumber, t.id).where(sql`${t.deletedAt} is null`),
    index('questions_tags').using('gin', t.tags),
    index('questions_search').using('gin', t.searchText.op('gin_trgm_ops')),
    index('questions_newest')
      .on(t.createdAt.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.deletedAt} is null`),
    index('questions_of_category').on(t.categoryId),
    check('questions_difficulty', sql`${t.difficulty} in ('easy', 'medium', 'hard')`),
  ],
);

/** A version of a question's content. Papers reference versions, so an edit never reaches them. */
export const questionVersions = pgTable(
  'question_versions',
  (c) => ({
    questionId: idOf('question_id', () => questions.id, { onDelete: 'cascade' }),
    version: c.integer('version').notNull(),
    question: c.text('question').notNull(),
    optionIds: c.smallint('option_ids').array().notNull(),
    optionTexts: c.text('option_texts').array().notNull(),
    /** The one right option; null where several are, or none. */
    correctOptionId: c.smallint('correct_option_id'),
    /** All that a plain text with one correct option does not have; null: the question is just that. */
    details: c.jsonb('details').$type<QuestionDetails>(),
    /** The decision of a rescoring beside the key. */
    correction: c.jsonb('correction').$type<Correction>(),
    createdAt: instant('created_at').notNull(),
    /** MAC of the rest; null only where Invigil did not write it. */
    seal: bytes('seal'),
  }),
  (t) => [
    primaryKey({ columns: [t.questionId, t.version] }),
    // Finds duplicates: equal questions have equal texts.
    index('question_versions_text').on(sql`md5(${t.question})`),
    check(
      'question_versions_options',
      sql`cardinality(${t.optionIds}) between 2 and 4 or ${t.details} is not null and cardinality(${t.optionIds}) <= 26`,
    ),
    check(
      'question_versions_plain',
      sql`${t.details} is not null or ${t.correctOptionId} is not null`,
    ),
    check(
      'question_versions_texts',
      sql`cardinality(${t.optionTexts}) = cardinality(${t.optionIds})`,
    ),
    check(
      'question_versions_key',
      sql`${t.correctOptionId} is null or ${t.correctOptionId} = any (${t.optionIds})`,
    ),
  ],
);

/** Images of questions, by the hash of their stored bytes, which are beside the evidence. */
export const images = pgTable('images', (c) => ({
  /** SHA-256 in hexadecimal */
  hash: c.text('hash').primaryKey(),
  mediaType: c.text('media_type').notNull(),
  /** pixels */
  width: c.integer('width').notNull(),
  height: c.integer('height').notNull(),
  bytes: c.integer('bytes').notNull(),
  /** SHA-256 of the files it was converted from, to recognize them in the next import. */
  sources: c.text('sources').array().notNull().default(sql`'{}'`),
  createdAt: instant('created_at').notNull(),
}));
