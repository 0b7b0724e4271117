import { forgetWork, listWorks, type Work } from '@invigil/core/contract/installation/works';
import { numberText } from '@invigil/core/domain/locale';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '../../net/api.ts';
import { endpointKey, endpointQuery } from '../../net/endpoint-query.ts';
import { editorOf } from './questions.ts';

const UNDER_WAY_MS = 1_000;
const NONE: Work[] = [];

/** The key of mutations that begin long work, also those whose page was left. */
export const BEGINS_WORK = ['begins work'];

/**
 * One's own long work, the latest first. It is polled while some is under way or has just begun here; what another
 * tab began is found when this one is looked at again.
 *
 * @param isExpected a read has begun some
 */
export function useWorks(isExpected = false): Work[] {
  const hasBegun = useIsMutating({ mutationKey: BEGINS_WORK }) > 0 || isExpected;
  const { data = NONE } = useQuery({
    ...endpointQuery(listWorks, {}),
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state: { data: known } }) =>
      (hasBegun || known?.some(({ state }) => state === 'running')) && UNDER_WAY_MS,
  });
  return data;
}

/** Takes work off the list, which cancels it while it is under way. */
export function useForgetWork() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callEndpoint(forgetWork, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: endpointKey(listWorks) }),
  });
}

type WorkKind = Work['kind'];

/** The name of each kind of work, which begins a sentence. */
export const WORK_NAMES: Record<WorkKind, string> = {
  'questions.import': 'Import',
  'scores.check': 'Check of scores',
  'scores.correct': 'Rescoring',
};

/** The page that shows the work. */
export function addressOfWork({ quizId, questionId }: Pick<Work, 'quizId' | 'questionId'>): string {
  if (questionId === null) {
    return `/admin/questions/import${quizId === null ? '' : `?quizId=${quizId}`}`;
  }
  const address = editorOf({ id: questionId, quizId });
  return `${address}${quizId === null ? '?' : '&'}rescore`;
}

const WORDS: Record<WorkKind, { unknown: string; doing: string; items: string; last: string }> = {
  'questions.import': {
    ...{ unknown: 'Reading the file', doing: 'Reading' },
    ...{ items: 'questions', last: 'Storing' },
  },
  'scores.check': {
    ...{ unknown: 'Looking for papers with this question', doing: 'Checking' },
    ...{ items: 'scores', last: 'Listing' },
  },
  'scores.correct': {
    ...{ unknown: 'Looking for papers with this question', doing: 'Rescoring' },
    ...{ items: 'attempts', last: 'Storing' },
  },
};

/** How far work is: `Reading 40 of 100 questions…`. */
export function progressOf({ kind, done, total }: Pick<Work, 'kind' | 'done' | 'total'>): string {
  const { unknown, doing, items, last } = WORDS[kind];
  if (total === null) {
    return done === 0 ? `${unknown}…` : `${unknown}: ${numberText(done)} ${items} so far…`;
  }
  return done < total
    ? `${doing} ${numberText(done)} of ${numberText(total)} ${items}…`
    : `${last} ${numberText(total)} ${items}…`;
}
