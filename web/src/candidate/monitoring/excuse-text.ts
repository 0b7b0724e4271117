/** Explains an excused exit: Escape also left fullscreen, and how to make it not count. */
export function excuseText(returnMs: number, button: string): string {
  return `Escape also leaves fullscreen. Press ${button} within ${Math.round(returnMs / 1_000)} seconds and it does not count.`;
}
