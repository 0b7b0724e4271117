import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import {
  exportParticipants,
  listParticipants,
  type Participant,
} from '@invigil/core/contract/review/participants';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { callEndpointWithHeaders, callForFile } from '../../net/api.ts';
import { endpointKey, type Page, totalIn } from '../../net/endpoint-query.ts';
import { saveResponse } from '../../net/file-download.ts';
import { formatQuery } from '../downloads/download-button.tsx';
import { type ParticipantsFilter, queryOf } from './participants-filter.ts';

/**
 * One page of the list. The server time of the first response becomes `asOf` of the following
 * pages, so that new rows do not shift others across pages; `renew` includes them.
 */
export function useParticipants(filter: ParticipantsFilter) {
  const { page, rows } = filter;
  const view = JSON.stringify(queryOf(filter));
  // By view. Read at request time, not at render time: renewing requests at once.
  const stable = useRef(new Map<string, string>());

  const result = useQuery({
    // `asOf` is not part of the key: a loaded page is cached until renewed.
    queryKey: [...endpointKey(listParticipants), { view, page, rows }],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Page<Participant>> => {
      const asOf = stable.current.get(view);
      const answer = await callEndpointWithHeaders(listParticipants, {
        signal,
        query: {
          ...queryOf(filter),
          ...(asOf === undefined ? {} : { asOf }),
          limit: rows,
          offset: (page - 1) * rows,
        },
      });
      const time = answer.headers.get('x-as-of');
      if (asOf === undefined && time !== null) stable.current.set(view, time);
      const own = answer.body.flatMap((row) => ('userEmail' in row ? [row] : []));
      return { rows: own, total: totalIn(answer.headers, own) };
    },
  });
  return { ...result, forgetAsOf: () => stable.current.clear() };
}

/**
 * Downloads the report of the filtered list under the server's file name. Columns per question exist
 * only for a single assessment.
 */
export async function downloadReport(
  filter: ParticipantsFilter,
  questions: boolean,
  format: TableFormat,
): Promise<void> {
  const { sort: _sort, order: _order, ...query } = queryOf(filter);
  const response = await callForFile(exportParticipants, {
    query: { ...query, ...(questions ? { questions: 'true' } : {}), ...formatQuery(format) },
  });
  await saveResponse(response, `participants_report.${format}`);
}
