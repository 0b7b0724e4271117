import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ParsedQueryOf } from '@invigil/core/contract/definition/endpoint';
import type {
  exportQuizStatistics,
  QuizStatistics,
} from '@invigil/core/contract/review/statistics';
import { currentLanguage, listText } from '@invigil/core/domain/locale';
import { answerRows } from '@invigil/core/domain/questions/answer-rows';
import type { QuestionType } from '@invigil/core/domain/questions/question-definition';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import type { ResultFigures } from '@invigil/core/domain/results/outcome';
import {
  type compareGroups,
  medianOf,
  type Statistics,
  type Suspicion,
} from '@invigil/core/domain/results/statistics';
import type { DataClass, Reach } from '@invigil/core/domain/rights';
import { t } from '@invigil/core/texts/i18n';
import type { AppContext, BaseContext, KeptStatistics } from '../../app-context.ts';
import { portionsOf } from '../../db/portions.ts';
import { listQuestions, type QuestionVersionRow } from '../../db/queries/questions.ts';
import { wordOf } from '../../formats/sheets/cell-words.ts';
import type { Handlers } from '../../http/endpoints.ts';
import { senderOf } from '../../http/sender.ts';
import { type TableRow, tableReply } from '../../http/table-stream.ts';
import { AppError } from '../../runtime/app-error.ts';
import { keepNewest } from '../../runtime/keep-newest.ts';
import type { Sender } from '../../runtime/work-queue.ts';
import { requireQuiz } from '../../sessions/guards.ts';
import { readInstitution } from '../../trust/institution.ts';
import { UNANSWERED } from '../attempts/answers/answer-text.ts';
import {
  listCounted,
  listDrawnVersions,
  readCountedState,
  readKeysState,
  readPapers,
  type StatisticsFilter,
} from './queries.ts';
import { readResults } from './results.ts';

export type VersionRow = Pick<
  QuestionVersionRow,
  'questionId' | 'version' | 'optionIds' | 'correctOptionId' | 'details' | 'correction'
> & { key: string };

/** The last message to the thread: the questions and versions that the papers are scored with. */
export interface StatisticsInput {
  /** Question ids by their places. */
  questions: string[];
  /** Versions of all questions, the newest of each last. */
  versions: VersionRow[];
  compared: [string, string] | null;
}

/** How many people gave an item each answer, or each place; by the item's id. */
export type GivenRows = Map<number, Map<number, number>>;

export interface Computed extends Statistics {
  /** Option ids by question and place of the option. */
  optionIds: number[][];
  /** By question; null where an answer has no rows. */
  given: (GivenRows | null)[];
  comparisons: ReturnType<typeof compareGroups> | null;
}

type Query = Omit<ParsedQueryOf<typeof exportQuizStatistics>, 'format'>;

/** Papers read with one statement. */
const AT_A_TIME = 1_000;
const MOST_KEPT = 20;

type Context = Pick<BaseContext, 'db' | 'queues'> & Pick<AppContext, 'keptStatistics'>;

/**
 * Statistics of an assessment. The papers are read in portions, and scored and counted in a thread of their
 * own. Kept until a result, a key or a group changes. All who wait for the same get the same; nothing is read
 * before its turn, or for those who have left.
 *
 * Throws NOT_FOUND, UNAVAILABLE.
 */
async function readStatistics(
  { db, queues, keptStatistics }: Context,
  sees: Reach,
  quizId: string,
  query: Query,
  sender: Sender,
): Promise<QuizStatistics> {
  await requireQuiz(db, quizId);
  const filter = filterOf(quizId, query);
  const key = JSON.stringify([filter, query.first, query.second, sees]);
  const read = async (signal: AbortSignal) => {
    const counted = await readCountedState(db, sees, filter);
    const known = keptStatistics.get(key);
    if (known?.counted === counted && known.keys === (await readKeysState(db, known.papers))) {
      return known.statistics;
    }
    const computed = await compute(db, sees, filter, query, signal);
    keepNewest(keptStatistics, key, { counted, ...computed }, MOST_KEPT);
    return computed.statistics;
  };
  return await queues.statistics.run(sender, read, key);
}

const filterOf = (quizId: string, { status, group, from, until }: Query): StatisticsFilter => ({
  ...{ quizId, status, group },
  from: from === undefined ? undefined : new Date(from),
  until: until === undefined ? undefined : new Date(until),
});

