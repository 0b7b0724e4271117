/**
 * Which page numbers to show: the first, the last and those around the current one; `gap` replaces
 * two or more pages.
 *
 * @param current counted from 1
 */
export function pageWindow(current: number, pages: number): (number | 'gap')[] {
  const shown = new Set([1, pages, current - 1, current, current + 1]);
  // At either end three numbers are shown, so that the row's length stays similar.
  if (current <= 2) shown.add(3);
  if (current >= pages - 1) shown.add(pages - 2);
  const numbers = [...shown].filter((n) => n >= 1 && n <= pages).sort((a, b) => a - b);

  const out: (number | 'gap')[] = [];
  for (const n of numbers) {
    const previous = out.at(-1);
    if (typeof previous === 'number' && n - previous === 2) out.push(previous + 1);
    else if (typeof previous === 'number' && n - previous > 2) out.push('gap');
    out.push(n);
  }
  return out;
}
