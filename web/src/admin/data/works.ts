import { forgetWork, listWorks, type Work } from '@invigil/core/contract/installation/works';
import { numberText } from '@invigil/core/domain/locale';
import { t } from '@invigil/core/texts/i18n';
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

/** Says that work is under way, or how it ended. */
export const WORK_TEXTS: Record<WorkKind, Record<'running' | 'done' | 'failed', () => string>> = {
  'questions.import': {
    running: () => t('portal.work.import.underWay', 'Import under way'),
    done: () => t('portal.work.import.finished', 'Import finished'),
    failed: () => t('portal.work.import.failed', 'Import failed'),
  },
  'scores.check': {
    running: () => t('portal.work.check.underWay', 'Check of scores under way'),
    done: () => t('portal.work.check.finished', 'Check of scores finished'),
    failed: () => t('portal.work.check.failed', 'Check of scores failed'),
  },
  'scores.correct': {
    running: () => t('portal.work.rescoring.underWay', 'Rescoring under way'),
    done: () => t('portal.work.rescoring.finished', 'Rescoring finished'),
    failed: () => t('portal.work.rescoring.failed', 'Rescoring failed'),
  },
};

/** The page that shows the work. */
export function addressOfWork({ quizId, questionId }: Pick<Work, 'quizId' | 'questionId'>): string {
  if (questionId === null) {
    return `/admin/questions/import${quizId === null ? '' : `?quizId=${quizId}`}`;
  }
  const address = editorOf({ id: questionId, quizId });
  return `${address}${quizId === null ? '?' : '&'}rescore`;
}

/** How far work is: before anything of it is done, before its end is known, before its end, and at last. */
const PROGRESS: Record<
  WorkKind,
  {
    begun(): string;
    soFar(done: number): string;
    doing(done: number, total: number): string;
    last(total: number): string;
  }
> = {
  'questions.import': {
    begun: () => t('works.import.begun', 'Reading the file…'),
    soFar: (done) =>
      t(
        'works.import.soFar',
        '{done, plural, one {Reading the file: # questions so far…} other {Reading the file: # questions so far…}}',
        { done },
      ),
    doing: (done, total) =>
      t(
        /* {done} is how many are read */ 'works.import.doing',
        '{total, plural, one {Reading {done} of # questions…} other {Reading {done} of # questions…}}',
        { done: numberText(done), total },
      ),
    last: (total) =>
      t(
        'works.import.last',
        '{total, plural, one {Storing # questions…} other {Storing # questions…}}',
        { total },
      ),
  },
  'scores.check': {
    begun: papersText,
    soFar: (done) =>
      t(
        'works.check.soFar',
        '{done, plural, one {Looking for papers with this question: # scores so far…} other {Looking for papers with this question: # scores so far…}}',
        { done },
      ),
    doing: (done, total) =>
      t(
        /* {done} is how many are checked */ 'works.check.doing',
        '{total, plural, one {Checking {done} of # scores…} other {Checking {done} of # scores…}}',
        { done: numberText(done), total },
      ),
    last: (total) =>
      t('works.check.last', '{total, plural, one {Listing # scores…} other {Listing # scores…}}', {
        total,
      }),
  },
  'scores.correct': {
    begun: papersText,
    soFar: (done) =>
      t(
        'works.rescoring.soFar',
        '{done, plural, one {Looking for papers with this question: # attempts so far…} other {Looking for papers with this question: # attempts so far…}}',
        { done },
      ),
    doing: (done, total) =>
      t(
        /* {done} is how many are rescored */ 'works.rescoring.doing',
        '{total, plural, one {Rescoring {done} of # attempts…} other {Rescoring {done} of # attempts…}}',
        { done: numberText(done), total },
      ),
    last: (total) =>
      t(
        'works.rescoring.last',
        '{total, plural, one {Storing # attempts…} other {Storing # attempts…}}',
        { total },
      ),
  },
};

function papersText(): string {
  return t('works.lookingForPapers', 'Looking for papers with this question…');
}

/** How far work is: `Reading 40 of 100 questions…`. */
export function progressOf({ kind, done, total }: Pick<Work, 'kind' | 'done' | 'total'>): string {
  const { begun, soFar, doing, last } = PROGRESS[kind];
  if (total === null) return done === 0 ? begun() : soFar(done);
  return done < total ? doing(done, total) : last(total);
}
