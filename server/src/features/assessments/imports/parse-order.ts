import { ImportOrder } from '@invigil/core/contract/assessments/imports';
import { IMPORT_LIMITS } from '@invigil/core/domain/questions/question-files';
import type { z } from 'zod';
import { AppError } from '../../../runtime/app-error.ts';

/** What to import of a question file, and how to read it. */
export type Order = z.output<typeof ImportOrder>;

const NEW_LINE = 0x0a;

/**
 * Splits a body into its first line and the file behind it. Throws INVALID_INPUT, TOO_LARGE.
 */
export function parseOrder(body: Uint8Array): { order: Order; file: Uint8Array } {
  const end = body.indexOf(NEW_LINE);
  if (end < 0) throw invalid('The first line says what to take of the file');
  if (end > IMPORT_LIMITS.orderMaxBytes) throw new AppError('TOO_LARGE');
  const parsed = ImportOrder.safeParse(jsonOf(body.subarray(0, end)));
  if (!parsed.success) throw invalid(parsed.error.issues[0]?.message ?? 'Invalid first line');
  return { order: parsed.data, file: body.subarray(end + 1) };
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const invalid = (message: string) => new AppError('INVALID_INPUT', { message });
