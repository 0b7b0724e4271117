import { setTimeout as delay } from 'node:timers/promises';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { type SmtpSink, startSmtpSink } from '@invigil/testkit/mail-servers';
import { sitDown } from '@invigil/testkit/running-server';
import { deriveKeys } from '../../server/src/security/keys.ts';
import { copyPerson } from '../copied-people.ts';
import { codeIn, readFinalState } from './checks/final-state.ts';
import { newNotes } from './checks/notes.ts';
import type { Observed } from './round.ts';
import { AdminClient } from './system/admin-client.ts';
import { SECRET_KEY, type System, startSystem } from './system/system.ts';

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
  const email = await beginOne(system, sink);
  const closeAt = await system.withDatabase(async (db) => {
    await copyPerson(db, deriveKeys(SECRET_KEY), email, many - 1);
    await db.query(ALL_DUE);
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

/** Someone who has answered every question. */
async function beginOne(system: System, sink: SmtpSink): Promise<string> {
  const admin = await AdminClient.open(system);
  const quiz = await admin.makeTest('due');
  const [email = ''] = await admin.invite(quiz, 'due', 1);
  while (sink.mails.length === 0) await delay(50);
  const code = codeIn(sink.mails[0]?.mail.text);
  const { person, id } = await sitDown(admin.url, { email, code });
  const paper: { id: string; options: string[] }[] = await person.must('listQuestions', {
    params: { id: quiz },
    query: { forAssessment: 'true' },
  });
  const answers = paper.map(({ id, options }) => ({
    ...{ questionId: id, selectedOption: options[0], isFlagged: false, revision: 1 },
  }));
  await person.must('saveAnswers', { params: { id }, body: { answers } });
  return email;
}

const ALL_DUE = `
  update participants set deadline_at = d.at, close_at = d.at + interval '${ATTEMPT_LIMITS.graceMs} milliseconds'
  from (select date_trunc('milliseconds', clock_timestamp())
    + interval '${DUE_IN_SECONDS} seconds' as at) d`;

async function leaderOf({ apps }: System) {
  const leads = await Promise.all(apps.map((app) => app.figure('invigil_jobs_leader')));
  return apps[leads.indexOf(1)];
}
