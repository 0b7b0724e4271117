import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { silentLog } from '@invigil/testkit/silent-log';
import { openPool } from '../../server/src/db/connection/pool.ts';
import { startEmbeddedPostgres } from '../../server/src/db/embedded-postgres/supervisor.ts';
import { urlOf } from '../running-postgres.ts';
import { type Counterexample, describeCounterexample } from './checks/counterexample.ts';
import { DEFECTS, defectiveServer } from './defects.mjs';
import { evaluate } from './promises.ts';
import { playRound, type RoundSettings } from './round.ts';
import type { DatabasePlace } from './system/system.ts';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));

const LOAD: RoundSettings = {
  seed: 'defects',
  apps: 'one',
  candidates: 6,
  leaving: 0,
  perSecond: 10,
  holdMs: 800,
  quietMs: 1_000,
  hurried: true,
};

/** Depend on time and load; not a defect of a build. */
const TIMING = ['a save took too long', 'too slow'];

export interface Caught {
  name: string;
  /** The counterexample; empty if the defect was not detected. */
  counterexample: string[];
}

/** Concurrent builds, each with its own database in one PostgreSQL. */
export interface DefectiveBuilds extends AsyncDisposable {
  /** Plays one round on a build with these defects and searches for the counterexample of each. */
  play(...names: string[]): Promise<Caught[]>;
  playUnmodified(): Promise<string[]>;
}

export async function openDefectiveBuilds(): Promise<DefectiveBuilds> {
  await using undo = new AsyncDisposableStack();
  mkdirSync(DATA, { recursive: true });
  const dataDir = mkdtempSync(join(DATA, 'defects-'));
  undo.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
  undo.defer(() => postgres.stop());
  const pool = openPool(postgres.superuser, silentLog);
  undo.defer(() => pool.end());
  let made = 0;
  const makeDatabase = async (): Promise<DatabasePlace> => {
    made += 1;
    const name = `build_${made}`;
    const { user } = postgres.connection;
    await pool.query(`create database ${name} owner ${user}`);
    return { dataDir, name, url: urlOf({ ...postgres.connection, database: name }) };
  };
  const play = async (settings: Partial<RoundSettings>): Promise<Counterexample[]> => {
    const database = await makeDatabase();
    const round = await playRound({ ...LOAD, ...settings, database });
    return evaluate([round]).flatMap(({ counterexamples }) => counterexamples);
  };
  const kept = undo.move();
  return {
    async play(...names) {
      const defects = names.map((name) => {
        const defect = DEFECTS.find((one) => one.name === name);
        if (!defect) throw new Error(`no defect named ${name}`);
        return defect;
      });
      const found = await play({
        leaving: defects.some(({ leaves }) => leaves) ? 2 : 0,
        faults: [...new Set(defects.map(({ during }) => during))],
        ...defectiveServer(names),
      });
      return defects.map(({ name, caughtBy }) => {
        const counterexample = found.find(({ what }) => what === caughtBy);
        return {
          name,
          counterexample: counterexample ? describeCounterexample(counterexample) : [],
        };
      });
    },
    async playUnmodified() {
      const faults = [...new Set(DEFECTS.map(({ during }) => during))];
      const found = await play({ leaving: 2, faults });
      return found
        .filter(({ what }) => !TIMING.includes(what))
        .map((counterexample) => describeCounterexample(counterexample).join('\n'));
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
