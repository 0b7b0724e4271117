import { atMostCharactersText, QUESTION_LIMITS } from '@invigil/core/domain/limits';
import { rowTexts } from '@invigil/core/domain/questions/answer-rows';
import {
  type GivenAnswer,
  listOf,
  selectedIdsOf,
  selectionOf,
} from '@invigil/core/domain/questions/given-answer';
import {
  ANSWER_KINDS,
  isInRows,
  isSeveralChoice,
} from '@invigil/core/domain/questions/question-definition';
import type { VersionContent } from '@invigil/core/domain/questions/question-versions';
import { typeIn } from '@invigil/core/domain/questions/types/question-types';
import type { PaperEntry } from '../paper-cache.ts';

export const UNANSWERED: GivenAnswer = { optionId: null, response: null };

const NO_OPTION = { problem: 'This is not an option of the question' };

/**
 * Reads an answer as it is on the wire: the option's whole text, what was typed, or a JSON array of texts: the
 * selected options of a multiple response, the items of an ordering in the given order, the answers to the items
 * of a matching question ('' is none). Blank is unanswered.
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
    case 'matches':
      return readMatches(content, text);
    case 'order':
      return readOrder(content, text);
  }
}

function readMatches(
  { idOf, textOf, details }: PaperEntry['content'],
  text: string,
): GivenAnswer | { problem: string } {
  const texts = parseTexts(text);
  const items = [...textOf.keys()].slice(0, details?.items);
  if (texts?.length !== items.length) {
    return { problem: `Send a JSON array of ${items.length} texts, one for each item` };
  }
  const ids = texts.map((answer) => (answer === '' ? 0 : (idOf.get(answer) ?? -1)));
  return ids.some((id) => id === -1 || items.includes(id)) ? NO_OPTION : listOf(ids);
}

function readOrder(
  { idOf }: PaperEntry['content'],
  text: string,
): GivenAnswer | { problem: string } {
  const ids = new Set((parseTexts(text) ?? []).map((item) => idOf.get(item) ?? 0));
  return ids.size === idOf.size && !ids.has(0)
    ? listOf([...ids])
    : { problem: 'Send a JSON array of the texts of all items, in the order of the answer' };
}

function readTyped(text: string): GivenAnswer | { problem: string } {
  const typed = text.replaceAll('\0', '').trim();
  return typed.length > QUESTION_LIMITS.shortTextMaxCharacters
    ? { problem: atMostCharactersText(QUESTION_LIMITS.shortTextMaxCharacters) }
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

/** A stored answer as it is on the wire; several selected options come in the order of the paper. */
export function answerText(
  entry: Pick<PaperEntry, 'content' | 'optionOrder'> | undefined,
  answer: GivenAnswer,
): string {
  if (!entry) return '';
  const { textOf, details } = entry.content;
  const { optionId, response } = answer;
  if (optionId !== null) return textOf.get(optionId) ?? '';
  const type = typeIn(details);
  if (response !== null && isInRows(type)) {
    return JSON.stringify(selectedIdsOf(answer).map((id) => textOf.get(id) ?? ''));
  }
  if (response === null || !isSeveralChoice(type)) return response ?? '';
  const selected = new Set(selectedIdsOf(answer));
  const order = entry.optionOrder.filter((id) => selected.has(id));
  return JSON.stringify(order.map((id) => textOf.get(id) ?? ''));
}

/** Rows with what an answer gave to each item, and the key; `undefined` where answers have no rows. */
export function rowsOf(
  { optionIds, details }: Pick<VersionContent, 'optionIds' | 'details'>,
  textOf: ReadonlyMap<number, string>,
  optionOrder: readonly number[],
  answer: GivenAnswer | undefined,
) {
  return details && isInRows(details.type)
    ? rowTexts({ optionIds, details }, textOf, optionOrder, answer ?? UNANSWERED)
    : undefined;
}
