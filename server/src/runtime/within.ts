/** The result of the work, or `tooLate`'s error after the time limit. The work itself continues. */
export async function within<T>(ms: number, work: Promise<T>, tooLate: () => Error): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
