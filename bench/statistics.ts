/** The median of at least one value. */
export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value that the share `p` of all values does not exceed; `values` need not be sorted. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = Float64Array.from(values).sort();
  const value = sorted[Math.max(0, Math.ceil(sorted.length * p) - 1)];
  if (value === undefined) throw new Error('no percentile of an empty list');
  return value;
}

/** Rounds to `decimals` places. */
export function rounded(value: number, decimals = 0): number {
  return Number(value.toFixed(decimals));
}

/** The slope of the least-squares line through points of at least two distinct x. */
export function slopeOf(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const meanX = mean(({ x }) => x);
  const meanY = mean(({ y }) => y);
  return mean(({ x, y }) => (x - meanX) * (y - meanY)) / mean(({ x }) => (x - meanX) ** 2);
}
