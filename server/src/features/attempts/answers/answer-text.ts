import { QUESTION_LIMITS } from '@invigil/core/domain/limits';
import {
  type GivenAnswer,
  selectedIdsOf,
  selectionOf,
} from '@invigil/core/domain/questions/given-answer';
import { ANSWER_KINDS, isSeveralChoice } from '@invigil/core/domain/questions/question-definition';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import type { PaperEntry } from '../paper-cache.ts';

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
  switch (ANSWER_KINDS[typeIn(content.details)]) {
    case 'one': {
      const optionId = content.idOf.get(text);
      return optionId === undefined ? NO_OPTION : { optionId, response: null };
    }
    case 'several':
      return readSelection(content, text);
    case 'number':
    case 'text':
      return readTyped(text);
  }
}

function readTyped(text: string): GivenAnswer | { problem: string } {
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
  return selectionOf(ids);
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
  answer: GivenAnswer,
): string {
  if (!entry) return '';
  const { textOf, details } = entry.content;
  const { optionId, response } = answer;
  if (optionId !== null) return textOf.get(optionId) ?? '';
  if (response === null || !isSeveralChoice(typeIn(details))) return response ?? '';
  const selected = new Set(selectedIdsOf(answer));
  const order = entry.optionOrder.filter((id) => selected.has(id));
  return JSON.stringify(order.map((id) => textOf.get(id) ?? ''));
}
