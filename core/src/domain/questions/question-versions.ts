import type { DrawableQuestion } from './draw.ts';
import {
  isDraft,
  isPlainQuestion,
  plainDefinition,
  type QuestionDefinition,
  type QuestionDetails,
} from './question-definition.ts';
import { assignOptionIds, type QuestionOption } from './question-options.ts';

/** The content of a version as it is stored. `details` null: a plain question with one right option. */
export interface VersionContent {
  question: string;
  optionIds: number[];
  optionTexts: string[];
  correctOptionId: number | null;
  details: QuestionDetails | null;
}

/**
 * A validated definition as a version: a text of the earlier version keeps its option id.
 *
 * @param nextId one above the highest option id ever used in this question; 1 for a new question
 */
export function versionOf(
  definition: QuestionDefinition,
  earlier: readonly QuestionOption[] = [],
  nextId = 1,
): { content: VersionContent; nextId: number } {
  const { question, options, ...rest } = definition;
  const texts = options.map((option) => option.text);
  const assigned = assignOptionIds(texts, earlier, nextId);
  const ids = assigned.options.map((option) => option.id);
  const correct = ids.filter((_, i) => options[i]?.isCorrect);
  return {
    content: {
      question,
      optionIds: ids,
      optionTexts: texts,
      correctOptionId: correct.length === 1 ? (correct[0] ?? null) : null,
      details: isPlainQuestion(definition)
        ? null
        : { ...rest, options: options.map(({ text: _, ...option }) => option) },
    },
    nextId: assigned.nextId,
  };
}

/** A stored version as a definition, its options in the author's order. */
export function definitionOf(version: VersionContent): QuestionDefinition {
  const { question, optionIds, optionTexts, details } = version;
  if (!details) {
    const key = optionTexts[optionIds.indexOf(version.correctOptionId ?? 0)] ?? '';
    return plainDefinition(question, optionTexts, key);
  }
  return {
    ...details,
    question,
    options: optionTexts.map((text, i) => ({ text, isCorrect: false, ...details.options[i] })),
  };
}

/** A version for the draw; `null` for a draft, which cannot be scored. */
export function drawableOf(
  version: VersionContent & { questionId: string; version: number },
): DrawableQuestion | null {
  const { questionId, optionIds, details } = version;
  if (details && isDraft(details)) return null;
  return {
    questionId,
    version: version.version,
    optionIds,
    fixed: fixedOptions(optionIds, details),
  };
}

/** The options that stay where they are. */
export function fixedOptions(
  optionIds: readonly number[],
  details: Pick<QuestionDetails, 'type' | 'options'> | null,
): NonNullable<DrawableQuestion['fixed']> {
  if (details?.type === 'true_false') return 'all';
  return optionIds.filter((_, i) => details?.options[i]?.isLast);
}

/**
 * The key and the points of `current` for an earlier version of the same question, whose options keep
 * their ids. `null`: the earlier version is of another type, or lacks a right option.
 */
export function keyFor(
  earlier: VersionContent,
  current: VersionContent,
): Pick<VersionContent, 'correctOptionId' | 'details'> | null {
  const type = (version: VersionContent) => version.details?.type ?? 'multiple_choice';
  if (type(earlier) !== type(current)) return null;
  const key = definitionOf(current);
  const indexOf = (id: number) => current.optionIds.indexOf(id);
  const rightIds = current.optionIds.filter((_, i) => key.options[i]?.isCorrect);
  if (rightIds.some((id) => !earlier.optionIds.includes(id))) return null;
  if (!earlier.details && !current.details) {
    return { correctOptionId: current.correctOptionId, details: null };
  }
  const { points, rule, numeric, shortText } = key;
  const options = earlier.optionIds.map((id, i) => {
    const { isCorrect = false, weight } = key.options[indexOf(id)] ?? {};
    const isLast = earlier.details?.options[i]?.isLast;
    return {
      isCorrect,
      ...(rule === 'weights' ? { weight: weight ?? 0 } : {}),
      ...(isLast ? { isLast } : {}),
    };
  });
  const { format } = earlier.details ?? { format: 'plain' as const };
  const {
    numeric: _n,
    shortText: _s,
    ...rest
  } = earlier.details ?? { type: type(earlier), format };
  return {
    correctOptionId: current.correctOptionId,
    details: {
      ...rest,
      points,
      rule,
      options,
      ...(numeric ? { numeric } : {}),
      ...(shortText ? { shortText } : {}),
    },
  };
}

/** Equal for definitions with the same content and key, whatever the order of their options. */
export function definitionKey({ options, ...rest }: QuestionDefinition): string {
  const sorted = options.map((option) => stableJson(option)).sort();
  return stableJson({ ...rest, options: sorted });
}

/** JSON with the fields of objects in order: the database does not keep theirs. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
