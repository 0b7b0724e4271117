import type { ConvertedText } from '@invigil/core/content/html/html-text';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { OptionDefinition } from '@invigil/core/domain/questions/question-definition';
import { NO_TEXT } from './imported-item.ts';

const keyOf = ({ format, text }: ConvertedText) => `${format} ${text}`;

/** The options of a matching question whose texts are in formats of their own, and the texts beside them. */
export function matchingTexts(
  pairs: readonly { item: ConvertedText; answer: ConvertedText }[],
  further: readonly ConvertedText[],
): { texts: ConvertedText[]; options: Omit<OptionDefinition, 'text'>[] } {
  const all = [...pairs.flatMap(({ item, answer }) => [item, answer]), ...further];
  const byKey = new Map(all.map((text) => [keyOf(text), text]));
  const options = optionsOfPairs(
    pairs.map(({ item, answer }) => ({ item: keyOf(item), answer: keyOf(answer) })),
    further.map(keyOf),
  );
  return {
    texts: options.map(({ text }) => byKey.get(text) ?? NO_TEXT),
    options: options.map(({ text: _, ...option }) => option),
  };
}