async function compute(
  db: BaseContext['db'],
  sees: Reach,
  filter: StatisticsFilter,
  { first, second }: Query,
  signal: AbortSignal,
): Promise<Omit<KeptStatistics, 'counted'>> {
  signal.throwIfAborted();
  const compared: [string, string] | null = first && second ? [first, second] : null;
  const counted = await listCounted(db, sees, filter);
  signal.throwIfAborted();
  const thread = new Worker(new URL('./statistics-thread-main.ts', import.meta.url));
  try {
    const failed = Promise.race([
      once(thread, 'error').then(([error]) => Promise.reject(error)),
      once(signal, 'abort').then(() => Promise.reject(signal.reason)),
    ]);
    /** The answer of the thread to a message. */
    const answerTo = async (message: 'drawn' | StatisticsInput) => {
      const answered = once(thread, 'message');
      answered.catch(() => undefined);
      thread.postMessage(message);
      const [answer] = await Promise.race([answered, failed]);
      return answer;
    };
    const portions = portionsOf(
      counted.map(({ id }) => id),
      AT_A_TIME,
    );
    failed.catch(() => {
      portions.length = 0;
    });
    // Two connections at a time, so that the others remain for candidates.
    const read = async () => {
      for (let ids = portions.shift(); ids !== undefined; ids = portions.shift()) {
        const papers = await readPapers(db, sees, ids).catch((error: unknown) => {
          // The other one ends as well.
          portions.length = 0;
          throw error;
        });
        thread.postMessage(papers);
      }
    };
    await Promise.all([read(), read()]);
    const papers = (await answerTo('drawn')) as string[];
    // Before the versions: what changes in between is read again next time.
    const keys = await readKeysState(db, papers);
    const newestLast = await listDrawnVersions(db, papers);
    signal.throwIfAborted();
    const order = (await listQuestions(db, filter.quizId)).map(({ row }) => row.id);
    const drawn = new Set(newestLast.map(({ questionId }) => questionId));
    const ownIds = order.filter((id) => drawn.delete(id));
    const questions = [...ownIds, ...[...drawn].sort()];
    // Numbers count as in the list, with the questions that no paper has.
    const placeOf = new Map(order.map((id, i) => [id, i + 1]));
    const removedFrom = order.length + 1 - ownIds.length;
    const numbered = questions.map((questionId, i) => ({
      questionId,
      number: placeOf.get(questionId) ?? removedFrom + i,
    }));
    const versions = newestLast.map(
      ({ key, questionId, version, optionIds, correctOptionId, details, correction }) => ({
        ...{ key, questionId, version, optionIds, correctOptionId, details, correction },
      }),
    );
    const computed = (await answerTo({ questions, versions, compared })) as Computed;
    const medianTime = medianOf(counted.map(({ seconds }) => seconds));
    return { keys, papers, statistics: present(computed, numbered, newestLast, medianTime) };
  } finally {
    await thread.terminate();
  }
}

function present(
  { test, questions: found, optionIds, given, comparisons }: Computed,
  questions: readonly { questionId: string; number: number }[],
  newestLast: readonly QuestionVersionRow[],
  medianTime: number | null,
): QuizStatistics {
  const { reliability } = test;
  return {
    test: {
      ...test,
      reliability: 'none' in reliability ? reliability : withoutItems(reliability),
    },
    medianTime,
    questions: questions.map(({ questionId, number }, i) => {
      const versions = newestLast.filter((version) => version.questionId === questionId);
      const newest = versions.at(-1);
      const textOf = new Map(
        versions.flatMap((version) =>
          version.optionIds.map((id, at) => [id, version.optionTexts[at] ?? ''] as const),
        ),
      );
      const { options = [], ...figures } = found[i] ?? NOTHING;
      const comparison = comparisons?.[i];
      return {
        questionId,
        number,
        type: typeIn(newest?.details),
        format: newest?.details?.format ?? 'plain',
        question: newest?.question ?? '',
        ...(newest?.correction ? { correction: newest.correction.kind } : {}),
        ...figures,
        alphaWithout: 'none' in reliability ? null : (reliability.without[i] ?? null),
        options: withoutOrder(
          typeIn(newest?.details),
          options.map((option, at) => {
            const id = optionIds[i]?.[at] ?? 0;
            const people = given[i]?.get(id) ?? new Map<number, number>();
            return {
              text: textOf.get(id) ?? '',
              ...option,
              ...(given[i] && newest ? { given: presentGiven(newest, id, people, textOf) } : {}),
            };
          }),
        ),
        ...(comparison === undefined ? {} : { comparison }),
      };
    }),
  };
}

