import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { exportAudit, listAudit } from '@invigil/core/contract/installation/audit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callEndpointWithHeaders, callForFile } from '../../../net/api.ts';
import { endpointKey } from '../../../net/endpoint-query.ts';
import { fileNameFrom, saveFile } from '../../../net/file-download.ts';
import { formatQuery } from '../../downloads/table-format.ts';

export const AUDIT_ROWS = 10;

/** One page of the log, newest first. */
export function useAudit(search: string, page: number) {
  const query = {
    ...(search === '' ? {} : { search }),
    limit: AUDIT_ROWS,
    offset: (page - 1) * AUDIT_ROWS,
  };
  return useQuery({
    queryKey: [...endpointKey(listAudit), query],
    placeholderData: keepPreviousData,
    // Always refetched on mount.
    refetchOnMount: 'always',
    queryFn: async ({ signal }) => {
      const { body, headers } = await callEndpointWithHeaders(listAudit, { query, signal });
      const total = Number(headers.get('x-total-count') ?? body.length);
      return { rows: body, total: Number.isFinite(total) ? total : body.length };
    },
  });
}

/** The entries that match, as a file. */
export async function downloadAudit(search: string, format: TableFormat): Promise<void> {
  const response = await callForFile(exportAudit, {
    query: { ...(search === '' ? {} : { search }), ...formatQuery(format) },
  });
  const name = fileNameFrom(response.headers.get('content-disposition'), `audit_log.${format}`);
  saveFile(await response.blob(), name);
}
