import type { ScoringRule, ShortTextKey } from '@invigil/core/domain/questions/question-definition';
import { foldCase } from '@invigil/core/domain/typed-text';
import { isNear, limitTried, NotSupported, percentOf, pointsOf, type Score } from './score.ts';

export interface ScoredText {
  score: Score<string>;
  /** Texts that the file names, in its order. */
  texts: readonly string[];
  /** The ones among them that stay although they earn nothing. */
  kept: ReadonlySet<string>;
  declaredMost?: number | undefined;
  isTemplate?: boolean | undefined;
  /** Weights are meant, also where all earn the same. */
  isWeighted?: boolean | undefined;
  /** Whether case counts, where the file is known to say so; otherwise it is tried. */
  isCaseSensitive?: boolean | undefined;
}

export interface FittedText {
  rule: ScoringRule;
  shortText: ShortTextKey;
  points: number;
  notes: string[];
}

const OTHER_TEXT = '\u2063 some other text \u2063';

/** Finds the accepted texts; see `fitChoice`. */
export function fitText(text: ScoredText): FittedText | null {
  const { score, texts, kept, declaredMost } = text;
  if (score(OTHER_TEXT) > 0) throw new NotSupported('It gives points for any other text too.');
  const unique = [...new Set(texts)];
  limitTried(unique);
  const isCaseSensitive = text.isCaseSensitive ?? readsCase(unique, score);
  const seen = new Set<string>();
  const found = unique
    .map((accepted) => ({ text: accepted, score: score(accepted) }))
    .filter((accepted) => {
      const key = isCaseSensitive ? accepted.text : foldCase(accepted.text);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew && (accepted.score !== 0 || kept.has(accepted.text));
    });
  const reached = Math.max(0, ...found.map((accepted) => accepted.score));
  if (reached <= 0) return null;
  const isWhole = found.every((accepted) => isNear(accepted.score, reached));
  const { points, notes } = pointsOf(reached, declaredMost, text.isTemplate === true && isWhole);
  const isAllOrNothing = isWhole && isNear(points, reached) && !text.isWeighted;
  return {
    rule: isAllOrNothing ? 'all_or_nothing' : 'weights',
    shortText: {
      accepted: found.map((accepted) =>
        isAllOrNothing
          ? { text: accepted.text }
          : { text: accepted.text, weight: Math.max(-100, percentOf(accepted.score, points)) },
      ),
      ...(isCaseSensitive ? { isCaseSensitive } : {}),
    },
    points,
    notes,
  };
}

/** Whether upper and lower case count, by trying the other case of each text. */
function readsCase(texts: readonly string[], score: Score<string>): boolean {
  const votes = new Set<boolean>();
  for (const text of texts) {
    if (score(text) === 0) continue;
    for (const other of [text.toUpperCase(), text.toLowerCase()]) {
      if (!texts.includes(other)) votes.add(!isNear(score(other), score(text)));
    }
  }
  if (votes.size > 1) {
    throw new NotSupported('Upper and lower case count for some of its texts and not for others.');
  }
  // Case counts where both cases are named with different points.
  const isBoth = texts.some((text) =>
    texts.some((other) => foldCase(other) === foldCase(text) && !isNear(score(other), score(text))),
  );
  return isBoth || votes.has(true);
}
