import type { Category } from '@invigil/core/contract/assessments/categories';
import type { CategoryRow } from '../../../db/queries/categories.ts';

export function presentCategory(row: CategoryRow): Category {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    createdAt: row.createdAt.toISOString(),
  };
}
