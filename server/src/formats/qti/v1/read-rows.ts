import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import { t } from '@invigil/core/texts/i18n';
import { childrenOf, descendantsOf, textOf, type XmlElement } from '../../xml/xml-element.ts';
import { NotSupported } from '../fit/score.ts';
import { noKeyText } from '../item/choices.ts';
import { splitFeedback } from '../item/item-feedback.ts';
import type { QuestionShape, RawQuestion } from '../item/raw-question.ts';
import { allFields, materialsHtml, presentationHtml } from './presentation.ts';

/** A rule that gives points: what it asks for, by the field, in its order. */
interface Rule {
  wanted: { field: string; value: string }[];
  points: number;
}

/** Reads pairs to match as Canvas has them: a field for each item, all with the same labels. */
export function readMatching(
  item: XmlElement,
  presentation: XmlElement,
  metadata: ReadonlyMap<string, string>,
): RawQuestion {
  const fields = allFields(presentation);
  const rules = rulesOf(item);
  const rows = fields.map((field) => {
    const labels = new Map(labelsOf(field).map((label) => [idOf(label), materialsHtml(label)]));
    const own = rules.filter(({ wanted }) => wanted.some((one) => one.field === idOf(field)));
    const values = own.flatMap(({ wanted }) => wanted.filter((one) => one.field === idOf(field)));
    const answers = new Set(values.map(({ value }) => labels.get(value)));
    if (answers.size > 1)
      throw new NotSupported(
        t(
          /* “it”: a question of the file; items: its rows */ 'import.qti.severalRight',
          'It has items with several right answers.',
        ),
      );
    return {
      item: childrenOf(field, 'material').map(withText).join(''),
      answer: [...answers][0] ?? null,
      labels: [...labels.values()],
    };
  });
  const isKeyed = rows.some(({ answer }) => answer !== null);
  if (isKeyed && rows.some(({ answer }) => answer === null)) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file; items: its rows */ 'import.qti.itemWithoutAnswer',
        'It has items that no answer is right for.',
      ),
    );
  }
  const options = optionsOfPairs(
    rows,
    rows.flatMap(({ labels }) => labels),
  );
  const isWhole = rules.length === 1 && rows.length > 1;
  const shape: QuestionShape = {
    type: 'matching',
    options: options.map(({ text: _, ...option }) => option),
    rule: isWhole ? 'all_or_nothing' : 'per_option',
    points: pointsIn(metadata),
  };
  const question = presentationHtml(presentation, true);
  const texts = options.map(({ text }) => text);
  return withFeedback(item, shape, question, texts, isKeyed ? [] : [noKeyText()]);
}

/** Reads items to put in order: one field, and one rule that has them in the right order. */
export function readOrdering(
  item: XmlElement,
  presentation: XmlElement,
  metadata: ReadonlyMap<string, string>,
): RawQuestion {
  const [field, ...more] = allFields(presentation);
  if (!field || more.length > 0)
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.noList',
        'It has no single list to put in order.',
      ),
    );
  const labels = new Map(labelsOf(field).map((label) => [idOf(label), materialsHtml(label)]));
  const key = rulesOf(item).find(({ wanted }) => wanted.length === labels.size)?.wanted ?? [];
  const ids = [...new Set(key.map(({ value }) => value))].filter((id) => labels.has(id));
  if (ids.length !== labels.size) {
    throw new NotSupported(
      t(
        /* “it”: a question of the file */ 'import.qti.noRightOrder',
        'It does not say what the right order of all its items is.',
      ),
    );
  }
  const shape: QuestionShape = {
    type: 'ordering',
    options: ids.map(() => ({ isCorrect: false })),
    rule: 'all_or_nothing',
    points: pointsIn(metadata),
  };
  // Texts above and below the list.
  const around = childrenOf(field)
    .filter(({ name }) => name === 'render_extension')
    .flatMap((render) => childrenOf(render, 'material'))
    .map((material) => `<div>${withText(material)}</div>`);
  const question = [presentationHtml(presentation, true), ...around].join('');
  return withFeedback(
    item,
    shape,
    question,
    ids.map((id) => labels.get(id) ?? ''),
    [],
  );
}

function withFeedback(
  item: XmlElement,
  shape: QuestionShape,
  question: string,
  options: string[],
  notes: string[],
): RawQuestion {
  const { explanation, notes: lost } = splitFeedback(
    childrenOf(item, 'itemfeedback').map((feedback) => ({
      html: materialsHtml(feedback),
      isShown: [],
      isGeneral: feedback.attributes.ident === 'general_fb',
    })),
    0,
  );
  return {
    shape,
    html: { question, options, explanation, feedback: [] },
    notes: [...notes, ...lost],
  };
}

/** The rules that give points, without those for what is not the answer. */
function rulesOf(item: XmlElement): Rule[] {
  return childrenOf(item, 'resprocessing')
    .flatMap((block) => childrenOf(block, 'respcondition'))
    .map((rule) => ({
      wanted: childrenOf(rule, 'conditionvar').flatMap(wantedIn),
      points: childrenOf(rule, 'setvar').reduce((sum, set) => sum + Number(textOf(set)), 0),
    }))
    .filter(({ wanted, points }) => wanted.length > 0 && points > 0);
}

function wantedIn(parent: XmlElement): Rule['wanted'] {
  return childrenOf(parent).flatMap((child) => {
    if (child.name === 'not') return [];
    return child.name === 'varequal'
      ? [{ field: child.attributes.respident ?? '', value: textOf(child).trim() }]
      : wantedIn(child);
  });
}

function pointsIn(metadata: ReadonlyMap<string, string>): number {
  const points = Number(metadata.get('points_possible') ?? 1);
  return Number.isFinite(points) ? points : 1;
}

const labelsOf = (field: XmlElement) => descendantsOf(field, 'response_label');
const idOf = ({ attributes }: XmlElement) => attributes.ident ?? '';
/** The text of a material that stands alone. */
const withText = (material: XmlElement) =>
  materialsHtml({ ...material, name: '', children: [material] });
