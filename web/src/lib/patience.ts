/** Some browsers neither open a database nor say why (private windows, a hung profile). */
const PATIENCE_MS = 4_000;
/** A busy page hears of its timer before an answer that has been there for long. */
const LAST_MOMENT_MS = 100;

/** The work, or a failure where the browser's storage gives no answer in four seconds. */
export function withPatience<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`${what} took too long`));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, LAST_MOMENT_MS);
    }, PATIENCE_MS);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Waits for the work, but not longer than so many milliseconds. Rejects only as the work does. */
export async function atMost(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
}
