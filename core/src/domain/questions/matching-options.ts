import type { OptionDefinition } from './question-definition.ts';

/** The part of an option that tells items and answers of a matching question apart. */
export type OfMatching = Pick<OptionDefinition, 'match'>;

export function itemsOf<O extends OfMatching>(options: readonly O[]): O[] {
  return options.filter(({ match }) => match !== undefined);
}

/** An item of a matching question with the text of its right answer; null: not decided. */
export interface MatchingPair {
  item: string;
  answer: string | null;
}

export function inPairs(options: readonly OptionDefinition[]): MatchingPair[] {
  return options.flatMap(({ text, match }) => {
    if (match === undefined) return [];
    return { item: text, answer: match === null ? null : (options[match]?.text ?? null) };
  });
}

/** The answers that are right for no item. */
export function furtherAnswers(options: readonly OptionDefinition[]): string[] {
  const used = new Set(options.map(({ match }) => match));
  return options.flatMap(({ text, match }, i) => (match === undefined && !used.has(i) ? text : []));
}

/**
 * The options of a matching question: items first. An answer that several items have is there once.
 *
 * @param further answers that are right for no item
 */
export function optionsOfPairs(
  pairs: readonly MatchingPair[],
  further: readonly string[] = [],
): OptionDefinition[] {
  const right = pairs.flatMap(({ answer }) => (answer === null ? [] : answer));
  const answers = [...new Set([...right, ...further])];
  return [
    ...pairs.map(({ item, answer }) => ({
      text: item,
      isCorrect: false,
      match: answer === null ? null : pairs.length + answers.indexOf(answer),
    })),
    ...answers.map((text) => ({ text, isCorrect: false })),
  ];
}
