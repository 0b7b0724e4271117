import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom, shuffle } from '@invigil/core/domain/draw';
import { ATTEMPT_LIMITS } from '@invigil/core/domain/limits';
import { startBadMailServer } from '../../server/src/testing/bad-mail-server.ts';
import { AdminClient } from './admin-client.ts';
import { arrivals } from './arrivals.ts';
import type { Fault } from './fault.ts';
import { FAULTS } from './faults.ts';
import type { FinalState } from './final-state.ts';
import { type Entry, History, monotonicNow } from './history.ts';
import { type Notes, newNotes } from './notes.ts';
import { codeOf, endLeft, startGoodMailServer, whenSettled } from './settling.ts';
import { type DatabasePlace, type SystemName, startSystem } from './system.ts';
import { VirtualCandidate } from './virtual-candidate.ts';

/** Instead of ten seconds, where no one looks at what the last seconds are for. */
const HURRIED_GRACE_MS = 3_000;
/** The mail server is away so long when the round begins. */
const MAIL_AWAY_MS = 3_000;

export interface RoundSettings {
  seed: string;
  apps: SystemName;
  candidates: number;
  /** How many of them never submit: their browser leaves, and the server ends the attempt. */
  leaving: number;
  /** Actions of one candidate in a second. */
  perSecond: number;
  /** How long a fault that lasts is held. */
  holdMs: number;
  /** Between two faults. */
  quietMs: number;
  /** People who are invited right before the first fault, and do not come. */
  invited: number;
  /** The mail server refuses, stalls, and drops lines. Candidates would wait for their codes: none. */
  badMail?: boolean;
  /** Names of the faults to play; all of the system's, in a random order, where there are none. */
  faults?: readonly string[];
  nodeArgs?: string[];
  /** For the servers, besides what they always get. */
  env?: Record<string, string>;
  database?: DatabasePlace;
  /** Brings the deadlines of those who leave so near that no one waits long for their end. */
  hurried?: boolean;
  say?(line: string): void;
}

/** Everything that was seen of one round. */
export interface Observed extends Notes {
  history: readonly Entry[];
  state: FinalState;
  faults: Fault[];
  /** What the mail server did instead of its work; `null` for one that did nothing so. */
  mischief: Readonly<Record<string, number>> | null;
  /** How many attempts came due at once, and how long the last of them waited; milliseconds. */
  dueAtOnce?: { many: number; slowestMs: number };
}

/**
 * Plays one round: candidates begin, continue by their plan while one fault after the other is played,
 * then they submit, apart from those who have left. Ends when everything is closed and delivered.
 */
export async function playRound(settings: RoundSettings): Promise<Observed> {
  const { seed, apps, candidates, leaving, holdMs, quietMs, say = () => undefined } = settings;
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
        return { person, plan: arrivals(own, settings.perSecond, lastsMs) };
      }),
    );
  };

  const staying = await seat('stay', candidates - leaving, null);
  // These are left by their browser; the end date makes their deadline, see endLeft.
  const left = await seat('leave', leaving, new Date(Date.now() + 3_600_000));
  const people = [...staying, ...left];
  await Promise.all(people.map(({ person }) => person.sit()));
  const guests = apps === 'disk' ? await seat('wait', 2, null) : [];
  const [newcomer, bystander] = guests.map(({ person }) => person);
  await newcomer?.signIn();
  await bystander?.sit();
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
  const living = Promise.all(people.map(({ person, plan }) => person.live(plan, begin)));
  // A refusal is told at the end of the round; until then no one waits for it.
  living.catch(() => undefined);
  if (settings.badMail) await mail.goAway();
  if (settings.invited > 0) {
    await admin.invite(await admin.makeTest('invited'), 'invited', settings.invited);
  }
  for (const [i, fault] of faults.entries()) {
    await delay(i === 0 && settings.invited > 0 ? 0 : quietMs);
    say(`  ${fault.name}`);
    const guestsOf = newcomer && bystander ? { newcomer, bystander } : {};
    await fault.play(system, notes, { holdMs, ...guestsOf });
    if (settings.badMail && i === 0) {
      await delay(MAIL_AWAY_MS);
      await mail.comeBack();
    }
  }
  await living;
  await Promise.all(staying.map(({ person }) => person.submit()));
  await trespassAll();
  await Promise.all([newcomer?.submit(), bystander?.submit()]);
  const state = await whenSettled(system, mail, notes, settings.badMail ?? false);
  const mischief = settings.badMail ? mail.done : null;
  return { ...notes, history: history.entries, state, faults, mischief };
}

function namedFault(apps: SystemName, name: string): Fault {
  const fault = FAULTS[apps].find((one) => one.name === name);
  if (fault) return fault;
  const known = FAULTS[apps].map((one) => one.name).join('; ');
  throw new Error(`No fault is called "${name}". There are: ${known}.`);
}
