import type { ScoringRule } from '@invigil/core/domain/questions/question-definition';

const ONE = 'An option without a text was left out.';
const SEVERAL = 'Options without a text were left out.';

/**
 * Editors store options that were never filled in: wrong ones without a text are left out, as the systems
 * that wrote them do. One that earns something stays, and the question is refused for it.
 */
export function withoutBlankOptions<
  Option extends { isCorrect: boolean; weight?: number | undefined },
>(
  rule: ScoringRule,
  options: readonly Option[],
  texts: readonly string[],
): { options: Option[]; texts: string[]; notes: string[] } {
  const last = texts.findLastIndex((text) => text.trim() !== '');
  const isKept = (option: Option, i: number) =>
    // Those at the end are nothing to any question.
    i > last ||
    // Under this rule, how many options there are decides what each is worth.
    rule === 'per_option' ||
    (texts[i] ?? '').trim() !== '' ||
    option.isCorrect ||
    (option.weight ?? 0) > 0;
  const kept = options.map(isKept);
  const blank = kept.filter((isThere) => !isThere).length;
  return {
    options: options.filter((_, i) => kept[i]),
    texts: texts.filter((_, i) => kept[i]),
    notes: blank === 0 ? [] : [blank === 1 ? ONE : SEVERAL],
  };
}
