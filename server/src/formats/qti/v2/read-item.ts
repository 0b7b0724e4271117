import { parseDecimal } from '@invigil/core/domain/questions/decimal';
import type { ScoringRule } from '@invigil/core/domain/questions/question-definition';
import { t } from '@invigil/core/texts/i18n';
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
import { NotSupported } from '../fit/score.ts';
import {
  choiceShape,
  isTrueFalse,
  lastOptions,
  noKeyText,
  type ReadAnswers,
  selectionLimits,
  typedAnswers,
} from '../item/choices.ts';
import type { RawQuestion } from '../item/raw-question.ts';
import {
  comparedNumbers,
  comparedSets,
  comparedTexts,
  numberHints,
  weightedNumbers,
} from './compared.ts';
import type { Scalar } from './declarations.ts';
import { readFeedback } from './feedback.ts';
import { contentText, interactionOf, questionText } from './item-body.ts';
import { readMatch, readOrder } from './read-rows.ts';
import { MARKDOWN_CLASS, readScoring, type Scoring } from './scoring.ts';

/**
 * Reads an item of QTI 2.x, or of 3.0 after `normalizeNames`. Throws NotSupported. `otherFiles` are the
 * texts of files that it names, in HTML.
 */
export function readItem(item: XmlElement, otherFiles: ReadonlyMap<string, string>): RawQuestion {
  if (item.attributes.adaptive === 'true') {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.adaptive',
        'It is adaptive: what it asks depends on earlier answers.',
      ),
    );
  }
  if (childOf(item, 'templateDeclaration') ?? childOf(item, 'templateProcessing')) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.random',
        'Its values are drawn at random (template processing).',
      ),
    );
  }
  const body = childOf(item, 'itemBody');
  if (!body)
    throw new NotSupported(
      t(/* “it”: a question of the file */ 'import.qti.noText', 'It has no text.'),
    );
  const interaction = interactionOf(body);
  const scoring = readScoring(item, interaction);
  const question = questionText(body, otherFiles);
  const stimulus = childrenOf(item, 'assessmentStimulusRef')
    .map(({ attributes }) => otherFiles.get(attributes.href ?? ''))
    .filter((html) => html !== undefined);
  const notes = [...scoring.notes, ...question.notes];
  if (
    stimulus.length > 0 ||
    descendantsOf(body, 'object').some((o) => otherFiles.has(o.attributes.data ?? ''))
  ) {
    notes.push(
      t(
        /* “it”: a question of the file */ 'import.qti.sharedText',
        'A text that it shares with other items is part of its own text now.',
      ),
    );
  }
  const read = READERS[interaction.name] ?? readChoice;
  const { shape, options, answers, notes: more } = read(interaction, scoring, otherFiles);
  const feedback = readFeedback(
    item,
    answers.map((answer) => scoring.outcomesOf(answer)),
    { options: options.length, isOwn: scoring.isOwn },
  );
  return {
    shape,
    ...(scoring.isOwn && body.attributes.class === MARKDOWN_CLASS ? { isMarkdown: true } : {}),
    html: {
      question: stimulus.map((html) => `<div>${html}</div>`).join('') + question.html,
      options,
      explanation: feedback.explanation,
      feedback: feedback.feedback,
    },
    notes: [...notes, ...more, ...feedback.notes],
  };
}

type ReadInteraction = ReadAnswers<Scalar>;
type Reader = (
  interaction: XmlElement,
  scoring: Scoring,
  otherFiles: ReadonlyMap<string, string>,
) => ReadInteraction;

const READERS: Record<string, Reader> = {
  textEntryInteraction: readField,
  matchInteraction: readMatch,
  orderInteraction: readOrder,
};

function readChoice(
  interaction: XmlElement,
  scoring: Scoring,
  otherFiles: ReadonlyMap<string, string>,
): ReadInteraction {
  const { response, isOwn } = scoring;
  const choices = childrenOf(interaction).filter(({ name }) =>
    /^(?:simple|inline)Choice$/.test(name),
  );
  const ids = choices.map(({ attributes }) => attributes.identifier ?? '');
  if (response.cardinality !== 'single' && response.cardinality !== 'multiple') {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.choicesMake',
        'Its choices make a “{kind}” response.',
        { kind: response.cardinality },
      ),
    );
  }
  const isSingle = response.cardinality === 'single';
  const fit = fitChoice({
    ids,
    isSingle,
    score: (selected) => scoring.scoreOf(ids.filter((id) => selected.has(id))),
    named: [response.correct.map(String), ...comparedSets(scoring.rules)],
    declaredMost: scoring.declaredMost,
    isTemplate: scoring.isTemplate,
    mapped: scoring.isMapped || isOwn ? ids.map((id) => mappedValue(scoring, id)) : undefined,
    rule: isOwn ? ownRule(scoring) : undefined,
  });
  const texts = choices.map((choice) => contentText(choice, otherFiles));
  const isFixed = choices.map(({ attributes }) => attributes.fixed === 'true');
  const isTwo =
    isSingle &&
    isTrueFalse(
      ids,
      choices.map((choice) => (isOwn ? '' : textOf(choice))),
    );
  const isShuffled = /^(?:true|1)$/i.test(interaction.attributes.shuffle ?? 'false');
  const last = lastOptions(isFixed, isShuffled, isTwo);
  const { min, max } = selectionLimits(
    interaction.attributes.minChoices,
    interaction.attributes.maxChoices,
    ids.length,
  );
  const right = ids.filter((_, i) => fit?.isCorrect[i]);
  const isTooFew = !isSingle && !isOwn && max !== undefined && max < right.length;
  return {
    shape: {
      ...choiceShape(fit, isSingle, isTwo, last.isLast),
      points: fit?.points ?? scoring.declaredMost ?? 1,
      ...(!isSingle && min !== undefined ? { minSelections: min } : {}),
      ...(!isSingle && max !== undefined && !isTooFew ? { maxSelections: max } : {}),
    },
    options: texts.map((text) => text.html),
    answers: isSingle ? ids.map((id) => [id]) : [...ids.map((id) => [id]), ids, right],
    notes: [
      ...(fit?.notes ?? [noKeyText()]),
      ...last.notes,
      ...(isTooFew
        ? [
            t(
              /* “it”: a question of the file */ 'import.qti.fewerSelections',
              'It allows fewer selections than its key has; that limit was left out.',
            ),
          ]
        : []),
      ...texts.flatMap((text) => text.notes),
    ],
  };
}

