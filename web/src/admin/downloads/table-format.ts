import { TableFormat } from '@invigil/core/contract/definition/table-format';
import { useState } from 'react';
import { localKey } from '../../lib/person/local-keys.ts';

const REMEMBERED = localKey('download_format', TableFormat);

/** The format of downloads that was chosen last in this browser; first CSV. */
export function useTableFormat(): [TableFormat, (format: TableFormat) => void] {
  const [format, setFormat] = useState(() => REMEMBERED.read() ?? 'csv');
  return [
    format,
    (chosen) => {
      REMEMBERED.write(chosen);
      setFormat(chosen);
    },
  ];
}

/** For a download's query: CSV is what the server sends without it. */
export function formatQuery(format: TableFormat): { format?: TableFormat } {
  return format === 'csv' ? {} : { format };
}