/** Items to put in order are sorted by their texts: their own order is the key, which not everyone may see. */
const withoutOrder = <T extends { text: string }>(type: QuestionType, options: T[]): T[] =>
  type === 'ordering' ? options.sort((a, b) => (a.text < b.text ? -1 : 1)) : options;

/** Lists what an item was given, most often first. */
function presentGiven(
  { optionIds, details }: QuestionVersionRow,
  itemId: number,
  people: ReadonlyMap<number, number>,
  textOf: ReadonlyMap<number, string>,
) {
  const rows = details ? answerRows({ optionIds, details }, UNANSWERED) : [];
  const right = rows.find((row) => row.itemId === itemId)?.right;
  const isOrder = typeIn(details) === 'ordering';
  return [...people]
    .sort(([a, n], [b, m]) => m - n || a - b)
    .map(([value, chosen]) => ({
      text: isOrder ? String(value) : (textOf.get(value) ?? ''),
      isKey: value === right,
      chosen,
    }));
}

const withoutItems = <T extends { without: unknown }>({ without: _, ...rest }: T) => rest;

const NOTHING: Statistics['questions'][number] = {
  ...{ n: 0, facility: null, sd: null, itemRest: null, discrimination: null },
  ...{ effectiveWeight: null, omitted: 0, notReached: 0, medianSeconds: null },
  ...{ options: [], byAbility: [], suspicions: [] },
};

const heads = (): string[] => [
  t(/* head of a column: numbers of questions */ 'statisticsTable.number', 'Number'),
  t(/* head of a column: texts of questions */ 'statisticsTable.question', 'Question'),
  t(/* head of a column: texts of options */ 'statisticsTable.option', 'Option'),
  t(/* head of a column: whether an option is right */ 'statisticsTable.key', 'Key'),
  t(
    /* head of a column, and the name of a figure: how many people */ 'statisticsTable.people',
    'People',
  ),
  t(/* head of a column: of the people */ 'statisticsTable.share', 'Share'),
  t(
    /* head of a column, a term of item analysis: mean share of the points */ 'statisticsTable.facility',
    'Facility',
  ),
  t(/* head of a column */ 'statisticsTable.sd', 'Standard Deviation'),
  t(
    /* head of a column: of the points of a question with those of the others */ 'statisticsTable.correlation',
    'Correlation With The Rest',
  ),
  t(
    /* head of a column, a term of item analysis: upper less lower 27 percent */ 'statisticsTable.discrimination',
    'Discrimination 27 %',
  ),
  t(/* head of a column, a term of item analysis */ 'statisticsTable.weight', 'Effective Weight'),
  t(/* head of a column: how many left the question out */ 'statisticsTable.omitted', 'Omitted'),
  t(
    /* head of a column: how many did not come to the question */ 'statisticsTable.notReached',
    'Not Reached',
  ),
  t(/* head of a column */ 'statisticsTable.medianSeconds', 'Median Seconds'),
  t(
    /* head of a column: Cronbach’s alpha without the question */ 'statisticsTable.alphaWithout',
    'Alpha Without',
  ),
  t(
    /* head of a column: a fifth of the people by their points */ 'statisticsTable.lowestFifth',
    'Lowest Fifth',
  ),
  t(
    /* head of a column: a fifth of the people by their points */ 'statisticsTable.secondFifth',
    'Second Fifth',
  ),
  t(
    /* head of a column: a fifth of the people by their points */ 'statisticsTable.thirdFifth',
    'Third Fifth',
  ),
  t(
    /* head of a column: a fifth of the people by their points */ 'statisticsTable.fourthFifth',
    'Fourth Fifth',
  ),
  t(
    /* head of a column: a fifth of the people by their points */ 'statisticsTable.highestFifth',
    'Highest Fifth',
  ),
  t(
    /* head of a column: why an author should look at a question first */ 'statisticsTable.lookAtFirst',
    'Look At First',
  ),
  t(
    /* head of a column: of two groups, A, B or C */ 'statisticsTable.comparisonClass',
    'Comparison Class',
  ),
  t(/* head of a column: of two groups */ 'statisticsTable.comparisonDelta', 'Comparison Delta'),
  t(/* head of a column: of two groups */ 'statisticsTable.comparisonOdds', 'Comparison Odds'),
  t(
    /* head of a column: of two groups */ 'statisticsTable.comparisonChiSquare',
    'Comparison Chi-Square',
  ),
];
/** Why a question should be looked at first; in English its code, as in CSV. */
const SUSPICION_WORDS: Record<Suspicion, () => string> = {
  key: () =>
    t(/* in a cell: the key of a question may be wrong */ 'statisticsTable.suspicion.key', 'key'),
  easy: () => t(/* in a cell, of a question: too easy */ 'statisticsTable.suspicion.easy', 'easy'),
  hard: () => t(/* in a cell, of a question: too hard */ 'statisticsTable.suspicion.hard', 'hard'),
  flat: () =>
    t(
      /* in a cell, of a question: it hardly tells people apart */ 'statisticsTable.suspicion.flat',
      'flat',
    ),
};

