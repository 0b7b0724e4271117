import { t } from './i18n.ts';

/** The kinds of data that can be changed outside of Invigil, in words. */
export const CONCERNS = {
  mail_server: () =>
    t(
      /* all of these: stand in brackets behind “This was changed outside of Invigil” */ 'changedOutside.mailServer',
      'mail settings',
    ),
  institution: () =>
    t(
      'changedOutside.institution',
      'institution: name, time zone, public address, logo or fields of people',
    ),
  retention: () => t('changedOutside.retention', 'days of retention'),
  assessment: () =>
    t(
      'changedOutside.assessment',
      'assessment: title, times, structure, or rules of results and release',
    ),
  monitoring_policy: () =>
    t('changedOutside.monitoringPolicy', 'monitoring policy of an assessment'),
  person: () => t('changedOutside.person', 'person: address, name, number, groups or language'),
  release: () => t('changedOutside.release', 'released result: attempt, time, score or outcome'),
  message: () => t('changedOutside.message', 'message: recipient, subject, text or link'),
  attempt: () => t('changedOutside.attempt', 'result or answers of this attempt'),
};

/** Says that a row was changed, and what to do. */
export const changedText = (what: keyof typeof CONCERNS): string =>
  t(
    /* {what} is the kind of data; npm run verify is a command */ 'changedOutside.sentence',
    'This was changed outside of Invigil ({what}), so nothing is made from it. Ask the operator to run "npm run verify"',
    { what: CONCERNS[what]() },
  );
