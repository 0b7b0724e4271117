import { spentDuring } from '../answer-path/processor-time.ts';
import { type Disk, describeMachine, type Machine } from '../machine.ts';
import { type LoadClients, type Part, startLoadClients } from './load-clients.ts';
import { lostAnswers } from './lost-answers.ts';
import { createSessions, invite, makeQuiz } from './people.ts';
import { type PartShares, sharesOf } from './shares.ts';
import { countEnded, readStored } from './stored-answers.ts';
import { type LoadSystem, type LoadSystemSettings, startLoadSystem } from './system.ts';
import type { Sitting } from './timetable.ts';

export interface LoadSettings {
  seed: string;
  database: LoadSystemSettings['database'];
  candidates: number;
  /** Number of serving processes, and of load generator processes. */
  processes: number;
  questions: number;
  /** Seconds within which all sign in; 0: they have already started. */
  signInSeconds: number;
  /** Additional people who sign in at once. */
  rush: { people: number; seconds: number };
  sitting: Omit<Sitting, 'candidates' | 'seed'>;
  submitSeconds: number;
  say(line: string): void;
}

/** A part with its processor shares. */
export type MeasuredPart = Part & { name: string; people: number; shares: PartShares | null };

/** All results of a run. */
export interface LoadRun {
  candidates: number;
  signIn: MeasuredPart | null;
  rush: MeasuredPart;
  sit: MeasuredPart;
  submit: MeasuredPart;
  /** Number of checked newest answers, and the lost ones. */
  readBack: { answers: number; lost: string[] };
  ended: number;
  machine: Machine & { disk: Disk };
}

/** Runs a whole assessment: sign-in, answering, submitting; then reads all answers back. */
export async function runLoad(settings: LoadSettings): Promise<LoadRun> {
  const { candidates, seed, say, processes } = settings;
  await using system = await startLoadSystem({
    name: 'load',
    database: settings.database,
    env: { WEB_CONCURRENCY: String(processes) },
  });
  const quiz = await makeQuiz(system, settings.questions);
  await using clients = await startLoadClients({ port: system.server.port, ...quiz }, processes);
  const measure = async (name: string, people: number, work: () => Promise<Part>) => {
    say(`${name} …`);
    return measurePart(system, name, people, work);
  };

  const signIn = await signInAll(settings, system, clients, quiz.quizId, measure);
  const others = await invite(system, quiz.quizId, settings.rush.people);
  const rush = await measure(`${others.length} more sign in`, others.length, () =>
    clients.enter({ seed: `${seed} rush`, ...settings.rush, people: others, stay: false }),
  );
  // As autovacuum would have done in a database in use.
  await system.pool.query('vacuum (analyze)');
  const sit = await measure(`${candidates} sit`, candidates, () =>
    clients.sit({ ...settings.sitting, seed: `${seed} sit` }),
  );
  const submit = await measure(`${candidates} submit`, candidates, () =>
    clients.submit({ seed: `${seed} submit`, seconds: settings.submitSeconds }),
  );

  say('reading all answers back …');
  const acknowledged = await clients.acknowledged();
  await clients.leave();
  const stored = await readStored(system, acknowledged);
  return {
    candidates,
    signIn,
    rush,
    sit,
    submit,
    readBack: {
      answers: acknowledged.reduce(
        (n, { revisions }) => n + revisions.filter((r) => r > 0).length,
        0,
      ),
      lost: lostAnswers(
        acknowledged,
        quiz.questions.map(({ id }) => id),
        stored,
      ),
    },
    ended: await countEnded(system, acknowledged),
    machine: {
      ...describeMachine(),
      disk: system.disk,
      versions: { PostgreSQL: system.postgres.version },
    },
  };
}

async function signInAll(
  { seed, candidates, signInSeconds, database }: LoadSettings,
  system: LoadSystem,
  clients: LoadClients,
  quizId: string,
  measure: (name: string, people: number, work: () => Promise<Part>) => Promise<MeasuredPart>,
): Promise<MeasuredPart | null> {
  if (signInSeconds === 0) {
    const people = await createSessions(system, quizId, candidates);
    // As after a restart during the assessment: all connect to a new process.
    if (database === 'external') await system.restartServer();
    await clients.add(people);
    return null;
  }
  const people = await invite(system, quizId, candidates);
  return measure(`${candidates} sign in`, candidates, () =>
    clients.enter({ seed: `${seed} sign-in`, seconds: signInSeconds, people, stay: true }),
  );
}

/** Runs a part and measures its processor shares. */
export async function measurePart(
  system: LoadSystem,
  name: string,
  people: number,
  work: () => Promise<Part>,
): Promise<MeasuredPart> {
  const { result, spent } = await spentDuring(system.processes, work);
  return { ...result, name, people, shares: sharesOf(result, spent) };
}