/** Codes in English, as before there were other languages; else words, which may be several. */
function suspicionsText(suspicions: readonly Suspicion[]): string {
  const words = suspicions.map((code) => wordOf(SUSPICION_WORDS, code));
  return currentLanguage() === 'en' ? words.join(' ') : listText(words, 'unit');
}

/**
 * A row per question, then one per option, below each item to match or to order those of what it was given; last
 * the assessment as a whole, a figure per row, with the distribution and the sections of the same attempts.
 */
function* rowsOf(
  { test, questions, medianTime }: QuizStatistics,
  { distribution, sections }: ResultFigures,
  { first, second }: Query,
): Generator<TableRow> {
  const columns = heads().length;
  for (const one of questions) {
    yield [
      ...[one.number, one.question, '', '', one.n, '', cell(one.facility), cell(one.sd)],
      ...[cell(one.itemRest), cell(one.discrimination), cell(one.effectiveWeight)],
      ...[one.omitted, one.notReached, cell(one.medianSeconds), cell(one.alphaWithout)],
      ...one.byAbility.map(cell),
      ...[suspicionsText(one.suspicions), one.comparison?.class ?? '', cell(one.comparison?.delta)],
      ...[cell(one.comparison?.odds), cell(one.comparison?.chiSquare)],
    ];
    for (const { text, isKey, chosen, share, correlation, byAbility, given = [] } of one.options) {
      const key = (isRight: boolean) =>
        isRight ? t(/* in a cell: this option is right */ 'statisticsTable.yes', 'yes') : '';
      yield [
        ...[one.number, '', text, key(isKey), chosen, share, '', '', cell(correlation)],
        ...['', '', '', '', '', '', ...byAbility, '', '', '', '', ''],
      ];
      for (const answer of given) {
        yield [
          ...[one.number, '', `${text} → ${answer.text}`, key(answer.isKey), answer.chosen],
          ...[one.n === 0 ? 0 : answer.chosen / one.n, ...Array<string>(columns - 6).fill('')],
        ];
      }
    }
  }
  const whole = [
    ...wholeOf(test, medianTime),
    ...distributionOf(distribution),
    ...sectionsOf(sections),
  ];
  if (first && second) {
    const name = t(
      /* name of a figure: two groups of people were compared */ 'statisticsTable.compared',
      'Compared groups; odds over 1: easier for the first',
    );
    whole.push([name, `${first}; ${second}`]);
  }
  for (const [name, figure] of whole) {
    yield ['', name, '', '', figure, ...Array<string>(columns - 5).fill('')];
  }
}

/** Names a figure of the assessment as a whole. */
type Figure = [name: string, figure: number | string];

const cell = (figure: number | null | undefined) => figure ?? '';

function wholeOf(
  { reliability, ...test }: QuizStatistics['test'],
  medianTime: QuizStatistics['medianTime'],
): Figure[] {
  return [
    [
      t(
        /* head of a column, and the name of a figure: how many people */ 'statisticsTable.people',
        'People',
      ),
      test.n,
    ],
    [t(/* name of a figure */ 'statisticsTable.mean', 'Mean, percent'), cell(test.mean)],
    [t(/* name of a figure */ 'statisticsTable.median', 'Median, percent'), cell(test.median)],
    [
      t(/* name of a figure */ 'statisticsTable.sdPercent', 'Standard deviation, percent'),
      cell(test.sd),
    ],
    [t(/* name of a figure */ 'statisticsTable.skewness', 'Skewness'), cell(test.skewness)],
    [t(/* name of a figure */ 'statisticsTable.kurtosis', 'Kurtosis'), cell(test.kurtosis)],
    ...('none' in reliability ? [] : reliabilityOf(reliability)),
    [
      t(/* name of a figure */ 'statisticsTable.medianTime', 'Median time, seconds'),
      cell(medianTime),
    ],
  ];
}

