import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectionsFor } from '../db/connection/pool.ts';
import { silentLog } from '../testing/silent-log.ts';
import { testConfig } from '../testing/test-config.ts';
import { openInstallation } from './open-installation.ts';

it('the embedded database allows connections for every process', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'invigil-installation-'));
  const closers: (() => unknown)[] = [];
  const shutdown = {
    signal: new AbortController().signal,
    onEnd: (_: string, close: () => unknown) => void closers.unshift(close),
    end: () => Promise.reject(new Error('not here')),
  };
  try {
    const config = { ...testConfig({ DATA_DIR: dataDir, WEB_CONCURRENCY: '64' }), port: 0 };
    const { pool } = await openInstallation(config, silentLog, shutdown, false);
    const { rows } = await pool.query('show max_connections');
    expect(rows).toEqual([{ max_connections: String(connectionsFor(64)) }]);
  } finally {
    for (const close of closers) await close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
