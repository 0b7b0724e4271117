import { parseDecimal } from '@invigil/core/domain/questions/decimal';
import type { AcceptedNumber } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
import { rangeAround } from '../../text/accepted-number.ts';
import {
  childOf,
  childrenOf,
  descendantsOf,
  textOf,
  type XmlElement,
} from '../../xml/xml-element.ts';
import { fitChoice } from '../fit/fit-choice.ts';
import { fitNumber } from '../fit/fit-number.ts';
import { fitText } from '../fit/fit-text.ts';
import { isNear, type Note, NotSupported } from '../fit/score.ts';
import { ASKS_FOR } from '../item/asks-for.ts';
import {
  choiceShape,
  isTrueFalse,
  lastOptions,
  noKeyText,
  type ReadAnswers,
  selectionLimits,
  typedAnswers,
} from '../item/choices.ts';
import { type ItemFeedback, splitFeedback } from '../item/item-feedback.ts';
import type { RawQuestion } from '../item/raw-question.ts';
import { type Conditions, readConditions } from './conditions.ts';
import { isSingleType, metadataOf, typeOf } from './metadata.ts';
import { fieldOf, materialsHtml, presentationHtml, type ResponseField } from './presentation.ts';
import { readMatching, readOrdering } from './read-rows.ts';

/** Scoring in the scale of the points. */
interface Scoring {
  conditions: Conditions;
  /** Points of the question; without, they follow from the rules. */
  points: number | undefined;
  factor: number;
  type: string;
  notes: Note[];
}

type ReadField = ReadAnswers<string>;

/** Types of Canvas, and of older metadata, whose answers have rows. */
const ROW_READERS: Record<string, typeof readMatching | undefined> = {
  matching_question: readMatching,
  matching: readMatching,
  ordering_question: readOrdering,
};

/** Reads an item of QTI 1.2. Throws NotSupported. `stimulus` is the text that several items share. */
export function readItem(item: XmlElement, stimulus: string | undefined): RawQuestion {
  const metadata = metadataOf(item);
  const { type, notRead } = typeOf(metadata);
  if (type === 'text_only_question') {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.onlyText',
        'It is a text without a question; questions that refer to it have it too.',
      ),
    );
  }
  if (notRead !== null) throw new NotSupported(notRead(type));
  if (descendantsOf(item, 'calculated').length > 0) {
    throw new NotSupported(ASKS_FOR.resultComputedRandomValues('calculated'));
  }
  const presentation = childOf(item, 'presentation');
  if (!presentation)
    throw new NotSupported(
      t(/* “it”: a question of the file */ 'import.qti.noText', 'It has no text.'),
    );
  const readRows = ROW_READERS[type];
  if (readRows) return readRows(item, presentation, metadata);
  const field = fieldOf(presentation);
  const conditions = readConditions(item, field.ident);
  const read = field.element.name === 'response_lid' ? readChoice : readText;
  const answers = probes(field, item, type);
  const scoring = { conditions, type, ...scaleOf(conditions, answers, metadata) };
  const result = read(item, field, scoring);
  const feedback = readFeedback(item, conditions, result);
  return {
    shape: result.shape,
    html: {
      question: `${stimulus === undefined ? '' : `<div>${stimulus}</div>`}${presentationHtml(presentation)}`,
      options: result.options,
      explanation: feedback.explanation,
      feedback: feedback.feedback,
    },
    notes: [
      ...conditions.notes,
      ...scoring.notes,
      ...result.notes,
      ...(stimulus === undefined
        ? []
        : [
            t(
              /* “it”: a question of the file */ 'import.qti.sharedText',
              'A text that it shares with other items is part of its own text now.',
            ),
          ]),
      ...feedback.notes,
    ],
  };
}

/**
 * Canvas and cartridges score from 0 to 100, Canvas with the points beside; newer exports of it score in
 * points, but say 100 all the same. Otherwise the points are what the rules give.
 */
