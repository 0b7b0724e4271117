import type { TableFormat } from '@invigil/core/contract/definition/table-format';
import { exportAudit, listAudit } from '@invigil/core/contract/installation/audit';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { callForFile } from '../../../net/api.ts';
import { pageQuery } from '../../../net/endpoint-query.ts';
import { saveResponse } from '../../../net/file-download.ts';
import { formatQuery } from '../../downloads/table-format.ts';

export const AUDIT_ROWS = 10;

/** One page of the log, newest first. */
export function useAudit(search: string, page: number) {
  const query = {
    ...(search === '' ? {} : { search }),
    limit: AUDIT_ROWS,
    offset: (page - 1) * AUDIT_ROWS,
  };
  return useQuery({ ...pageQuery(listAudit, { query }), placeholderData: keepPreviousData });
}

/** The entries that match, as a file. */
export async function downloadAudit(search: string, format: TableFormat): Promise<void> {
  const response = await callForFile(exportAudit, {
    query: { ...(search === '' ? {} : { search }), ...formatQuery(format) },
  });
  await saveResponse(response, `audit_log.${format}`);
}
