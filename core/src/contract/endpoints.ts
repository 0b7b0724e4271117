import * as admins from './accounts/admins.ts';
import * as auth from './accounts/auth.ts';
import * as totp from './accounts/totp.ts';
import * as bank from './assessments/bank.ts';
import * as categories from './assessments/categories.ts';
import * as images from './assessments/images.ts';
import * as imports from './assessments/imports.ts';
import * as practice from './assessments/practice.ts';
import * as questionList from './assessments/question-list.ts';
import * as questions from './assessments/questions.ts';
import * as quizzes from './assessments/quizzes.ts';
import * as schedule from './assessments/schedule.ts';
import * as structure from './assessments/structure.ts';
import * as answers from './attempts/answers.ts';
import * as connectionCheck from './attempts/connection-check.ts';
import * as endedAttempt from './attempts/ended-attempt.ts';
import * as evidence from './attempts/evidence.ts';
import * as evidenceViews from './attempts/evidence-views.ts';
import * as opening from './attempts/opening.ts';
import * as ownParticipant from './attempts/own-participant.ts';
import * as receipts from './attempts/receipts.ts';
import * as violations from './attempts/violations.ts';
import type { Endpoint } from './definition/endpoint.ts';
import * as audit from './installation/audit.ts';
import * as institution from './installation/institution.ts';
import * as retention from './installation/retention.ts';
import * as smtpSettings from './installation/smtp-settings.ts';
import * as system from './installation/system.ts';
import * as works from './installation/works.ts';
import * as invitations from './invitations/invitations.ts';
import * as outbox from './invitations/outbox.ts';
import * as people from './invitations/people.ts';
import * as certificates from './review/certificates.ts';
import * as halls from './review/halls.ts';
import * as live from './review/live.ts';
import * as outages from './review/outages.ts';
import * as participantRecord from './review/participant-record.ts';
import * as participants from './review/participants.ts';
import * as releases from './review/releases.ts';
import * as results from './review/results.ts';
import * as statistics from './review/statistics.ts';
import * as stats from './review/stats.ts';

type Rows<M> = { [N in keyof M as M[N] extends Endpoint ? N : never]: M[N] };

/** The endpoints among what a file of the contract exports. */
function rowsOf<M extends object>(file: M): Rows<M> {
  const isRow = (value: unknown) =>
    typeof value === 'object' && value !== null && 'method' in value && 'responses' in value;
  return Object.fromEntries(Object.entries(file).filter(([, value]) => isRow(value))) as Rows<M>;
}

/**
 * The endpoint table: every call under /api, by the name under which its file exports it. Server routes
 * are registered from it (a row without a handler does not compile), and the web client and
 * /api/openapi.json are generated from its rows.
 */
export const ENDPOINTS = {
  ...rowsOf(admins),
  ...rowsOf(auth),
  ...rowsOf(totp),
  ...rowsOf(bank),
  ...rowsOf(categories),
  ...rowsOf(images),
  ...rowsOf(imports),
  ...rowsOf(questionList),
  ...rowsOf(questions),
  ...rowsOf(practice),
  ...rowsOf(quizzes),
  ...rowsOf(structure),
  ...rowsOf(answers),
  ...rowsOf(connectionCheck),
  ...rowsOf(endedAttempt),
  ...rowsOf(evidence),
  ...rowsOf(evidenceViews),
  ...rowsOf(opening),
  ...rowsOf(ownParticipant),
  ...rowsOf(receipts),
  ...rowsOf(violations),
  ...rowsOf(audit),
  ...rowsOf(institution),
  ...rowsOf(retention),
  ...rowsOf(smtpSettings),
  ...rowsOf(system),
  ...rowsOf(works),
  ...rowsOf(invitations),
  ...rowsOf(outbox),
  ...rowsOf(people),
  ...rowsOf(halls),
  ...rowsOf(live),
  ...rowsOf(outages),
  ...rowsOf(participantRecord),
  ...rowsOf(participants),
  ...rowsOf(releases),
  ...rowsOf(schedule),
  ...rowsOf(certificates),
  ...rowsOf(results),
  ...rowsOf(statistics),
  ...rowsOf(stats),
} satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;
