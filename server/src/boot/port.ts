import { once } from 'node:events';
import { createServer } from 'node:net';
import { codeOf, StartProblem } from '../runtime/app-error.ts';
import type { Config } from '../runtime/config.ts';

type Address = Pick<Config, 'port' | 'host'>;

/**
 * Checks that the port is free before anything is started. It may still be taken before `listen`, which
 * is why `listenProblem` is called there, too.
 *
 * @throws StartProblem when it is not
 */
export async function requireFreePort(address: Address): Promise<void> {
  const server = createServer();
  try {
    server.listen({ ...address, exclusive: true });
    await once(server, 'listening');
  } catch (error) {
    throw listenProblem(error, address);
  }
  server.close();
  await once(server, 'close');
}

/** The error to report for a failed `listen`: the same one if it is not about the address. */
export function listenProblem(error: unknown, { port, host }: Address): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new StartProblem(
        `Port ${port} on ${host} is already in use. Use another one: PORT=${otherPort(port)} npm start`,
      );
    case 'EACCES':
      return new StartProblem(
        `Port ${port} is reserved for privileged programs. Use one above 1023: PORT=3000 npm start`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartProblem(
        `HOST ${host} is not an address of this machine. Use 127.0.0.1 for this machine only, 0.0.0.0 for all.`,
      );
    default:
      return error;
  }
}

function otherPort(port: number): number {
  return port < 65_535 ? port + 1 : 3000;
}
