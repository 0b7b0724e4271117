import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@invigil/testkit/running-server';

/** Why HAProxy cannot be started here; `null` where it can. */
export function whyNoProxy(): string | null {
  try {
    execFileSync('haproxy', ['-v'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'HAProxy is missing: install it (Debian: apt install haproxy)';
  }
}

/**
 * Starts HAProxy in front of these ports, round robin per request. It checks liveness only: without a
 * database the processes respond with `Retry-After`.
 */
export async function startHaproxy(
  folder: string,
  ports: readonly number[],
): Promise<{ port: number } & AsyncDisposable> {
  const port = await freePort();
  const path = join(folder, 'haproxy.cfg');
  const servers = ports.map(
    (to, i) => `  server app${i} 127.0.0.1:${to} check inter 500ms fall 2 rise 1`,
  );
  writeFileSync(path, `${[...CONFIGURATION(port), ...servers].join('\n')}\n`);
  const child = spawn('haproxy', ['-db', '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
    await delay(20);
  }
  return {
    port,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const CONFIGURATION = (port: number) => [
  'defaults',
  '  mode http',
  '  timeout connect 2s',
  '  timeout client 60s',
  '  timeout server 60s',
  'frontend candidates',
  `  bind 127.0.0.1:${port}`,
  '  default_backend apps',
  'backend apps',
  '  balance roundrobin',
  '  option httpchk GET /healthz',
];

async function answers(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
