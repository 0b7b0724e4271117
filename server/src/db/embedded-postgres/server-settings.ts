import { statfsSync } from 'node:fs';
import { totalmem } from 'node:os';

/** PostgreSQL's own names and values, as in postgresql.conf. */
export type ServerSettings = Record<string, string>;

const MIB = 1024 * 1024;
const SHARED_BUFFERS_MAX_MIB = 256;
/** Docker gives containers 64 MiB of /dev/shm; one parallel hash join can want more. */
const SHARED_MEMORY_ENOUGH_BYTES = 256 * MIB;

/**
 * The settings of the embedded server, passed on the command line, so that the files in the cluster stay
 * as initdb made them and every start uses the settings of its own version.
 */
export function serverSettings(socketFolder: string, overrides: ServerSettings): ServerSettings {
  return {
    // Reached through the socket only: no port, and no password to store. pg_hba.conf says
    // `trust`, because anyone who can enter the 0700 folder of the socket is the user who owns the
    // data files, or root: a check inside would ask the same question again. (`peer` asks the
    // kernel for the caller's name, which in a user namespace is not the caller's.)
    listen_addresses: '',
    unix_socket_directories: quotedPath(socketFolder),
    unix_socket_permissions: '0700',
    cluster_name: 'invigil',

    // An acknowledged answer is on disk.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    shared_buffers: `${sharedBuffersMib()}MB`,
    // Bounds the recovery after a kill: seconds, where 4 GB took half a minute.
    max_wal_size: '1GB',
    checkpoint_timeout: '5min',
    // A recycled segment of the log would keep erased data until it is overwritten.
    wal_recycle: 'off',
    jit: 'off',
    ...(hasSharedMemory()
      ? {}
      : { dynamic_shared_memory_type: 'mmap', max_parallel_workers_per_gather: '0' }),

    TimeZone: 'UTC',
    log_timezone: 'UTC',
    // The file is not rotated while the server runs, and must not contain personal data: only
    // warnings, and without DETAIL lines, which quote the values of a row.
    log_checkpoints: 'off',
    log_min_messages: 'warning',
    log_error_verbosity: 'terse',
    log_line_prefix: '%m [%p] ',
    ...overrides,
  };
}

/** The settings as arguments of `postgres`. */
export function settingArguments(settings: ServerSettings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function sharedBuffersMib(): number {
  const quarter = Math.floor(totalmem() / 4 / MIB);
  return Math.max(32, Math.min(SHARED_BUFFERS_MAX_MIB, quarter));
}

function hasSharedMemory(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks >= SHARED_MEMORY_ENOUGH_BYTES;
  } catch {
    return false;
  }
}

/** The setting is a list: a path with a comma or blank in it needs quotes. */
function quotedPath(path: string): string {
  return `"${path.replaceAll('"', '""')}"`;
}
