import { foldCase } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import {
  type FittedKey,
  fitAccepted,
  isNear,
  limitTried,
  NotSupported,
  type Score,
  type TypedScoring,
} from './score.ts';

export interface ScoredText extends TypedScoring {
  score: Score<string>;
  /** Texts that the file names, in its order. */
  texts: readonly string[];
  /** The ones among them that stay although they earn nothing. */
  kept: ReadonlySet<string>;
  /** Whether case counts, where the file is known to say so; otherwise it is tried. */
  isCaseSensitive?: boolean | undefined;
}

const OTHER_TEXT = '\u2063 some other text \u2063';

/** Finds the accepted texts; see `fitChoice`. */
export function fitText(text: ScoredText): FittedKey | null {
  const { score, texts, kept } = text;
  if (score(OTHER_TEXT) > 0)
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.otherText',
        'It gives points for any other text too.',
      ),
    );
  const unique = [...new Set(texts)];
  limitTried(unique);
  const isCaseSensitive = text.isCaseSensitive ?? readsCase(unique, score);
  const seen = new Set<string>();
  const found = unique
    .map((named) => ({ accepted: { text: named }, score: score(named) }))
    .filter(({ accepted, score: earned }) => {
      const key = isCaseSensitive ? accepted.text : foldCase(accepted.text);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew && (earned !== 0 || kept.has(accepted.text));
    });
  const reached = Math.max(0, ...found.map((accepted) => accepted.score));
  if (reached <= 0) return null;
  const { accepted, ...fit } = fitAccepted(found, reached, text);
  return { ...fit, shortText: { accepted, ...(isCaseSensitive ? { isCaseSensitive } : {}) } };
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
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.mixedCase',
        'Upper and lower case count for some of its texts and not for others.',
      ),
    );
  }
  // Case counts where both cases are named with different points.
  const isBoth = texts.some((text) =>
    texts.some((other) => foldCase(other) === foldCase(text) && !isNear(score(other), score(text))),
  );
  return isBoth || votes.has(true);
}
