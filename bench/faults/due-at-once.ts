import { setTimeout as delay } from 'node:timers/promises';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type SmtpSink, startSmtpSink } from '@invigil/testkit/mail-servers';
import { HttpPerson } from '@invigil/testkit/running-server';
import { codeIn, readFinalState } from './checks/final-state.ts';
import { newNotes } from './checks/notes.ts';
import type { Observed } from './round.ts';
import { AdminClient } from './system/admin-client.ts';
import { type System, startSystem } from './system/system.ts';

const DUE_IN_SECONDS = 5;
/** Longer than promised, so that the figure shows how long it took. */
const GIVE_UP_AFTER_MS = 180_000;

/**
 * Three servers on one database, and `many` attempts with ten answers each, all due at the same moment.
 * The leader is killed while it closes them.
 */
export async function playDueAtOnce(many: number): Promise<Observed> {
  await using undo = new AsyncDisposableStack();
  const sink = await startSmtpSink();
  undo.defer(() => sink.close());
  const env = {
    SMTP_ALLOWED_HOSTS: '127.0.0.1',
    SMTP_URL: `smtp://u:p@127.0.0.1:${sink.port}?from=exams@example.org`,
  };
  const system = undo.use(await startSystem({ apps: 'three', env }));
  await beginOne(system, sink);
  const closeAt = await system.withDatabase(async (db) => {
    await db.query(copies(many));
    return db.count('select extract(epoch from min(close_at)) * 1000 as n from participants');
  });
  const leader = leaderOf(system);
  await delay(Math.max(0, closeAt + 1_500 - Date.now()));
  const app = await leader;
  if (app) process.kill(app.server.pid, 'SIGKILL');
  const open = "select count(*) as n from participants where status = 'in_progress'";
  await system.withDatabase(async (db) => {
    while ((await db.count(open)) > 0 && Date.now() < closeAt + GIVE_UP_AFTER_MS) await delay(250);
  });
  const state = await system.withDatabase((db) => readFinalState(db, sink.mails));
  const last = state.attempts.flatMap(({ endedAt }) => endedAt).reduce((a, b) => Math.max(a, b), 0);
  return {
    ...newNotes(),
    ...{ history: [], state, faults: [], mailFaults: null, kills: app ? 1 : 0, cuts: 1 },
    dueAtOnce: { many: state.attempts.length, slowestMs: Math.round(last - closeAt) },
  };
}

async function beginOne(system: System, sink: SmtpSink): Promise<void> {
  const admin = await AdminClient.open(system);
  const quiz = await admin.makeTest('due');
  const [email = ''] = await admin.invite(quiz, 'due', 1);
  while (sink.mails.length === 0) await delay(50);
  const person = new HttpPerson(system.apps[0]?.server.url ?? '');
  await person.signIn(email, codeIn(sink.mails[0]?.mail.text));
  const { body: attempt } = await person.call('startParticipant', { body: {} });
  const paper = await person.call('listQuestions', {
    params: { id: quiz },
    query: { forAssessment: 'true' },
  });
  const rows: { id: string; options: string[] }[] = paper.body;
  const answers = rows.map(({ id, options }) => ({
    ...{ questionId: id, selectedOption: options[0], isFlagged: false, revision: 1 },
  }));
  const params = { id: attempt.id };
  const { status } = await person.call('saveAnswers', { params, body: { answers } });
  if (status !== 200) throw new Error(`the first answers were refused: ${status}`);
}

/** SQL that copies the rows of users, invitations, attempts, papers and answers for other people. */
function copies(many: number): string {
  const copy = (table: string, differs: string) => `
    insert into ${table} select r.* from wave w, first f, ${table} t,
      lateral jsonb_populate_record(t, jsonb_build_object(${differs})) r`;
  return `
    create temp table first as select id, user_id, invitation_id from participants;
    create temp table wave as select n, uuidv7() as user_id, uuidv7() as invitation_id,
      uuidv7() as id from generate_series(1, ${many - 1}) n;
    ${copy('users', "'id', w.user_id, 'email', 'due-' || w.n || '@example.org'")} where t.id = f.user_id;
    ${copy('invitations', "'id', w.invitation_id, 'user_id', w.user_id")} where t.id = f.invitation_id;
    ${copy('participants', "'id', w.id, 'user_id', w.user_id, 'invitation_id', w.invitation_id, 'session_id', null")}
      where t.id = f.id;
    ${copy('paper_questions', "'participant_id', w.id")} where t.participant_id = f.id;
    ${copy('answers', "'participant_id', w.id, 'id', uuidv7()")} where t.participant_id = f.id;
    analyze;
    update participants set deadline_at = d.at, close_at = d.at + interval '${ATTEMPT_LIMITS.graceMs} milliseconds'
      from (select date_trunc('milliseconds', clock_timestamp())
        + interval '${DUE_IN_SECONDS} seconds' as at) d`;
}

async function leaderOf({ apps }: System) {
  const leads = await Promise.all(apps.map((app) => app.figure('invigil_jobs_leader')));
  return apps[leads.indexOf(1)];
}
