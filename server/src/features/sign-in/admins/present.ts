import type { Admin } from '@invigil/core/contract/accounts/admins';
import type { AdminRow } from '../../../db/queries/admins.ts';

export function presentAdmin(row: AdminRow): Admin {
  return {
    id: row.id,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    lastSignInAt: row.lastSignInAt?.toISOString() ?? null,
    hasTotp: row.hasTotp,
  };
}