function scaleOf(
  { run, declaredMost }: Conditions,
  answers: readonly string[][],
  metadata: ReadonlyMap<string, string>,
): Pick<Scoring, 'points' | 'factor' | 'notes'> {
  const possible = Number(
    metadata.get('points_possible') ??
      metadata.get('qmd_weighting') ??
      (metadata.get('qmd_absolutescore_max') || Number.NaN),
  );
  const reached = Math.max(0, ...answers.map((answer) => run(answer).score));
  if (Number.isFinite(possible)) {
    if (reached === 0) return { points: possible, factor: 1, notes: [] };
    const isInPoints = declaredMost === undefined || isNear(reached, possible);
    const most = isInPoints ? reached : Math.max(reached, declaredMost);
    return { points: possible, factor: possible === 0 ? 1 / most : possible / most, notes: [] };
  }
  if (declaredMost !== 100) return { points: declaredMost, factor: 1, notes: [] };
  const notes = [
    t(
      /* “it”: a question of the file */ 'import.qti.percentAlone',
      'The file says how much of 100 % an answer earns, but no points; it has 1 point.',
    ),
  ];
  return { points: 1, factor: 0.01, notes };
}

/** Answers that reach the most that can be reached. */
function probes(field: ResponseField, item: XmlElement, type: string): string[][] {
  const ids = labelsOf(field).map(({ attributes }) => attributes.ident ?? '');
  const values = valuesIn(item);
  if (ids.length === 0) return values.map((value) => [value]);
  const isSingle = isSingleType(type, field.element.attributes.rcardinality);
  const { named: meant } = readConditions(item, field.ident);
  const named = [...meant, ...setsIn(item)].map((set) => ids.filter((id) => set.includes(id)));
  return isSingle
    ? ids.map((id) => [id])
    : [...named, ...ids.map((id) => [id]), bestOf(ids, item, field)];
}

/** All options that add to the score one by one. */
function bestOf(ids: readonly string[], item: XmlElement, field: ResponseField): string[] {
  const { run } = readConditions(item, field.ident);
  return ids.filter((id) => run([id]).score > 0);
}

function labelsOf({ render }: ResponseField): XmlElement[] {
  return render?.name === 'render_choice' ? descendantsOf(render, 'response_label') : [];
}

function valuesIn(item: XmlElement): string[] {
  return comparisons(item).map((element) => textOf(element).trim());
}

/** The selections that rules describe: what must be there, without what must not. */
function setsIn(item: XmlElement): string[][] {
  return childrenOf(item, 'resprocessing')
    .flatMap((block) => descendantsOf(block, 'conditionvar'))
    .map((condition) => positive(condition));
}

function positive(element: XmlElement): string[] {
  return childrenOf(element).flatMap((child) => {
    if (child.name === 'not') return [];
    return child.name === 'varequal' ? [textOf(child).trim()] : positive(child);
  });
}

function comparisons(item: XmlElement): XmlElement[] {
  return childrenOf(item, 'resprocessing').flatMap((block) =>
    descendantsOf(block, 'varequal', 'vargt', 'vargte', 'varlt', 'varlte'),
  );
}

