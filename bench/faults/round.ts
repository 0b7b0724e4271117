import { setTimeout as delay } from 'node:timers/promises';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { seededRandom, shuffle } from '@invigil/core/domain/questions/draw';
import { startBadMailServer } from '@invigil/testkit/mail-servers';
import { arrivals } from './candidates/arrivals.ts';
import { VirtualCandidate } from './candidates/virtual-candidate.ts';
import type { FinalState } from './checks/final-state.ts';
import { type Entry, History, monotonicNow } from './checks/history.ts';
import { type Notes, newNotes } from './checks/notes.ts';
import type { Fault } from './injected/fault.ts';
import { FAULTS } from './injected/faults.ts';
import { codeOf, endLeft, startGoodMailServer, whenSettled } from './settling.ts';
import { AdminClient } from './system/admin-client.ts';
import { type DatabasePlace, type SystemName, startSystem } from './system/system.ts';

/** Instead of ten seconds, where the grace period is not tested. */
const HURRIED_GRACE_MS = 3_000;
/** How long the mail server is down at the start of the round. */
const MAIL_AWAY_MS = 3_000;

export interface RoundSettings {
  seed: string;
  apps: SystemName;
  candidates?: number;
  /** How many of them never submit: the server ends their attempts. By default a quarter. */
  leaving?: number;
  /** Actions per candidate and second. */
  perSecond?: number;
  /** How long a lasting fault is kept up. */
  holdMs?: number;
  /** Between two faults. */
  quietMs?: number;
  /** People invited right before the first fault, who never sign in. */
  invited?: number;
  /** The mail server refuses, stalls and drops connections; for rounds without candidates. */
  badMail?: boolean;
  /** Names of the faults to play; by default all of the system's, in random order. */
  faults?: readonly string[];
  nodeArgs?: string[];
  /** Additional environment of the servers. */
  env?: Record<string, string>;
  database?: DatabasePlace;
  /** Shortens the deadlines of abandoned attempts. */
  hurried?: boolean;
  say?(line: string): void;
}

export interface Observed extends Notes {
  history: readonly Entry[];
  state: FinalState;
  faults: Fault[];
  /** Injected faults of the mail server by kind; `null` for a good one. */
  mailFaults: Readonly<Record<string, number>> | null;
  /** Number of attempts due at once, and how long the last of them waited, in milliseconds. */
  dueAtOnce?: { many: number; slowestMs: number };
}

/**
 * Plays one round: candidates start and act by their schedule while faults are played in sequence; then
 * all submit except those who abandon. Returns when everything is closed and delivered.
 */
export async function playRound(settings: RoundSettings): Promise<Observed> {
  const { seed, apps, candidates = 40, perSecond = 5, invited = 0 } = settings;
  const { leaving = Math.floor(candidates / 4), holdMs = 5_000, quietMs = 3_000 } = settings;
  const { say = () => undefined } = settings;
  const random = seededRandom(seed);
  const faults = settings.faults
    ? settings.faults.map((name) => namedFault(apps, name))
    : shuffle(FAULTS[apps], random);
  const takesMs = faults.reduce((sum, fault) => sum + (fault.takesMs ?? 0) + holdMs + quietMs, 0);
  const lastsMs = takesMs + quietMs;
  const notes = newNotes();
  const history = new History();

  await using undo = new AsyncDisposableStack();
  const mail = settings.badMail ? await startBadMailServer(seed) : await startGoodMailServer();
  undo.defer(() => mail.close());
  const env = {
    SMTP_ALLOWED_HOSTS: '127.0.0.1',
    SMTP_URL: `smtp://u:p@127.0.0.1:${mail.port}?from=exams@example.org`,
    ...settings.env,
  };
  const { nodeArgs = [], database } = settings;
  const system = undo.use(
    await startSystem({ apps, env, nodeArgs, ...(database ? { database } : {}) }),
  );
  const admin = await AdminClient.open(system);
  const seat = async (name: string, many: number, endDate: Date | null) => {
    const quiz = await admin.makeTest(name, endDate);
    const emails = await admin.invite(quiz, name, many);
    return Promise.all(
      emails.map(async (email, first) => {
        const own = seededRandom(`${seed} ${email}`);
        const code = await codeOf(mail, email);
        const person = new VirtualCandidate({
          ...{ email, code, quiz, first, history },
          ...{ ports: system.ports, random: own },
        });
        undo.defer(async () => person.close());
        return { person, plan: arrivals(own, perSecond, lastsMs) };
      }),
    );
  };

  const staying = await seat('stay', candidates - leaving, null);
  // These are abandoned; the end date sets their deadline, see endLeft.
  const left = await seat('leave', leaving, new Date(Date.now() + 3_600_000));
  const people = [...staying, ...left];
  await Promise.all(people.map(({ person }) => person.start()));
  const guests = apps === 'disk' ? await seat('wait', 2, null) : [];
  const [newcomer, bystander] = guests.map(({ person }) => person);
  await newcomer?.signIn();
  await bystander?.start();
  if (settings.hurried) await endLeft(system, 200, HURRIED_GRACE_MS);
  else await endLeft(system, Math.max(lastsMs, 4_000), ATTEMPT_LIMITS.graceMs);
  const trespassAll = () =>
    Promise.all(
      staying.map(({ person }, i) =>
        person.trespass(staying[(i + 1) % staying.length]?.person.attempt ?? ''),
      ),
    );
  await trespassAll();

  const begin = monotonicNow();
  const running = Promise.all(people.map(({ person, plan }) => person.run(plan, begin)));
  // A rejection is handled at the end of the round.
  running.catch(() => undefined);
  if (settings.badMail) await mail.goAway();
  if (invited > 0) await admin.invite(await admin.makeTest('invited'), 'invited', invited);
  for (const [i, fault] of faults.entries()) {
    await delay(i === 0 && invited > 0 ? 0 : quietMs);
    say(`  ${fault.name}`);
    const guestsOf = newcomer && bystander ? { newcomer, bystander } : {};
    await fault.play(system, notes, { holdMs, ...guestsOf });
    if (settings.badMail && i === 0) {
      await delay(MAIL_AWAY_MS);
      await mail.comeBack();
    }
  }
  await running;
  await Promise.all(staying.map(({ person }) => person.submit()));
  await trespassAll();
  await Promise.all([newcomer?.submit(), bystander?.submit()]);
  const state = await whenSettled(system, mail, notes, settings.badMail ?? false);
  const mailFaults = settings.badMail ? mail.done : null;
  return { ...notes, history: history.entries, state, faults, mailFaults };
}

function namedFault(apps: SystemName, name: string): Fault {
  const fault = FAULTS[apps].find((one) => one.name === name);
  if (fault) return fault;
  const known = FAULTS[apps].map((one) => one.name).join('; ');
  throw new Error(`No fault named "${name}". Known faults: ${known}.`);
}
