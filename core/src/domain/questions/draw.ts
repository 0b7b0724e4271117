/**
 * Seeded randomness: the caller provides the seed, so that a draw can be reproduced in a test and
 * explained later. Not for secrets.
 */

/** A generator of numbers in [0, 1), determined by its seed (xmur3 into sfc32). */
export function seededRandom(seed: string): () => number {
  let h = 1779033703 ^ seed.length;
  for (let i = 0; i < seed.length; i += 1) {
    h = Math.imul(h ^ seed.charCodeAt(i), 3432918353);
    h = (h << 13) | (h >>> 19);
  }
  const next = () => {
    h = Math.imul(h ^ (h >>> 16), 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    h ^= h >>> 16;
    return h >>> 0;
  };
  let [a, b, c, d] = [next(), next(), next(), next()];
  return () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
}

/** A new array in random order (Fisher-Yates); the input is not modified. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    const held = out[i] as T;
    out[i] = out[j] as T;
    out[j] = held;
  }
  return out;
}

/** A question for the draw: its current version and that version's option ids. */
export interface DrawableQuestion {
  questionId: string;
  version: number;
  optionIds: readonly number[];
  /** Options that stay where they are: all of true/false, "None of the above" behind the others. */
  fixed?: 'all' | readonly number[] | undefined;
  /** The author's order is the key, or tells it. */
  isMixed?: boolean | undefined;
}

/** One position of a paper (product 4.6): the question version and the order of its options. */
export interface PaperPosition {
  position: number;
  questionId: string;
  version: number;
  optionOrder: number[];
}

/**
 * Draws a paper: `totalQuestions` of the questions at random, or all if there are fewer, questions
 * and options shuffled. Positions start at 1.
 */
export function drawPaper(
  questions: readonly DrawableQuestion[],
  totalQuestions: number,
  seed: string,
): PaperPosition[] {
  const random = seededRandom(seed);
  return shuffle(questions, random)
    .slice(0, totalQuestions)
    .map((question, index) => ({
      position: index + 1,
      questionId: question.questionId,
      version: question.version,
      optionOrder: orderOptions(question, random),
    }));
}

/** The options of a question in the order of a paper. */
export function orderOptions(
  { optionIds, fixed = [], isMixed = false }: Omit<DrawableQuestion, 'questionId' | 'version'>,
  random: () => number,
): number[] {
  if (fixed === 'all') return [...optionIds];
  const isFixed = (id: number) => fixed.includes(id);
  const movable = optionIds.filter((id) => !isFixed(id));
  let order = shuffle(movable, random);
  // Two that are never in order would always be in reverse, which tells the key as well.
  while (isMixed && order.length > 2 && order.every((id, i) => id === movable[i])) {
    order = shuffle(movable, random);
  }
  return [...order, ...optionIds.filter(isFixed)];
}
