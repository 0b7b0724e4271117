import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { IMAGE_LIMITS } from '@invigil/core/domain/questions/question-files';
import { confinedArguments } from '../confined.ts';
import type { ConvertedImage, ImageProblem } from './convert-image.ts';

type Result = ConvertedImage | ImageProblem;
type Message = 'ready' | { failure: string } | Result;

interface ConverterLimits {
  convertMaxMs: number;
  convertMaxMemoryBytes: number;
}

const pathOf = (specifier: string) => fileURLToPath(import.meta.resolve(specifier));

/** Nothing of ours: a decoder may have a flaw. */
const ENVIRONMENT = {
  FONTCONFIG_FILE: pathOf('./fonts.conf'),
  XDG_DATA_HOME: dirname(pathOf('dejavu-fonts-ttf/package.json')),
};

/**
 * Converts images in a process of its own, which has a low priority and limits on time and memory. It is
 * started when needed and ends when idle. One image at a time: its callers wait in a queue.
 */
export class ImageConverter {
  readonly #limits: ConverterLimits;
  #process: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @param limits on the time of one image, and on the memory of the process; tests pass their own */
  constructor(limits: ConverterLimits = IMAGE_LIMITS) {
    this.#limits = limits;
  }

  /** The number of its process, while there is one. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Ends the process. An image that is being converted is lost. */
  stop(): void {
    clearTimeout(this.#idle);
    this.#process?.kill('SIGKILL');
    this.#process = undefined;
  }

  /**
   * The signal ends it with the process, as nothing else ends a decoder. Throws its reason, and if the
   * library does not work on this system.
   */
  async convert(bytes: Uint8Array, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    clearTimeout(this.#idle);
    // It may have ended while it was idle.
    if (!this.#process?.connected) {
      this.#process = await startProcess(this.#limits);
    }
    const child = this.#process;
    const answer = nextMessage(child);
    child.send(bytes);
    const end = () => void child.kill('SIGKILL');
    const timer = setTimeout(end, this.#limits.convertMaxMs);
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted) end();
    const result = await answer;
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
    if (result === undefined) {
      this.#process = undefined;
      signal?.throwIfAborted();
      // It ran out of time or memory, or the file made it crash.
      return 'IMAGE_TOO_COMPLEX';
    }
    this.#idle = setTimeout(() => this.stop(), IMAGE_LIMITS.converterIdleMs).unref();
    return result as Result;
  }
}

/**
 * Memory that the process reserves without an image, for V8 and for the stacks of threads; it uses a seventh.
 */
const RESERVED_BYTES = 805_306_368;

/**
 * The command of the process. A decoder can take gigabytes between two samples of the process's own memory,
 * so the system limits it as well, where it can: on Linux all memory that it may write to (setrlimit(2),
 * RLIMIT_DATA).
 */
function commandOf(maxMemoryBytes: number): [string, ...string[]] {
  const node = [
    process.execPath,
    ...confinedArguments({ addons: true }),
    pathOf('./converter-process.ts'),
    String(maxMemoryBytes),
  ] as const;
  if (process.platform !== 'linux') return [...node];
  const kibibytes = Math.ceil((maxMemoryBytes + RESERVED_BYTES) / 1_024);
  return ['/bin/sh', '-c', 'ulimit -d "$0" && exec "$@"', String(kibibytes), ...node];
}

/** Throws if the process cannot convert anything. */
async function startProcess({ convertMaxMemoryBytes }: ConverterLimits): Promise<ChildProcess> {
  const [command, ...args] = commandOf(convertMaxMemoryBytes);
  const child = spawn(command, args, {
    env: ENVIRONMENT,
    serialization: 'advanced',
    // The library's warnings are about files of other people.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  child.on('error', () => undefined);
  // An idle one must not keep us running.
  child.unref();
  child.channel?.unref();
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const first = await nextMessage(child);
  if (first === 'ready') return child;
  child.kill('SIGKILL');
  const why = typeof first === 'object' && 'failure' in first ? first.failure : 'it ended';
  throw new Error(`the process that converts images did not start: ${why}`);
}

/** `undefined` if it ends before it sends one. */
function nextMessage(child: ChildProcess): Promise<Message | undefined> {
  return new Promise((resolve) => {
    const end = (message?: unknown) => {
      child.off('message', end).off('exit', onEnd).off('error', onEnd);
      resolve(message as Message | undefined);
    };
    const onEnd = () => end();
    child.on('message', end).on('exit', onEnd).on('error', onEnd);
  });
}
