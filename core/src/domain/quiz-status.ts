export const QUIZ_STATUSES = ['active', 'opens', 'ended', 'inactive'] as const;
export type QuizStatus = (typeof QUIZ_STATUSES)[number];

/** The times that decide the status of an assessment; `isOpen`: its end date is not over. */
export interface QuizTimes {
  isActive: boolean;
  isOpen: boolean;
  opensAt?: string | undefined;
}

/** Ended: the end date has passed, so it is not active regardless of its switch. */
export function statusOf({ isActive, isOpen, opensAt }: QuizTimes, now: number): QuizStatus {
  if (!isActive) return 'inactive';
  if (!isOpen) return 'ended';
  return opensAt !== undefined && Date.parse(opensAt) > now ? 'opens' : 'active';
}