function reliabilityOf({
  kind,
  alpha,
  sem,
  common,
}: Exclude<QuizStatistics['test']['reliability'], { none: unknown }>): Figure[] {
  return [
    [
      kind === 'kr20'
        ? t(/* name of a figure: Kuder-Richardson formula 20 */ 'statisticsTable.kr20', 'KR-20')
        : t(/* name of a figure */ 'statisticsTable.alpha', "Cronbach's alpha"),
      alpha,
    ],
    [
      t(/* name of a figure */ 'statisticsTable.sem', 'Standard error of measurement, percent'),
      sem,
    ],
    ...(common === undefined
      ? []
      : [
          [
            t(
              /* name of a figure: how many such questions there are */ 'statisticsTable.common',
              'Questions that everyone had, to which reliability and its error belong',
            ),
            common,
          ] satisfies Figure,
        ]),
  ];
}

const distributionOf = (distribution: ResultFigures['distribution']): Figure[] =>
  distribution.map((attempts, i) => [
    i < 19
      ? t(
          /* name of a figure: how many attempts have such a result */ 'statisticsTable.attemptsFrom',
          'Attempts from {from} to under {to} percent',
          { from: 5 * i, to: 5 * (i + 1) },
        )
      : t(
          /* name of a figure: how many attempts have such a result */ 'statisticsTable.attemptsToTop',
          'Attempts from {from} to 100 percent',
          { from: 5 * i },
        ),
    attempts,
  ]);

const sectionsOf = (sections: ResultFigures['sections']): Figure[] =>
  sections.flatMap(({ title, attempts, meanPercent, below }): Figure[] => [
    [
      t(/* name of a figure */ 'statisticsTable.sectionAttempts', 'Section “{title}”: attempts', {
        title,
      }),
      attempts,
    ],
    [
      t(/* name of a figure */ 'statisticsTable.sectionMean', 'Section “{title}”: mean, percent', {
        title,
      }),
      meanPercent,
    ],
    ...(below === null
      ? []
      : [
          [
            t(
              /* name of a figure: how many attempts have fewer points there */ 'statisticsTable.sectionBelow',
              'Section “{title}”: below its minimum',
              { title },
            ),
            below,
          ] satisfies Figure,
        ]),
  ]);

/** A group says who someone may be. */
function requireGroups({ group, first, second }: Query, shows: ReadonlySet<DataClass>): void {
  const names = [group, first, second].some((one) => one !== undefined);
  if (names && !shows.has('person')) throw new AppError('FORBIDDEN');
}

export function statisticsHandlers(ctx: Context & BaseContext) {
  return {
    async getQuizStatistics({ params, query, sees, shows, ...exchange }) {
      requireGroups(query, shows);
      return await readStatistics(ctx, sees, params.id, query, senderOf(exchange));
    },
    async exportQuizStatistics({
      params,
      query: { format, ...query },
      command,
      sees,
      shows,
      now,
      ...exchange
    }) {
      requireGroups(query, shows);
      const statistics = await readStatistics(ctx, sees, params.id, query, senderOf(exchange));
      // It names the right options of every question.
      const subject = ['quiz', params.id] as const;
      await command(({ record }) => record('statistics.exported', subject, { format }));
      const counted = await listCounted(ctx.db, sees, filterOf(params.id, query));
      const among = new Set(counted.map(({ id }) => id));
      const { figures } = await readResults(ctx, sees, params.id, among);
      const { timeZone } = await readInstitution(ctx, ctx.db);
      const make = () => ({
        name: t(/* name of a sheet */ 'statisticsTable.name', 'Statistics'),
        head: heads(),
        portions: (async function* () {
          yield [...rowsOf(statistics, figures, query)];
        })(),
      });
      return tableReply('statistics', make, { format, timeZone, now });
    },
  } satisfies Handlers;
}
