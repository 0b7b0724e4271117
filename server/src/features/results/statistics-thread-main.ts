import { type MessagePort, parentPort } from 'node:worker_threads';
import { type AnswerRow, answerRows } from '@invigil/core/domain/questions/answer-rows';
import type { GivenAnswer } from '@invigil/core/domain/questions/given-answer';
import { isInRows, isSingleChoice } from '@invigil/core/domain/questions/question-definition';
import { rightOptionIds } from '@invigil/core/domain/questions/question-versions';
import { EXACT_PARTS, scoreQuestion } from '@invigil/core/domain/questions/scoring';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import {
  type AskedQuestion,
  compareGroups,
  statisticsOf,
  type TakenPaper,
} from '@invigil/core/domain/results/statistics';
import type { PaperRow } from './queries.ts';
import type { Computed, GivenRows, StatisticsInput, VersionRow } from './quiz-statistics.ts';

/*
 * The body of the thread that computes statistics (quiz-statistics.ts), so that no request waits for it. It
 * receives papers as they are read, names some that have all of their questions, and answers once it has what
 * they are scored with.
 */

/**
 * The exact points of one cell, in `EXACT_PARTS`: the same cell scores the same on every paper with its
 * negative marks.
 */
interface Scored {
  question: number;
  points: bigint;
  maxPoints: bigint;
  selected: number;
}

/** Bits of a number; a question has at most 26 options at a time. */
const MOST_BITS = 30;

const CELL = /^(\S+) (\d*)(?: (.*))?$/s;

const cells = new Map<string, number>();
const papers: (Omit<PaperRow, 'cells'> & { cells: Int32Array })[] = [];
/** The first paper that has a version of a question, by the version's key. */
const drawn = new Map<string, string>();

const port = parentPort as MessagePort;
port.on('message', (message: PaperRow[] | 'drawn' | StatisticsInput) => {
  if (Array.isArray(message)) for (const row of message) papers.push(numbered(row));
  else port.postMessage(message === 'drawn' ? [...new Set(drawn.values())] : compute(message));
});

/** Equal cells get one number, so that each is read and scored once. */
function numbered(row: PaperRow) {
  const texts = row.cells.split('\u001e');
  const numbers = new Int32Array(texts.length);
  // No iterator and no callback: there are millions of cells.
  for (let i = 0; i < numbers.length; i += 1) {
    const text = texts[i] ?? '';
    const number = cells.get(text) ?? cells.size;
    if (number === cells.size) {
      cells.set(text, number);
      const key = text.slice(0, text.indexOf(' '));
      if (!drawn.has(key)) drawn.set(key, row.id);
    }
    numbers[i] = number;
  }
  return { ...row, cells: numbers };
}

