/** The slope of the least-squares line; `undefined` with fewer than two distinct x. */
export function slopeOf(points: readonly { x: number; y: number }[]): number | undefined {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const meanX = mean(({ x }) => x);
  const meanY = mean(({ y }) => y);
  let covariance = 0;
  let variance = 0;
  for (const { x, y } of points) {
    covariance += (x - meanX) * (y - meanY);
    variance += (x - meanX) ** 2;
  }
  return variance > 0 ? covariance / variance : undefined;
}
