/**
 * A password is refused when fewer guesses than this find it (zxcvbn's estimate, a power of ten). At ten
 * guesses a minute for an account, ten million take two years.
 */
const FEWEST_GUESSES_LOG10 = 7;
/** Less strict for the operator's password, as it would stop the start. */
const FEWEST_AT_START_LOG10 = 5;
/** The minimum that must remain beyond known words of this account. */
const FEWEST_OWN_CHARACTERS = 8;
/** Estimating a long text takes long, and one with a strong beginning is strong. */
const LONGEST_EVALUATED = 64;
/** Words of every installation. */
const KNOWN_WORDS = ['invigil', 'assessment'];

/** A megabyte of words that most processes never need: loaded when the first password is set. */
const estimator = once(async () => {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core');
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common');
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: LONGEST_EVALUATED });
});

/**
 * Whether a password is common or leaked, or composed of such ones, known words of the account,
 * repetitions, sequences or neighboring keys. Checked locally.
 *
 * @param context known words: the email address, the installation's address
 */
export async function isGuessable(password: string, context: readonly string[]): Promise<boolean> {
  const words = [
    ...KNOWN_WORDS,
    ...context.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)),
  ].filter((word) => word.length >= 3);
  // Also without its spaces and punctuation.
  const typed = password.toLowerCase();
  if ([typed, lettersOf(typed)].some((text) => isMadeOf(text, words))) return true;
  return (await guessesLog10(password, words)) < FEWEST_GUESSES_LOG10;
}

/** Whether a password is common or leaked, or nearly so. */
export async function isCommon(password: string): Promise<boolean> {
  return (await guessesLog10(password)) < FEWEST_AT_START_LOG10;
}

async function guessesLog10(password: string, words: string[] = []): Promise<number> {
  return (await estimator()).check(password, words).guessesLog10;
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

function isMadeOf(text: string, words: readonly string[]): boolean {
  const rest = words
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, word) => left.replaceAll(word, ''), text);
  return text.length >= FEWEST_OWN_CHARACTERS && rest.length < FEWEST_OWN_CHARACTERS;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