function compute({ questions, versions, compared }: StatisticsInput): Computed {
  const place = new Map(questions.map((id, i) => [id, i]));
  const optionsOf = new Map(
    [...Map.groupBy(versions, ({ questionId }) => questionId)].map(([id, of]) => [id, places(of)]),
  );
  const versionOf = new Map(versions.map((version) => [version.key, version]));
  const currentOf = (id: string) => versions.findLast(({ questionId }) => questionId === id);
  const inRows = new Set(questions.filter((id) => isInRows(typeIn(currentOf(id)?.details))));

  function read(text: string) {
    const [, key = '', option = '', typed] = CELL.exec(text) ?? [];
    const version = versionOf.get(key);
    const id = version?.questionId ?? '';
    const optionId = option === '' ? null : Number(option);
    return { version, id, answer: { questionId: id, optionId, response: typed ?? null } };
  }

  /** Selected options; where an answer has rows, its items that are right, beside that it is not blank. */
  function bitsIn({ version, id, answer }: ReturnType<typeof read>): number {
    const options = optionsOf.get(id) ?? new Map<number, number>();
    if (!inRows.has(id)) return bitsOf(answer, options);
    if (answer.response === null) return 0;
    const right = rowsIn(version, answer).filter((row) => row.given === row.right);
    return (
      (1 << MOST_BITS) |
      bitsFor(
        right.map(({ itemId }) => itemId),
        options,
      )
    );
  }

  function score(text: string, { negativeMarks, countsRight }: Omit<PaperRow, 'cells'>): Scored {
    const cell = read(text);
    const { version, id, answer } = cell;
    // Nothing is computed of a cell without points that can be had.
    if (!version) return { question: 0, points: 0n, maxPoints: 0n, selected: 0 };
    const { points, maxPoints } = scoreQuestion(version, answer, negativeMarks, countsRight);
    return { question: place.get(id) ?? 0, selected: bitsIn(cell), points, maxPoints };
  }

  /** The scores of all cells, by what decides beside them: a paper has a hundred cells. */
  const rulesOf = ({ negativeMarks, countsRight }: Omit<PaperRow, 'cells'>) =>
    JSON.stringify([negativeMarks, countsRight]);
  const scored = new Map<string, Scored[]>();
  for (const paper of papers) {
    const by = rulesOf(paper);
    if (!scored.has(by))
      scored.set(
        by,
        Array.from(cells.keys(), (text) => score(text, paper)),
      );
  }
  // The largest unit in which all points are whole numbers: sums of these are exact, and equal totals equal.
  let unit = 0n;
  for (const { points, maxPoints } of [...scored.values()].flat()) {
    unit = greatestDivisor(greatestDivisor(unit, points), maxPoints);
  }
  unit ||= EXACT_PARTS;
  /** A list for each number that is needed of a cell. */
  const lists = new Map(
    Array.from(scored, ([by, ofCells]) => {
      const list = (of: (one: Scored) => number) => Float64Array.from(ofCells, of);
      return [
        by,
        {
          ...{ question: list((one) => one.question), selected: list((one) => one.selected) },
          points: list((one) => Number(one.points / unit)),
          maxPoints: list((one) => Number(one.maxPoints / unit)),
        },
      ];
    }),
  );

  const all = papers.reduce((sum, paper) => sum + paper.cells.length, 0);
  const [question, selected] = [new Int32Array(all), new Int32Array(all)];
  const [points, maxPoints] = [new Float64Array(all), new Float64Array(all)];
  /** How many papers have each cell, of those that count. */
  const counts = new Int32Array(cells.size);
  let at = 0;
  const taken = papers.map((paper): TakenPaper => {
    const of = lists.get(rulesOf(paper));
    const [from, to] = [at, at + paper.cells.length];
    // No iterator and no callback: there are millions of cells.
    for (; at < to; at += 1) {
      const cell = paper.cells[at - from] ?? 0;
      question[at] = of?.question[cell] ?? 0;
      points[at] = of?.points[cell] ?? 0;
      maxPoints[at] = of?.maxPoints[cell] ?? 0;
      selected[at] = of?.selected[cell] ?? 0;
      if (maxPoints[at] !== 0) counts[cell] = (counts[cell] ?? 0) + 1;
    }
    const inCompared = compared?.filter((group) => paper.groups.includes(group)) ?? [];
    return {
      ...{ questions: question.subarray(from, to), points: points.subarray(from, to) },
      ...{ maxPoints: maxPoints.subarray(from, to), selected: selected.subarray(from, to) },
      seconds: paper.focused ?? undefined,
      // Someone in both is in neither.
      group: inCompared.length === 1 ? inCompared[0] : undefined,
    };
  });
  const asked = questions.map((id): AskedQuestion => {
    const current = currentOf(id);
    const options = optionsOf.get(id) ?? new Map<number, number>();
    const key = inRows.has(id) ? [...options.keys()] : current ? rightOptionIds(current) : [];
    return {
      options: options.size,
      key: bitsFor(key, options),
      isSingle: isSingleChoice(typeIn(current?.details)),
    };
  });
  const given: GivenRows[] = questions.map(() => new Map());
  for (const [text, number] of inRows.size === 0 ? [] : cells) {
    const { version, id, answer } = read(text);
    const rows = inRows.has(id) ? given[place.get(id) ?? 0] : undefined;
    for (const row of rows && answer.response !== null ? rowsIn(version, answer) : []) {
      const people = rows?.get(row.itemId) ?? new Map<number, number>();
      if (row.given === null) continue;
      rows?.set(
        row.itemId,
        people.set(row.given, (people.get(row.given) ?? 0) + (counts[number] ?? 0)),
      );
    }
  }
  const { test, questions: found } = statisticsOf(taken, asked);
  const unitsOfPoint = Number(EXACT_PARTS) / Number(unit);
  return {
    test,
    questions: found.map((one) => ({ ...one, sd: one.sd === null ? null : one.sd / unitsOfPoint })),
    optionIds: questions.map((id) => [...(optionsOf.get(id)?.keys() ?? [])]),
    given: questions.map((id, i) => (inRows.has(id) ? (given[i] ?? new Map()) : null)),
    comparisons: compared ? compareGroups(taken, questions.length, compared) : null,
  };
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  if (b === 0n) return a < 0n ? -a : a;
  return greatestDivisor(b, a % b);
}

function rowsIn(version: VersionRow | undefined, answer: GivenAnswer): AnswerRow[] {
  const { optionIds = [], details = null } = version ?? {};
  return details && isInRows(details.type) ? answerRows({ optionIds, details }, answer) : [];
}

/** The options of all versions of a question, by id, those of the newest first; of a matching its items. */
function places(versions: readonly VersionRow[]): Map<number, number> {
  const isMatching = typeIn(versions.at(-1)?.details) === 'matching';
  const ids = new Set(
    versions
      .toReversed()
      .flatMap(({ optionIds, details }) =>
        isMatching
          ? optionIds.filter((_, i) => details?.options[i]?.match !== undefined)
          : optionIds,
      ),
  );
  return new Map([...ids].slice(0, MOST_BITS).map((id, i) => [id, i]));
}

function bitsOf(
  { optionId, response }: { optionId: number | null; response: string | null },
  options: ReadonlyMap<number, number>,
): number {
  if (options.size === 0) return (response ?? '') === '' ? 0 : 1;
  const typed = (response ?? '').split(',').filter((id) => id !== '');
  const ids = optionId === null ? typed.map(Number) : [optionId];
  return bitsFor(ids, options);
}

const bitsFor = (ids: readonly number[], options: ReadonlyMap<number, number>): number =>
  ids.reduce((bits, id) => bits | (1 << (options.get(id) ?? MOST_BITS)), 0);
