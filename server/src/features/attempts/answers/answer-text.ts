import type { AnswerValue } from '@invigil/core/domain/attempt';
import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { isSingleChoice } from '@invigil/core/domain/questions/question-definition';
import type { PaperEntry } from '../paper-cache.ts';

/** The part of an answer that is compared with the key. */
export type GivenAnswer = Omit<AnswerValue, 'isFlagged'>;

export const UNANSWERED: GivenAnswer = { optionId: null, response: null };

const NO_OPTION = { problem: 'This is not an option of the question' };

/**
 * Reads an answer as it is on the wire: the option's whole text, a JSON array of option texts for a
 * multiple response, or what was typed. Blank is unanswered.
 */
export function readAnswer(
  { content }: Pick<PaperEntry, 'content'>,
  text: string,
): GivenAnswer | { problem: string } {
  if (text === '') return UNANSWERED;
  const type = content.details?.type ?? 'multiple_choice';
  if (isSingleChoice(type)) {
    const optionId = content.idOf.get(text);
    return optionId === undefined ? NO_OPTION : { optionId, response: null };
  }
  if (type === 'multiple_response') return readSelection(content, text);
  const typed = text.replaceAll('\0', '').trim();
  return typed.length > QUESTION_LIMITS.shortTextMaxCharacters
    ? { problem: `At most ${QUESTION_LIMITS.shortTextMaxCharacters} characters` }
    : { optionId: null, response: typed === '' ? null : typed };
}

function readSelection(
  { idOf, details }: PaperEntry['content'],
  text: string,
): GivenAnswer | { problem: string } {
  const texts = parseTexts(text);
  if (!texts) return { problem: 'Send the selected options as a JSON array of their texts' };
  const ids = new Set(texts.map((option) => idOf.get(option) ?? 0));
  if (ids.has(0)) return NO_OPTION;
  const most = details?.maxSelections ?? idOf.size;
  if (ids.size > most) return { problem: `Select at most ${most}` };
  const response = [...ids].sort((a, b) => a - b).join(',');
  return { optionId: null, response: response === '' ? null : response };
}

function parseTexts(text: string): string[] | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every((item) => typeof item === 'string')
      ? parsed
      : null;
  } catch {
    return null;
  }
}

/** A stored answer as it is on the wire; several options come in the order of the paper. */
export function answerText(
  entry: Pick<PaperEntry, 'content' | 'optionOrder'> | undefined,
  { optionId, response }: GivenAnswer,
): string {
  if (!entry) return '';
  const { textOf, details } = entry.content;
  if (optionId !== null) return textOf.get(optionId) ?? '';
  if (response === null || details?.type !== 'multiple_response') return response ?? '';
  const selected = new Set(response.split(',').map(Number));
  const order = entry.optionOrder.filter((id) => selected.has(id));
  return JSON.stringify(order.map((id) => textOf.get(id) ?? ''));
}
