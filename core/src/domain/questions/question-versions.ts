import type { DrawableQuestion } from './draw.ts';
import {
  type Correction,
  isInRows,
  isPlainQuestion,
  type OptionDefinition,
  plainDefinition,
  type QuestionDefinition,
  type QuestionDetails,
} from './question-definition.ts';
import { assignOptionIds, type QuestionOption } from './question-options.ts';
import { isDraft, TYPES, typeIn } from './types/question-types.ts';

/** The content of a version as it is stored. `details` null: a plain question with one right option. */
export interface VersionContent {
  question: string;
  optionIds: number[];
  optionTexts: string[];
  correctOptionId: number | null;
  details: QuestionDetails | null;
}

/**
 * A validated definition as a version, whose options keep their ids (`assignOptionIds`).
 *
 * @param earlier the options of the current version and those before it, newest first
 * @param nextId one above the highest option id ever used in this question; 1 for a new question
 */
export function versionOf(
  definition: QuestionDefinition,
  earlier: readonly (readonly QuestionOption[])[] = [],
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

/** The ids of the right options, none where an answer has rows; with those that a correction accepts besides the key. */
export function rightOptionIds({
  optionIds,
  correctOptionId,
  details,
  correction,
}: Pick<VersionContent, 'optionIds' | 'correctOptionId' | 'details'> & {
  correction: Correction | null;
}): number[] {
  const right = details
    ? optionIds.filter((_, i) => details.options[i]?.isCorrect)
    : correctOptionId === null
      ? []
      : [correctOptionId];
  return [...right, ...(correction?.kind === 'also_right' ? correction.optionIds : [])];
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
    ...orderFor(optionIds, details),
  };
}

/** The facts that decide about the order of options on a paper. */
export function orderFor(
  optionIds: readonly number[],
  details: Pick<QuestionDetails, 'type' | 'options'> | null,
): Pick<DrawableQuestion, 'fixed' | 'isMixed'> {
  const { hasFixedOrder, isOrderKey } = TYPES[typeIn(details)];
  if (hasFixedOrder) return { fixed: 'all' };
  const isFixed = (i: number) => {
    const { isLast, match } = details?.options[i] ?? {};
    // The items of a matching question stay as the author has them: its answers are shuffled.
    return isLast || match !== undefined;
  };
  return {
    fixed: optionIds.filter((_, i) => isFixed(i)),
    ...(isOrderKey ? { isMixed: true } : {}),
  };
}

/**
 * An author's decision whether an option of earlier papers is one of the current version, spelled correctly.
 */
export interface SameOption {
  before: string;
  now: string;
  isSame: boolean;
}

/** Options of an earlier version by id, each with the id of the current option that it is. */
type OptionMatch = ReadonlyMap<number, number>;

/** Matches options by their ids, and as decided. */
export function matchOptions(
  earlier: VersionContent,
  current: VersionContent,
  decided: readonly SameOption[] = [],
): OptionMatch {
  const match = new Map<number, number>();
  earlier.optionIds.forEach((id, i) => {
    const given = decided.filter(({ before }) => before === earlier.optionTexts[i]);
    const same = given.find(({ isSame }) => isSame)?.now;
    const at =
      same === undefined ? current.optionIds.indexOf(id) : current.optionTexts.indexOf(same);
    const [target, now] = [current.optionIds[at], current.optionTexts[at]];
    if (target === undefined || given.some((g) => g.now === now && !g.isSame)) return;
    match.set(id, target);
  });
  return match;
}

/**
 * Finds the options that an author should confirm before the key of `current` is applied: texts that changed
 * under one option, where the key depends on it, and those that could be a right option the earlier version
 * lacks.
 *
 * @param match by `decided`
 * @param correction what is given beside the key; the options that it accepts are right
 */
export function optionsToConfirm(
  earlier: VersionContent,
  current: VersionContent,
  match: OptionMatch,
  decided: readonly SameOption[] = [],
  correction: Correction | null = null,
): SameOption[] {
  const textOf = ({ optionIds, optionTexts }: VersionContent, id: number) =>
    optionTexts[optionIds.indexOf(id)] ?? '';
  const matched = new Set(match.values());
  const [wasRight, isRight] = [
    keyIdsOf(earlier),
    [...keyIdsOf(current), ...rightOptionIds({ ...current, correction })],
  ];
  const pairs = new Map<string, SameOption>();
  const add = (before: string, now: string, isSame: boolean) => {
    if (before !== now) pairs.set(JSON.stringify([before, now]), { before, now, isSame });
  };
  const lacking = isRight.filter((id) => !matched.has(id));
  /** On which side of a matching question. */
  const isItem = ({ optionIds, details }: VersionContent, id: number) =>
    details?.options[optionIds.indexOf(id)]?.match !== undefined;
  for (const id of earlier.optionIds) {
    const target = match.get(id);
    const text = textOf(earlier, id);
    for (const { before, now } of decided) {
      if (before === text && current.optionTexts.includes(now)) add(before, now, false);
    }
    if (target === undefined) {
      for (const now of lacking) {
        if (isItem(earlier, id) === isItem(current, now)) add(text, textOf(current, now), false);
      }
    } else if (isRight.includes(target) || wasRight.includes(id)) {
      add(text, textOf(current, target), true);
    }
  }
  return [...pairs.values()];
}