/** The rule that one of our own files means, by the form in which we write each. */
function ownRule({ rules, isMapped }: Scoring): ScoringRule {
  if (isMapped) return 'weights';
  const has = (name: string) => rules.some((rule) => descendantsOf(rule, name).length > 0);
  if (has('match')) return 'all_or_nothing';
  return has('sum') ? 'per_option' : 'right_minus_wrong';
}

/** The points that the mapping takes away for a text; Infinity when it takes none. */
function lossOf({ response, isMapped }: Scoring, text: string): number {
  const value = response.mapping?.entries.find((entry) => entry.key === text)?.value ?? 0;
  return isMapped && value < 0 ? value : Infinity;
}

/** The points that the mapping gives for one option. */
function mappedValue({ response }: Scoring, id: string): number {
  const { entries = [], otherwise = 0 } = response.mapping ?? {};
  return entries.find((entry) => entry.key === id)?.value ?? otherwise;
}

function readField(interaction: XmlElement, scoring: Scoring): ReadInteraction {
  const { response } = scoring;
  if (response.cardinality !== 'single') {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.fieldMakes',
        'Its field makes a “{kind}” response.',
        { kind: response.cardinality },
      ),
    );
  }
  const notes =
    interaction.attributes.patternMask === undefined
      ? []
      : [
          t(
            /* “it”: a question of the file */ 'import.qti.pattern',
            'The pattern that its field allows was left out.',
          ),
        ];
  if (response.baseType === 'number') return { ...readNumber(scoring), notes };
  if (response.baseType !== 'string')
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.fieldType',
        'Its field takes neither text nor a number.',
      ),
    );
  const { keys, correct } = response.texts;
  const texts = [...keys, ...correct, ...comparedTexts(scoring.rules)];
  const fit = fitText({
    texts: texts.filter((text) => text !== ''),
    kept: new Set(keys),
    // A loss alone counts as 0, but is what the author wrote.
    score: (text) => Math.min(scoring.scoreOf([text]), lossOf(scoring, text)),
    declaredMost: scoring.declaredMost,
    isTemplate: scoring.isTemplate,
    isWeighted: scoring.isOwn && scoring.isMapped,
    isCaseSensitive: scoring.isOwn
      ? (response.mapping?.entries.every((entry) => entry.isCaseSensitive) ?? false)
      : undefined,
  });
  const points = fit?.points ?? scoring.declaredMost ?? 1;
  const answers = [...texts, 'another answer'].map((text) => [text]);
  const read = typedAnswers<Scalar>('short_text', fit, points, answers);
  return { ...read, notes: [...notes, ...read.notes] };
}

function readNumber(scoring: Scoring): ReadInteraction {
  const { response, rules } = scoring;
  const { keys, correct } = response.texts;
  const isNumber = (text: string) => parseDecimal(text) !== null;
  const numbers = [...keys, ...correct, ...comparedNumbers(rules)].filter(isNumber);
  // Our own files say it all in their rules; the key is one of the accepted numbers.
  const values = scoring.isOwn ? [] : [...keys, ...correct].map((value) => ({ value }));
  const hints = [...rules.flatMap((rule) => numberHints(rule, correct)), ...values].filter(
    (hint) => ('min' in hint ? isNumber(hint.min) && isNumber(hint.max) : isNumber(hint.value)),
  );
  const own = scoring.isOwn ? weightedNumbers(rules) : [];
  const unique = new Map(hints.map((hint) => [JSON.stringify(hint), hint]));
  const fit = fitNumber({
    hints: own.length > 0 ? own : [...unique.values()].map((accepted) => ({ accepted })),
    numbers,
    score: (value) => scoring.scoreOf([value]),
    declaredMost: scoring.declaredMost,
    isTemplate: scoring.isTemplate,
    isEveryHintKept: scoring.isOwn,
    isWeighted: own.length > 0,
  });
  const answers = [...numbers.map(Number), 123_456_789].map((value) => [value]);
  return typedAnswers('numeric', fit, fit?.points ?? scoring.declaredMost ?? 1, answers);
}
