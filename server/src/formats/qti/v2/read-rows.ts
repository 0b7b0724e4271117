import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { ScoringRule } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { childrenOf, descendantsOf, type XmlElement } from '../../xml/xml-element.ts';
import { isNear, type Note, NotSupported } from '../fit/score.ts';
import { noKeyText, type ReadAnswers } from '../item/choices.ts';
import type { Scalar } from './declarations.ts';
import { contentText } from './item-body.ts';
import type { Scoring } from './scoring.ts';

const otherSharesText = (): string =>
  t(
    /* “here”: in Invigil */ 'import.qti.otherShares',
    'The file gives its pairs other shares of the points; here each counts the same.',
  );
const wholeOrderText = (): string =>
  t(
    'import.qti.wholeOrder',
    'The rule for a part of the points is not read here; all points are for the whole order.',
  );

/** Reads pairs to match: items of the first set, each with at most one right answer of the second. */
export function readMatch(
  interaction: XmlElement,
  scoring: Scoring,
  otherFiles: ReadonlyMap<string, string>,
): ReadAnswers<Scalar> {
  const sets = childrenOf(interaction, 'simpleMatchSet').map((set) =>
    childrenOf(set, 'simpleAssociableChoice'),
  );
  const [items = [], answers = []] = sets;
  const texts = new Map(
    sets.flat().map((choice) => [idOf(choice), contentText(choice, otherFiles)]),
  );
  const rightOf = new Map<string, string>();
  const key = keyOf(scoring);
  for (const pair of key) {
    // Some programs write a pair from the second set to the first.
    const [a = '', b = ''] = pair.split(/\s+/);
    const [item, answer] = items.some((choice) => idOf(choice) === a) ? [a, b] : [b, a];
    if (rightOf.has(item))
      throw new NotSupported(
        t(
          /* “it”: a question of the file; items: its rows */ 'import.qti.severalRight',
          'It has items with several right answers.',
        ),
      );
    rightOf.set(item, answer);
  }
  const isKeyed = items.every((choice) => rightOf.has(idOf(choice)));
  // Our own drafts may have the answers of some items.
  if (!isKeyed && key.length > 0 && !scoring.isOwn) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file; items: its rows */ 'import.qti.itemWithoutAnswer',
        'It has items that no answer is right for.',
      ),
    );
  }
  const options = optionsOfPairs(
    items.map((choice) => ({ item: idOf(choice), answer: rightOf.get(idOf(choice)) ?? null })),
    answers.map(idOf),
  );
  const { rule, points, notes } = isKeyed
    ? rowRule(scoring, key)
    : { rule: 'all_or_nothing' as const, points: scoring.declaredMost ?? 1, notes: [noKeyText()] };
  return {
    shape: {
      type: 'matching',
      options: options.map(({ text: _, ...option }) => option),
      rule,
      points,
    },
    options: options.map(({ text }) => texts.get(text)?.html ?? ''),
    // Feedback that follows an answer is shown for all right ones, or none.
    answers: isKeyed ? [key, []] : [],
    notes: [...notes, ...[...texts.values()].flatMap((text) => text.notes)],
  };
}

/** The right pairs; without a key, those for which the mapping gives points. */
function keyOf({ response }: Scoring): string[] {
  if (response.correct.length > 0) return response.correct.map(String);
  const entries = response.mapping?.entries ?? [];
  return entries.filter(({ value }) => value > 0).map(({ key }) => String(key));
}

/** Whether a part of the right pairs earns a part of the points. */
function rowRule(
  scoring: Scoring,
  key: readonly string[],
): { rule: ScoringRule; points: number; notes: Note[] } {
  const full = scoring.scoreOf(key);
  const parts = key.map((pair) => full - scoring.scoreOf(key.filter((one) => one !== pair)));
  const isWhole = parts.every((part) => isNear(part, full));
  const isEqual = parts.every((part) => isNear(part, full / key.length));
  const isScored = full > 0 && !scoring.isTemplate;
  return {
    rule: isWhole && key.length > 1 ? 'all_or_nothing' : 'per_option',
    points: isScored ? full : (scoring.declaredMost ?? 1),
    notes: isWhole || isEqual ? [] : [otherSharesText()],
  };
}

/** Reads items to put in order; of their scoring, what our own files have, and all or nothing. */
export function readOrder(
  interaction: XmlElement,
  scoring: Scoring,
  otherFiles: ReadonlyMap<string, string>,
): ReadAnswers<Scalar> {
  const { response, rules, isOwn, isTemplate, declaredMost } = scoring;
  const choices = childrenOf(interaction, 'simpleChoice');
  const texts = new Map(choices.map((choice) => [idOf(choice), contentText(choice, otherFiles)]));
  const key = response.correct.map(String);
  if (key.length !== texts.size || key.some((id) => !texts.has(id))) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.noRightOrder',
        'It does not say what the right order of all its items is.',
      ),
    );
  }
  const has = (name: string) => rules.some((rule) => descendantsOf(rule, name).length > 0);
  const isByPlace = isOwn && has('index');
  const isWhole = isTemplate || has('match') || rules.length === 0;
  return {
    shape: {
      type: 'ordering',
      options: key.map(() => ({ isCorrect: false })),
      rule: isByPlace ? 'per_option' : 'all_or_nothing',
      points: declaredMost ?? 1,
    },
    options: key.map((id) => texts.get(id)?.html ?? ''),
    answers: [key, []],
    notes: [
      ...(isByPlace || isWhole ? [] : [wholeOrderText()]),
      ...[...texts.values()].flatMap((text) => text.notes),
    ],
  };
}

const idOf = ({ attributes }: XmlElement) => attributes.identifier ?? '';