/** The options on which the key depends: all of those that are matched or put in order. */
function keyIdsOf(version: VersionContent): readonly number[] {
  return isInRows(typeIn(version.details)) ? version.optionIds : rightIdsOf(version);
}

function rightIdsOf(version: VersionContent): number[] {
  const { options } = definitionOf(version);
  return version.optionIds.filter((_, i) => options[i]?.isCorrect);
}

/** A correction of `current` for an earlier version; `null` where that has none of its options. */
export function correctionFor(
  earlier: VersionContent,
  correction: Correction | null,
  match: OptionMatch,
): Correction | null {
  if (correction?.kind !== 'also_right') return correction;
  const optionIds = earlier.optionIds.filter((id) =>
    correction.optionIds.includes(match.get(id) ?? 0),
  );
  return optionIds.length === 0 ? null : { ...correction, optionIds };
}

/** Whether one more option can be accepted: of an all-or-nothing question that has one right option. */
export function hasOneRightOption(version: VersionContent): boolean {
  return (
    (version.details?.rule ?? 'all_or_nothing') === 'all_or_nothing' &&
    rightIdsOf(version).length === 1
  );
}

/**
 * The key and the points of `current` for an earlier version of the same question. `null`: the earlier
 * version is of another type, or lacks a right option.
 */
export function keyFor(
  earlier: VersionContent,
  current: VersionContent,
  match: OptionMatch,
): Pick<VersionContent, 'correctOptionId' | 'details'> | null {
  const type = typeIn(current.details);
  if (typeIn(earlier.details) !== type) return null;
  const key = definitionOf(current);
  const indexOf = (id: number) => current.optionIds.indexOf(match.get(id) ?? 0);
  const matched = new Set(match.values());
  if (rightIdsOf(current).some((id) => !matched.has(id))) return null;
  const correctOptionId =
    earlier.optionIds.find((id) => match.get(id) === (current.correctOptionId ?? 0)) ?? null;
  if (!earlier.details && !current.details) return { correctOptionId, details: null };
  const { points, rule } = key;
  const rowKeys = isInRows(type) ? rowKeysFor(earlier, current, match) : [];
  if (rowKeys === null) return null;
  const options = earlier.optionIds.map((id, i) => {
    const { isCorrect = false, weight } = key.options[indexOf(id)] ?? {};
    const { isLast, feedback } = earlier.details?.options[i] ?? {};
    return {
      isCorrect,
      ...(rule === 'weights' ? { weight: weight ?? 0 } : {}),
      ...(isLast ? { isLast } : {}),
      ...(feedback ? { feedback } : {}),
      ...rowKeys[i],
    };
  });
  const { keyField } = TYPES[type];
  return {
    correctOptionId,
    details: {
      ...(earlier.details ?? { type, format: 'plain' }),
      points,
      rule,
      options,
      ...(keyField === null ? {} : { [keyField]: key[keyField] }),
    },
  };
}

/**
 * The key of each option where an answer has rows. `null`: the earlier version lacks the right answer of one of
 * its items, has an item that is none any more, or other items to put in order.
 */
function rowKeysFor(
  earlier: VersionContent,
  current: VersionContent,
  match: OptionMatch,
): Pick<OptionDefinition, 'match' | 'place'>[] | null {
  const places = earlier.optionIds.map((id) => current.optionIds.indexOf(match.get(id) ?? 0));
  if (typeIn(current.details) === 'ordering') {
    const isSame = new Set(places).size === current.optionIds.length && !places.includes(-1);
    return isSame && places.length === current.optionIds.length
      ? places.map((place) => ({ place }))
      : null;
  }
  const keys = places.map((place, i): Pick<OptionDefinition, 'match'> | null => {
    const isItem = earlier.details?.options[i]?.match !== undefined;
    if (!isItem) return {};
    const right = current.details?.options[place]?.match;
    const at = right == null ? -1 : places.indexOf(right);
    return at === -1 ? null : { match: at };
  });
  return keys.includes(null) ? null : keys.filter((one) => one !== null);
}

/** JSON with the fields of objects in order: the database does not keep theirs. */
export function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
