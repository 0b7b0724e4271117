import type { CDPSession } from '@playwright/test';

/**
 * V8's node types for memory of scripts. Not `code`: compiled functions, including those of this
 * benchmark. Not `native`: it includes the request records of the developer tools.
 */
const HELD = new Set([
  'array',
  'bigint',
  'closure',
  'concatenated string',
  'number',
  'object',
  'object shape',
  'regexp',
  'sliced string',
  'string',
  'symbol',
]);

/** The part of V8's snapshot format that is read here. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/** Bytes that the page's scripts retain, from a heap snapshot, without garbage. */
export async function heldBytes(devtools: CDPSession): Promise<number> {
  let text = '';
  const add = ({ chunk }: { chunk: string }) => {
    text += chunk;
  };
  devtools.on('HeapProfiler.addHeapSnapshotChunk', add);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', add);
  const { snapshot, nodes }: Snapshot = JSON.parse(text);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (HELD.has(types[0][nodes[at + type] ?? -1] ?? '')) bytes += nodes[at + size] ?? 0;
  }
  return bytes;
}
