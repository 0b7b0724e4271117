/**
 * The part of a stored answer that is compared with the key: the selected option, or `response` where
 * that cannot say it: the ids of a multiple response in ascending order with commas, those of an ordering in
 * its order, those of the answers to the items of a matching question (0: none), or what was typed. Both null is
 * unanswered.
 */
export interface GivenAnswer {
  optionId: number | null;
  response: string | null;
}

export function isBlank({ optionId, response }: GivenAnswer): boolean {
  return optionId === null && (response ?? '') === '';
}

/** The ids of the selected options, in an answer to a question that has options. */
export function selectedIdsOf({ optionId, response }: GivenAnswer): number[] {
  if (optionId !== null) return [optionId];
  return response ? response.split(',').map(Number) : [];
}

/** The answer that gives the rows of a question these options, in the order of the rows; 0: none. */
export function listOf(ids: readonly number[]): GivenAnswer {
  return { optionId: null, response: ids.some((id) => id !== 0) ? ids.join(',') : null };
}

/** The answer that selects these of several options. */
export function selectionOf(ids: Iterable<number>): GivenAnswer {
  const response = [...ids].sort((a, b) => a - b).join(',');
  return { optionId: null, response: response === '' ? null : response };
}
