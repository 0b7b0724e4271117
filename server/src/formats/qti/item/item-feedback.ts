import { feedbackLost } from '../../text/option-feedback.ts';

/** A text of feedback in HTML, and after which of the tried answers it is shown. */
export interface ShownFeedback {
  html: string;
  isShown: readonly boolean[];
  /** It explains the question, or cannot, whatever the answers say; absent: they say it. */
  isGeneral?: boolean;
  /** It says only that the answer was right, or wrong. */
  isVerdict?: boolean;
}

export interface ItemFeedback {
  /** HTML of what everyone is shown, whatever the answer; '' without any. */
  explanation: string;
  /** HTML by option; '' where there is none. */
  feedback: string[];
  notes: string[];
}

const joined = (all: readonly string[]) =>
  all.map((html) => (all.length > 1 ? `<div>${html}</div>` : html)).join('');

/**
 * Splits the feedback of an item. Texts that are shown after every answer explain the question; those that
 * follow one option alone are feedback on it; the rest depends on the answer in ways that have no place here.
 *
 * @param options how many there are; the first tried answers select one of them each
 */
export function splitFeedback(all: readonly ShownFeedback[], options: number): ItemFeedback {
  const texts = all
    .map((one) => ({ ...one, html: one.html.trim() }))
    .filter(({ html }) => html !== '');
  // The same text may be there once for each answer.
  const shownBy = Map.groupBy(texts, ({ html }) => html);
  const isGeneral = ({ html, isGeneral: known }: ShownFeedback) =>
    known ??
    texts[0]?.isShown.every((_, i) =>
      shownBy.get(html)?.some((same) => same.isGeneral === undefined && same.isShown[i]),
    ) === true;
  const general = texts.filter((one) => one.isShown.length > 0 || one.isGeneral).filter(isGeneral);
  const others = texts.filter((one) => !general.includes(one));
  const optionOf = ({ isShown, isVerdict }: ShownFeedback) => {
    const by = isShown.slice(0, options).flatMap((shown, i) => (shown ? [i] : []));
    return by.length === 1 && !isVerdict ? by[0] : undefined;
  };
  const dropped = others.filter((one) => optionOf(one) === undefined).length;
  return {
    explanation: joined([...new Set(general.map(({ html }) => html))]),
    feedback: Array.from({ length: options }, (_, i) =>
      joined(others.filter((one) => optionOf(one) === i).map(({ html }) => html)),
    ),
    notes: feedbackLost(dropped),
  };
}
