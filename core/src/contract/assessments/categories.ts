import { z } from 'zod';
import { endpoint, Instant } from '../definition/endpoint.ts';
import { atMostCharacters, ENTER_NAME } from '../definition/field-problems.ts';

export const Category = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  createdAt: Instant,
});
export type Category = z.infer<typeof Category>;

export const CategoryBody = z.object({
  name: z.string(ENTER_NAME).trim().min(1, ENTER_NAME).max(100, atMostCharacters(100)),
  description: z.string().trim().max(1_000, atMostCharacters(1_000)).nullable().optional(),
});

export const listCategories = endpoint('GET /api/categories', ['anywhere: quizzes.see'], {
  summary: 'All categories by name',
  responses: { 200: z.array(Category) },
});

export const createCategory = endpoint('POST /api/categories', ['installation: categories.edit'], {
  audit: 'category.created',
  summary: 'Create a category',
  body: CategoryBody,
  responses: { 201: Category },
});

export const updateCategory = endpoint('PUT /api/categories/:id', ['category: categories.edit'], {
  audit: 'category.edited',
  summary: 'Rename or describe a category',
  /** `before`: as it was read; another one that is stored is STALE. */
  body: CategoryBody.extend({
    before: z.object({ name: z.string(), description: z.string().nullable() }).optional(),
  }),
  responses: { 200: Category },
  errors: ['STALE'],
});

export const deleteCategory = endpoint(
  'DELETE /api/categories/:id',
  ['category: categories.edit'],
  {
    audit: 'category.deleted',
    summary: 'Delete a category that no assessment uses',
    responses: { 204: null },
    errors: ['CATEGORY_IN_USE', 'RULES_UNMET'],
  },
);