function readChoice(item: XmlElement, field: ResponseField, scoring: Scoring): ReadField {
  const labels = labelsOf(field);
  const ids = labels.map(({ attributes }) => attributes.ident ?? '');
  const isSingle = isSingleType(scoring.type, field.element.attributes.rcardinality);
  const { run, named } = scoring.conditions;
  const fit = fitChoice({
    ids,
    isSingle,
    score: (selected) => run(ids.filter((id) => selected.has(id))).score * scoring.factor,
    named: [...named, ...setsIn(item)],
    declaredMost: scoring.points || undefined,
  });
  const texts = labels.map(materialsHtml);
  const words = labels.map(textOf);
  const isTwo =
    isSingle &&
    (/true[_/]false/i.test(scoring.type) || isTrueFalse(ids, words)) &&
    ids.length === 2;
  const { shuffle, minnumber, maxnumber } = field.render?.attributes ?? {};
  const last = lastOptions(
    labels.map(
      ({ attributes }) => /^no$/i.test(attributes.rshuffle ?? '') && /^yes$/i.test(shuffle ?? ''),
    ),
    // Most programs leave it out, and mean nothing by that.
    !/^no$/i.test(shuffle ?? 'yes'),
    isTwo,
  );
  const { min, max } = selectionLimits(minnumber, maxnumber, ids.length);
  const right = ids.filter((_, i) => fit?.isCorrect[i]);
  return {
    shape: {
      ...choiceShape(fit, isSingle, isTwo, last.isLast),
      points: pointsFor(scoring, fit),
      ...(!isSingle && min !== undefined && min <= right.length ? { minSelections: min } : {}),
      ...(!isSingle && max !== undefined && max >= right.length ? { maxSelections: max } : {}),
    },
    options: texts,
    answers: isSingle ? ids.map((id) => [id]) : [...ids.map((id) => [id]), right],
    notes: [...(fit?.notes ?? [noKeyText()]), ...last.notes],
  };
}

/** Points that the file gives; 0 where it says so. */
function pointsFor(scoring: Scoring, fit: { points: number } | null): number {
  return scoring.points === 0 ? 0 : (fit?.points ?? scoring.points ?? 1);
}

function readText(item: XmlElement, field: ResponseField, scoring: Scoring): ReadField {
  const { fibtype = 'String' } = field.render?.attributes ?? {};
  const isNumber =
    scoring.type === 'numerical_question' ||
    field.element.name === 'response_num' ||
    /^(?:integer|decimal|scientific)$/i.test(fibtype);
  if (isNumber) return readNumber(item, scoring);
  const texts = valuesIn(item).filter((text) => text !== '');
  const fit = fitText({
    texts,
    kept: new Set(),
    score: (text) => scoring.conditions.run([text]).score * scoring.factor,
    declaredMost: scoring.points || undefined,
  });
  const answers = [...texts, 'another answer'].map((text) => [text]);
  return typedAnswers('short_text', fit, pointsFor(scoring, fit), answers);
}

function readNumber(item: XmlElement, scoring: Scoring): ReadField {
  const numbers = valuesIn(item).filter((text) => parseDecimal(text) !== null);
  const fit = fitNumber({
    hints: comparisons(item)
      .flatMap(hintOf)
      .map((accepted) => ({ accepted })),
    numbers,
    score: (value) => scoring.conditions.run([String(value)]).score * scoring.factor,
    declaredMost: scoring.points || undefined,
  });
  const answers = [...numbers, '123456789'].map((text) => [text]);
  return typedAnswers('numeric', fit, pointsFor(scoring, fit), answers);
}

function hintOf(element: XmlElement): AcceptedNumber[] {
  const value = textOf(element).trim();
  if (element.name !== 'varequal' || parseDecimal(value) === null) return [];
  const { margin, margintype } = element.attributes;
  if (margin === undefined || parseDecimal(margin) === null) return [{ value }];
  if (margintype === 'percent') return [{ value, tolerancePercent: margin }];
  const range = rangeAround(value, margin, margin);
  return range ? [range] : [];
}

/** The feedback of Canvas on any correct answer, and on any wrong one. */
const VERDICTS = ['correct_fb', 'general_incorrect_fb'];

function readFeedback(
  item: XmlElement,
  { run }: Conditions,
  { answers, options }: Pick<ReadField, 'answers' | 'options'>,
): ItemFeedback {
  const shown = answers.map((answer) => run(answer).feedback);
  return splitFeedback(
    childrenOf(item, 'itemfeedback').map((feedback) => {
      const ident = feedback.attributes.ident ?? '';
      return {
        html: materialsHtml(feedback),
        isShown: shown.map((set) => set.has(ident)),
        isVerdict: VERDICTS.includes(ident),
        // Canvas' name for it, also where no rule shows it.
        ...(ident === 'general_fb' ? { isGeneral: true } : {}),
      };
    }),
    options.length,
  );
}
