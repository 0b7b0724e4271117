/*
 * A deliberately broken build, for `node --import`: the answer writer acknowledges first and writes a
 * moment later. The kill test must detect it; a test that cannot fail proves nothing.
 */
import { registerHooks } from 'node:module';

const HONEST = 'const gate = await this.#batches.add(save);';
const BROKEN = `
    setTimeout(() => void this.#batches.add(save).catch(() => undefined), 300);
    const deadlineAt = new Date(save.now.getTime() + 60_000);
    if (deadlineAt) return { kind: 'saved', deadlineAt, violationCount: 0, unchanged: [] };
    const gate = null;`;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/answer-writer.ts')) return loaded;
    const source = String(loaded.source);
    if (!source.includes(HONEST))
      throw new Error('the answer writer has changed: adapt the injected fault');
    return { ...loaded, source: source.replace(HONEST, BROKEN) };
  },
});
