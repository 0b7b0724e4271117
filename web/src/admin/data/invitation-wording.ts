/** An administrator's own words; the one-time password and the facts are always added. */
export interface Wording {
  subject: string | null;
  message: string | null;
}

export const SUBJECT_MOST = 200;
export const MESSAGE_MOST = 4_000;

export function isTooLong({ subject, message }: Wording): boolean {
  return (subject ?? '').length > SUBJECT_MOST || (message ?? '').length > MESSAGE_MOST;
}
