import { startTestDatabase, type TestDatabase } from '@invigil/testkit/app';
import { silentLog } from '@invigil/testkit/silent-log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serversOf } from '../../runtime/config.ts';
import { isDatabaseAway } from '../database-away.ts';
import { findPrimary } from './database-client.ts';
import { connectionsFor, openClient, openPool } from './pool.ts';

describe('a DATABASE_URL with several servers', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startTestDatabase();
  });
  afterAll(() => database.stop());

  /** Only the second of them is running. */
  const urlOf = (otherName: string) => {
    const { host = '', port, user, database: name } = database.connection;
    const other = encodeURIComponent(`/nowhere/${otherName}`);
    return `postgresql://${user}@${other}:5432,${encodeURIComponent(host)}:${port}/${name}`;
  };

  it.each([
    ['postgresql://me:a,b%40@a:1,b:2/x?y=1', ['me:a,b%40@a:1/x?y=1', 'me:a,b%40@b:2/x?y=1']],
    ['postgresql://a,b,c/x', ['a/x', 'b/x', 'c/x']],
    ['postgresql://[::1]:1,[::2]:2/x', ['[::1]:1/x', '[::2]:2/x']],
    ['postgresql://me@a/x?host=/run,postgresql', ['me@a/x?host=/run,postgresql']],
    ['postgresql:///x?host=/run/postgresql', ['/x?host=/run/postgresql']],
  ])('%s names each of them', (url, servers) => {
    expect(serversOf(url)).toEqual(servers.map((rest) => `postgresql://${rest}`));
  });

  it('is reached at the server that is running, from the second try on', async () => {
    const pool = openPool({ connectionString: urlOf('pool') }, silentLog);
    const ask = () => pool.query('select 1 as one');
    const refusal = await ask().catch((error: unknown) => error);
    expect(isDatabaseAway(refusal)).toBe(true);
    expect((await ask()).rows).toEqual([{ one: 1 }]);
    const client = openClient(pool, {});
    await client.connect();
    await client.end();
    await pool.end();
  });

  it('resolves to that server for a command', async () => {
    const url = urlOf('command');
    expect(await findPrimary(url)).toBe(serversOf(url)[1]);
  });

  it('resolves to the first server for a command when none is running', async () => {
    expect(await findPrimary('postgresql://%2Fno/x,%2Fwhere/x')).toMatch(/%2Fno/);
  });
});

it.each([
  [1, 100],
  [4, 100],
  // Each of them, and the parent, may open ten and two; the rest is for commands and people.
  [10, 152],
  [64, 800],
])('a database of %i serving processes allows %i connections', (processes, connections) => {
  expect(connectionsFor(processes)).toBe(connections);
});
