import { foldCase } from './typed-text.ts';

/** Key for comparing names of categories: names that look alike in a list are equal. */
const nameKey = (name: string) => foldCase(name.normalize('NFKC').trim().replace(/\s+/g, ' '));

/** The category in the list whose name equals the given one except for case and spaces. */
export function findNamesake<C extends { id: string; name: string }>(
  categories: readonly C[],
  name: string,
  ownId: string | null = null,
): C | undefined {
  return categories.find(({ id, name: other }) => id !== ownId && nameKey(other) === nameKey(name));
}
