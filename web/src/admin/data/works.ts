import { forgetWork, listWorks, type Work } from '@invigil/core/contract/installation/works';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callEndpoint } from '../../net/api.ts';
import { endpointKey, endpointQuery } from '../../net/endpoint-query.ts';

const UNDER_WAY_MS = 1_000;
const OTHERWISE_MS = 20_000;
const NONE: Work[] = [];

/**
 * One's own long work, the latest first, also what another page began.
 *
 * @param isExpected this page has just begun some
 */
export function useWorks(isExpected = false): Work[] {
  const { data = NONE } = useQuery({
    ...endpointQuery(listWorks, {}),
    refetchInterval: ({ state: { data: known } }) =>
      isExpected || known?.some(({ state }) => state === 'running') ? UNDER_WAY_MS : OTHERWISE_MS,
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

/** How far an import is: `Reading 40 of 100 questions…`. */
export function progressOf({ done, total }: Pick<Work, 'done' | 'total'>): string {
  const number = (n: number) => n.toLocaleString('en-GB');
  if (total === null) return `Reading the file: ${number(done)} questions so far…`;
  return done < total
    ? `Reading ${number(done)} of ${number(total)} questions…`
    : `Storing ${number(total)} questions…`;
}
