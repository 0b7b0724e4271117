import {
  formatDecimal,
  multiply,
  parseDecimal,
  subtract,
} from '@invigil/core/domain/questions/decimal';
import type { AcceptedNumber } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { negative } from '../../text/accepted-number.ts';
import {
  type FittedKey,
  fitAccepted,
  isNear,
  limitTried,
  NotSupported,
  type Score,
  type TypedScoring,
} from './score.ts';

export interface ScoredNumber extends TypedScoring {
  score: Score<number>;
  /**
   * The numbers that the file's rules seem to accept, in its order; with their points, where those are known.
   */
  hints: readonly { accepted: AcceptedNumber; earned?: number | undefined }[];
  /** All numbers that the rules compare with, besides the ends of the hints. */
  numbers: readonly string[];
  /** Also hints that add nothing are the author's. */
  isEveryHintKept?: boolean | undefined;
}

/** A number or an open interval between two, and what it earns. */
interface Piece {
  min: string;
  max: string;
  score: number;
}

/** Finds the accepted numbers; see `fitChoice`. The score changes only at numbers that the rules name. */
export function fitNumber(number: ScoredNumber): FittedKey | null {
  const { score, hints, isEveryHintKept } = number;
  limitTried([...number.numbers, ...hints]);
  const pieces = piecesOf(number);
  const [below, above] = [pieces.at(0), pieces.at(-1)];
  if ((below?.score ?? 0) > 0 || (above?.score ?? 0) > 0) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.unbounded',
        'It accepts all numbers above or below a bound.',
      ),
    );
  }
  const reached = Math.max(0, ...pieces.map((piece) => piece.score));
  if (reached <= 0) return null;
  const notes: string[] = [];
  const scored = hints.map(({ accepted, earned }) => ({
    accepted,
    score: earned ?? scoreOf(accepted, score),
  }));
  const useful = scored.filter((hint) => hint.score !== 0 || isEveryHintKept);
  let found = isExplainedBy(useful, pieces) ? useful : null;
  if (found && !isEveryHintKept) found = withoutRedundant(found, pieces);
  found ??= merged(pieces, notes);
  const { accepted, notes: more, ...fit } = fitAccepted(found, reached, number);
  return { ...fit, numeric: { accepted }, notes: [...notes, ...more] };
}

/** The ends of an accepted number, as decimals. */
function endsOf(accepted: AcceptedNumber): { min: string; max: string } {
  if ('min' in accepted) return { min: accepted.min, max: accepted.max };
  if (!('tolerancePercent' in accepted)) return { min: accepted.value, max: accepted.value };
  const value = parseDecimal(accepted.value);
  const percent = parseDecimal(accepted.tolerancePercent);
  if (!value || !percent) return { min: accepted.value, max: accepted.value };
  const part = multiply(multiply(value, percent), { digits: 1n, scale: 2 });
  const ends = [subtract(value, part), subtract(value, negative(part))].map(formatDecimal);
  return value.digits < 0n
    ? { min: ends[1] ?? '', max: ends[0] ?? '' }
    : { min: ends[0] ?? '', max: ends[1] ?? '' };
}

/**
 * All numbers in pieces of equal score: below all, each number named, each interval between two, above all.
 */
function piecesOf({ score, hints, numbers }: ScoredNumber): Piece[] {
  const texts = [...numbers, ...hints.flatMap(({ accepted }) => Object.values(endsOf(accepted)))];
  const byValue = new Map(texts.map((text) => [Number(text), text]));
  byValue.delete(Number.NaN);
  const sorted = [...byValue.keys()].sort((a, b) => a - b);
  const [first = 0, last = 0] = [sorted.at(0), sorted.at(-1)];
  const pieces: Piece[] = [{ min: '', max: '', score: score(first - Math.abs(first) - 1) }];
  sorted.forEach((value, i) => {
    const text = byValue.get(value) ?? '';
    pieces.push({ min: text, max: text, score: score(value) });
    const next = sorted[i + 1];
    if (next === undefined) return;
    pieces.push({ min: text, max: byValue.get(next) ?? '', score: score((value + next) / 2) });
  });
  pieces.push({ min: '', max: '', score: score(last + Math.abs(last) + 1) });
  return pieces;
}

interface ScoredHint {
  accepted: AcceptedNumber;
  score: number;
}

function scoreOf(hint: AcceptedNumber, score: Score<number>): number {
  if (!('min' in hint)) return score(Number(hint.value));
  const [min, max] = [Number(hint.min), Number(hint.max)];
  // A better value may lie inside, or another range begin at an end: the range itself earns the least.
  return Math.min(...[0.01, 0.31, 0.5, 0.71, 0.99].map((part) => score(min + (max - min) * part)));
}

/** Whether the best of the hints that a number matches earns what the file gives, everywhere. */
function isExplainedBy(hints: readonly ScoredHint[], pieces: readonly Piece[]): boolean {
  const ends = hints.map(({ accepted, score }) => {
    const { min, max } = endsOf(accepted);
    return { min: Number(min), max: Number(max), score };
  });
  return pieces.every((piece) => {
    if (piece.min === '') return true;
    const value = (Number(piece.min) + Number(piece.max)) / 2;
    const matching = ends.filter((end) => value >= end.min && value <= end.max);
    const best = matching.length === 0 ? 0 : Math.max(...matching.map((end) => end.score));
    return isNear(Math.max(0, best), Math.max(0, piece.score));
  });
}

function withoutRedundant(hints: readonly ScoredHint[], pieces: readonly Piece[]): ScoredHint[] {
  return hints.reduceRight<ScoredHint[]>(
    (left, hint) => {
      const without = left.filter((other) => other !== hint);
      return isExplainedBy(without, pieces) ? without : left;
    },
    [...hints],
  );
}

/** Neighbouring pieces that earn the same, as ranges; where an end does not belong, a note. */
function merged(pieces: readonly Piece[], notes: string[]): ScoredHint[] {
  const found: (Piece & { isMinIn: boolean; isMaxIn: boolean })[] = [];
  pieces.forEach((piece, i) => {
    if (piece.score <= 0) return;
    const last = found.at(-1);
    const isPoint = piece.min === piece.max;
    if (last && pieces[i - 1]?.score === piece.score) {
      last.max = piece.max;
      last.isMaxIn = isPoint;
    } else found.push({ ...piece, isMinIn: isPoint, isMaxIn: isPoint });
  });
  for (const { min, max, isMinIn, isMaxIn } of found) {
    if (!isMinIn) notes.push(boundText(min));
    if (!isMaxIn) notes.push(boundText(max));
  }
  return found.map(({ min, max, score }) => ({
    accepted: min === max ? { value: min } : { min, max },
    score,
  }));
}

const boundText = (bound: string): string =>
  t(
    /* {bound} is a number; “here”: in Invigil */ 'import.qti.bound',
    'Here {bound} itself is accepted too.',
    {
      bound,
    },
  );
