/** The kinds of data that can be changed outside of Invigil, in words. */
export const CONCERNS = {
  mail_server: 'mail settings',
  institution: 'institution: name, time zone, public address, logo or fields of people',
  retention: 'days of retention',
  assessment: 'assessment: title, times, structure, or rules of results and release',
  monitoring_policy: 'monitoring policy of an assessment',
  person: 'person: address, name, number, groups or language',
  release: 'released result: attempt, time, score or outcome',
  message: 'message: recipient, subject, text or link',
  attempt: 'result or answers of this attempt',
} as const;

/** Says that a row was changed, and what to do. */
export const changedText = (what: keyof typeof CONCERNS): string =>
  `This was changed outside of Invigil (${CONCERNS[what]}), so nothing is made from it. Ask the operator to run "npm run verify"`;
