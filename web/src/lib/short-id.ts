/** The last eight characters of an id; the first ones are a timestamp and similar (product 1). */
export function shortId(id: string): string {
  return id.slice(-8);
}
