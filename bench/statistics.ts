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
