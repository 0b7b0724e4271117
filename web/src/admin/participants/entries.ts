/** `Showing x to y of z entries` (seed 2). */
export function entriesSentence(page: number, rows: number, total: number): string {
  const from = total === 0 ? 0 : (page - 1) * rows + 1;
  const to = Math.min(page * rows, total);
  return `Showing ${from} to ${to} of ${total} entries`;
}
