import { descendantsOf, type XmlElement } from '../../xml/xml-element.ts';
import type { Scalar } from './declarations.ts';
import { Unknown, type Value } from './expressions.ts';
import { contentText } from './item-body.ts';

export interface Feedback {
  /** HTML of what everyone is shown, whatever the answer; '' without any. */
  explanation: string;
  notes: string[];
}

/**
 * Splits an item's feedback: what is shown after every answer explains the question; what depends on the
 * answer has no place here. Found out by running the rules for many answers.
 */
export function readFeedback(
  item: XmlElement,
  outcomesOf: readonly ReadonlyMap<string, Value>[],
): Feedback {
  const feedback = descendantsOf(item, 'modalFeedback', 'feedbackBlock', 'feedbackInline');
  if (feedback.length === 0) return { explanation: '', notes: [] };
  const none = new Map<string, string>();
  const texts = feedback.map((element) => ({ element, html: contentText(element, none).html }));
  const shown = outcomesOf.map(
    (outcomes) =>
      new Set(
        texts.filter(({ element }) => isShown(element, outcomes)).map(({ html }) => html.trim()),
      ),
  );
  const always = [...new Set(texts.map(({ html }) => html.trim()))].filter(
    (html) => html !== '' && shown.length > 0 && shown.every((set) => set.has(html)),
  );
  const dropped = texts.filter(({ html }) => html.trim() !== '' && !always.includes(html.trim()));
  return {
    explanation: always.map((html) => (always.length > 1 ? `<div>${html}</div>` : html)).join(''),
    notes:
      dropped.length === 0
        ? []
        : [
            dropped.length === 1
              ? 'One text of feedback that depends on the answer was left out.'
              : `${dropped.length} texts of feedback that depend on the answer were left out.`,
          ],
  };
}

function isShown({ attributes }: XmlElement, outcomes: ReadonlyMap<string, Value>): boolean {
  const value = outcomes.get(attributes.outcomeIdentifier ?? '');
  if (value === undefined || value instanceof Unknown) return false;
  const isNamed = value.some((scalar: Scalar) => String(scalar) === attributes.identifier);
  return attributes.showHide === 'hide' ? !isNamed : isNamed;
}
