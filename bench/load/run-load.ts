import { spentDuring } from '../answer-path/processor-time.ts';
import { type Disk, describeMachine, type Machine } from '../machine.ts';
import { type Crowd, type Part, startCrowd } from './crowd.ts';
import { lostAnswers } from './lost-answers.ts';
import { invite, makeQuiz, seat } from './people.ts';
import { type PartShares, sharesOf } from './shares.ts';
import { countEnded, readStored } from './stored-answers.ts';
import { type LoadSystem, type LoadSystemSettings, startLoadSystem } from './system.ts';
import type { Sitting } from './timetable.ts';

export interface LoadSettings {
  seed: string;
  database: LoadSystemSettings['database'];
  candidates: number;
  /** Serving processes, and as many of the load generator. */
  processes: number;
  questions: number;
  /** Everybody signs in within so many seconds; 0: they have seats already. */
  signInSeconds: number;
  /** And so many others, all at once. */
  rush: { people: number; seconds: number };
  sitting: Omit<Sitting, 'candidates' | 'seed'>;
  submitSeconds: number;
  say(line: string): void;
}

/** A part with what it took of the machine. */
export type MeasuredPart = Part & { name: string; people: number; shares: PartShares | null };

/** Everything that was seen in a run. */
export interface LoadRun {
  candidates: number;
  signIn: MeasuredPart | null;
  rush: MeasuredPart;
  sit: MeasuredPart;
  submit: MeasuredPart;
  /** Acknowledged newest answers that were looked for, and what is wrong with them. */
  readBack: { answers: number; lost: string[] };
  ended: number;
  machine: Machine & { disk: Disk };
}

/** Plays a whole test day: sign-in, sitting, submitting; then reads it all back. */
export async function runLoad(settings: LoadSettings): Promise<LoadRun> {
  const { candidates, seed, say, processes } = settings;
  await using system = await startLoadSystem({
    name: 'load',
    database: settings.database,
    env: { WEB_CONCURRENCY: String(processes) },
  });
  const quiz = await makeQuiz(system, settings.questions);
  await using crowd = await startCrowd({ port: system.server.port, ...quiz }, processes);
  const measure = async (name: string, people: number, work: () => Promise<Part>) => {
    say(`${name} …`);
    return measurePart(system, name, people, work);
  };

  const signIn = await letIn(settings, system, crowd, quiz.quizId, measure);
  const others = await invite(system, quiz.quizId, settings.rush.people);
  const rush = await measure(`${others.length} more sign in`, others.length, () =>
    crowd.enter({ seed: `${seed} rush`, ...settings.rush, people: others, stay: false }),
  );
  // As the autovacuum of a database that has been running for a while would have done.
  await system.pool.query('vacuum (analyze)');
  const sit = await measure(`${candidates} sit`, candidates, () =>
    crowd.sit({ ...settings.sitting, seed: `${seed} sit` }),
  );
  const submit = await measure(`${candidates} submit`, candidates, () =>
    crowd.submit({ seed: `${seed} submit`, seconds: settings.submitSeconds }),
  );

  say('reading everything back …');
  const acknowledged = await crowd.acknowledged();
  await crowd.leave();
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

async function letIn(
  { seed, candidates, signInSeconds, database }: LoadSettings,
  system: LoadSystem,
  crowd: Crowd,
  quizId: string,
  measure: (name: string, people: number, work: () => Promise<Part>) => Promise<MeasuredPart>,
): Promise<MeasuredPart | null> {
  if (signInSeconds === 0) {
    const people = await seat(system, quizId, candidates);
    // As after a restart in the middle of the exam: all come to a process that has just begun.
    if (database === 'external') await system.restartServer();
    await crowd.seat(people);
    return null;
  }
  const people = await invite(system, quizId, candidates);
  return measure(`${candidates} sign in`, candidates, () =>
    crowd.enter({ seed: `${seed} sign-in`, seconds: signInSeconds, people, stay: true }),
  );
}

/** A part of the run with the processor time that went into it. */
export async function measurePart(
  system: LoadSystem,
  name: string,
  people: number,
  work: () => Promise<Part>,
): Promise<MeasuredPart> {
  const { result, spent } = await spentDuring(system.processes, work);
  return { ...result, name, people, shares: sharesOf(result, spent) };
}
