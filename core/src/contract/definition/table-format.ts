import { z } from 'zod';

/** The formats of tables that people open in a spreadsheet: `xlsx` has numbers and dates in any country. */
export const TableFormat = z.enum(['csv', 'xlsx']);
export type TableFormat = z.infer<typeof TableFormat>;

export const TABLE_MEDIA_TYPES: Record<TableFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** The answer of an endpoint for tables. */
export const TABLE = {
  responses: { 200: z.unknown() },
  produces: ['text/csv', TABLE_MEDIA_TYPES.xlsx],
} as const;
