/**
 * The one place where the browser's console is written: something went wrong that the person on the
 * screen neither caused nor can fix, and that is put right or ignored (seed 8).
 */
export function logProblem(what: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: this is the log of the browser
  console.warn(`[invigil] ${what}`, ...(cause === undefined ? [] : [cause]));
}
