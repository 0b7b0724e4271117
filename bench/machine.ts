import { closeSync, fdatasyncSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { median } from './statistics.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memoryGib: number;
  system: string;
  node: string;
  /** Only where a disk is part of what is measured. */
  disk?: Disk;
  versions?: Record<string, string>;
}

export interface Disk {
  fileSystem: string;
  /** Time to sync 8 KiB at the end of a file: what a commit waits for. */
  syncMicros: number;
}

export function describeMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGib: Math.round(totalmem() / 1024 ** 3),
    system: `${platform()} ${release()} ${arch()}`,
    node: process.versions.node,
  };
}

export function machineLine({ cpu, cores, memoryGib, system, node, disk, versions }: Machine) {
  const parts = [`${cores} cores (${cpu})`, `${memoryGib} GiB`, system, `Node ${node}`];
  for (const [name, version] of Object.entries(versions ?? {})) parts.push(`${name} ${version}`);
  if (disk) parts.push(`${disk.fileSystem}, ${disk.syncMicros} µs for one fdatasync of 8 KiB`);
  return `Machine: ${parts.join('; ')}`;
}

/** Common file system types of `statfs(2)`. */
const FILE_SYSTEMS: Record<number, string> = {
  61267: 'ext4',
  1481003842: 'xfs',
  2435016766: 'btrfs',
  801189825: 'zfs',
  2035054128: 'overlayfs',
  16914836: 'tmpfs (memory: nothing is durable)',
};
const PROBES = 200;

/** Measures the disk of `folder` before it is used. */
export function describeDisk(folder: string): Disk {
  const path = join(folder, 'sync-probe');
  const file = openSync(path, 'w');
  const page = Buffer.alloc(8_192, 1);
  const micros: number[] = [];
  try {
    for (let i = 0; i < PROBES; i += 1) {
      writeSync(file, page);
      const from = performance.now();
      fdatasyncSync(file);
      micros.push((performance.now() - from) * 1_000);
    }
  } finally {
    closeSync(file);
    rmSync(path);
  }
  const kind = statfsSync(folder).type;
  return {
    fileSystem: FILE_SYSTEMS[kind] ?? `file system 0x${kind.toString(16)}`,
    syncMicros: Math.round(median(micros)),
  };
}
