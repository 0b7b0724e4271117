import { descendantsOf, type XmlElement } from '../../xml/xml-element.ts';
import { type ItemFeedback, splitFeedback } from '../item/item-feedback.ts';
import type { Scalar } from './declarations.ts';
import { Unknown, type Value } from './expressions.ts';
import { contentText } from './item-body.ts';

/** The outcome of our own files that names the selected options. */
export const OPTION_FEEDBACK = 'OPTION_FEEDBACK';

/**
 * An item's feedback, found out by running the rules for many answers.
 *
 * @param outcomesOf what they lead to; the first ones select one of `options` each
 */
export function readFeedback(
  item: XmlElement,
  outcomesOf: readonly ReadonlyMap<string, Value>[],
  { options, isOwn }: { options: number; isOwn: boolean },
): ItemFeedback {
  const none = new Map<string, string>();
  return splitFeedback(
    descendantsOf(item, 'modalFeedback', 'feedbackBlock', 'feedbackInline').map((element) => ({
      html: contentText(element, none).html,
      isShown: outcomesOf.map((outcomes) => isShown(element, outcomes)),
      // Ours may be the same for every option.
      ...(isOwn ? { isGeneral: element.attributes.outcomeIdentifier !== OPTION_FEEDBACK } : {}),
    })),
    options,
  );
}

function isShown({ attributes }: XmlElement, outcomes: ReadonlyMap<string, Value>): boolean {
  const value = outcomes.get(attributes.outcomeIdentifier ?? '');
  if (value === undefined || value instanceof Unknown) return false;
  const isNamed = value.some((scalar: Scalar) => String(scalar) === attributes.identifier);
  return attributes.showHide === 'hide' ? !isNamed : isNamed;
}
