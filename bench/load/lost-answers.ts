import { letterOf } from './requests.ts';

/** Acknowledged revisions of one candidate by the question's position, 0 for none. */
export interface Acknowledged {
  participantId: string;
  revisions: number[];
}

/** A stored answer: its revision and the letter of the selected option. */
export interface StoredAnswer {
  participantId: string;
  questionId: string;
  revision: number;
  letter: string;
}

/**
 * Lost acknowledged answers, one line each: no row, an older revision, or another option under the same
 * one. A newer revision is no loss: its response may have been lost.
 */
export function lostAnswers(
  acknowledged: readonly Acknowledged[],
  questionIds: readonly string[],
  stored: readonly StoredAnswer[],
): string[] {
  const found = new Map(stored.map((row) => [`${row.participantId}/${row.questionId}`, row]));
  return acknowledged.flatMap(({ participantId, revisions }) =>
    revisions.flatMap((revision, place) => {
      if (revision === 0) return [];
      const row = found.get(`${participantId}/${questionIds[place]}`);
      const what = `${participantId}, question ${place + 1}: revision ${revision}`;
      if (!row) return [`${what} was acknowledged, nothing is stored`];
      if (row.revision < revision) {
        return [`${what} was acknowledged, ${row.revision} is stored`];
      }
      if (row.revision === revision && row.letter !== letterOf(revision)) {
        return [`${what} selected ${letterOf(revision)}, ${row.letter} is stored`];
      }
      return [];
    }),
  );
}
