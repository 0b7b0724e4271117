import {
  getReleases,
  releaseResults,
  setReleaseRules,
} from '@invigil/core/contract/review/releases';
import { RECORD_LIMITS } from '@invigil/core/domain/limits';
import type { ReleaseRules } from '@invigil/core/domain/results/release';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '../../net/api.ts';
import { endpointKey } from '../../net/endpoint-query.ts';
import { toast } from '../../ui/toast.ts';
import { showFailure } from './show-failure.ts';

interface Release {
  ids: readonly string[] | 'all';
  /** The stored rules: answers and explanations are to wait for the end, before anything is released. */
  holdKeyIn?: ReleaseRules | undefined;
}

/**
 * Releases the results of some attempts, or all that nothing holds; a toast says how many. After a failure it can
 * be sent again: a result that is released already gets no second email.
 */
export function useRelease(quizId: string) {
  const client = useQueryClient();
  const params = { id: quizId };
  const send = async (body: { ids?: string[] }) =>
    (await callEndpoint(releaseResults, { params, body })).released;
  return useMutation({
    mutationFn: async ({ ids, holdKeyIn }: Release) => {
      if (holdKeyIn !== undefined) {
        const body = { rules: { ...holdKeyIn, keyAfterEnd: true as const }, before: holdKeyIn };
        await callEndpoint(setReleaseRules, { params, body });
      }
      if (ids === 'all') return send({});
      let released = 0;
      for (let from = 0; from < ids.length; from += RECORD_LIMITS.releasesMax) {
        released += await send({ ids: ids.slice(from, from + RECORD_LIMITS.releasesMax) });
      }
      return released;
    },
    onSuccess: (released, { ids }) => {
      const isRest = ids !== 'all' && released < ids.length;
      if (isRest && ids.length === 1) {
        return toast({
          title: t('list.release.none', 'No result was released'),
          description: t(
            /* “it”: a result */ 'list.release.noneWhy',
            'It is released already, or the invitation was revoked.',
          ),
        });
      }
      return toast({
        title: t(
          'list.release.done',
          '{count, plural, one {# result released} other {# results released}}',
          { count: released },
        ),
        description: isRest
          ? t(
              'list.release.others',
              'The others have the same result already, or their invitation was revoked.',
            )
          : t('list.release.emails', 'Each candidate gets an email.'),
      });
    },
    onError: (error) =>
      showFailure(t('list.release.failed', 'Failed to release the results'), error),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: endpointKey(getReleases, { params }) }),
        client.invalidateQueries({ queryKey: ['api', 'participants'] }),
      ]),
  });
}
