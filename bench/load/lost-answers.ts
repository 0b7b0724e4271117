import { letterOf } from './requests.ts';

/** What the server has acknowledged to one candidate: by the question's place, 0 for nothing. */
export interface Acknowledged {
  participantId: string;
  revisions: number[];
}

/** What the database holds: the revision and the letter of the selected option. */
export interface StoredAnswer {
  participantId: string;
  questionId: string;
  revision: number;
  letter: string;
}

/**
 * Acknowledged answers that are not there: no row, an older revision, or another choice under the
 * same one. One line for each. A newer revision than acknowledged is no loss: its answer may not have
 * come through.
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
