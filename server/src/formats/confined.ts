import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** The files of our program: not `data`, which may be beside it and holds the secret key. */
const PROGRAM = ['package.json', 'server/', 'core/', 'node_modules/'].map((name) => ROOT + name);

/**
 * The arguments after which Node runs a script of ours that handles hostile files: it can read nothing but
 * our program, write nothing, and start neither a process nor a thread. It keeps the network: Node 24 has
 * no permission for it.
 *
 * @param addons whether it may load native code, which is not bound by all this (image decoders)
 */
export function confinedArguments({ addons = false } = {}): string[] {
  return [
    '--permission',
    ...PROGRAM.filter((path) => existsSync(path)).map((path) =>
      path.endsWith('/') ? `--allow-fs-read=${path}*` : `--allow-fs-read=${path}`,
    ),
    ...(addons ? ['--allow-addons'] : []),
  ];
}
