/** How names of categories are compared: two that look alike in a list are the same to a reader. */
const nameKey = (name: string) => name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The category of the list whose name differs from a new one by no more than case and spaces. */
export function findNamesake<C extends { id: string; name: string }>(
  categories: readonly C[],
  name: string,
  ownId: string | null = null,
): C | undefined {
  return categories.find(({ id, name: other }) => id !== ownId && nameKey(other) === nameKey(name));
}
