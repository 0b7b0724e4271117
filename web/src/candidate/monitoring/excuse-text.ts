/** Escape is another thing in fullscreen than anywhere else: what happened, and that it is no harm. */
export function excuseText(returnMs: number, button: string): string {
  return `Escape also leaves fullscreen. Press ${button} within ${Math.round(returnMs / 1_000)} seconds and it does not count.`;
}
