/**
 * The part of a stored answer that is compared with the key: the selected option, or `response` where
 * that cannot say it: the ids of a multiple response in ascending order with commas, or what was typed.
 * Both null is unanswered.
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

/** The answer that selects these of several options. */
export function selectionOf(ids: Iterable<number>): GivenAnswer {
  const response = [...ids].sort((a, b) => a - b).join(',');
  return { optionId: null, response: response === '' ? null : response };
}
