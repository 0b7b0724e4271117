/** SQLSTATE classes (40: serialization and deadlock) and system errors that mean: try again. */
const AWAY =
  /^(08|40|53|57)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|has encountered a connection error/;

/** Whether an error says that the database is away or busy. Drizzle wraps the driver's error. */
export function isDatabaseAway(error: unknown): boolean {
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string' && AWAY.test(e.code)) return true;
    if (AWAY_MESSAGES.test(e.message)) return true;
  }
  return false;
}
