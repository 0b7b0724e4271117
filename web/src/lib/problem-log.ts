/**
 * The only place that writes to the browser's console: problems that the user neither caused nor can
 * fix, and that are recovered from or ignored (specification 8).
 */
export function logProblem(what: string, cause?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: this is the log of the browser
  console.warn(`[invigil] ${what}`, ...(cause === undefined ? [] : [cause]));
}
