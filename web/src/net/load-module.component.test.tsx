import { expect, test, vi } from 'vitest';
import { loadModule } from './load-module.ts';

/** A server without a connection, until it is back. */
function connection() {
  const line = { isUp: false, asked: [] as string[] };
  vi.stubGlobal('fetch', async (address: string) => {
    line.asked.push(address);
    if (!line.isUp) throw new TypeError('Failed to fetch');
    return new Response('export {}');
  });
  return line;
}

test('a module is imported only once its files are here, and a failure is not remembered', async () => {
  const line = connection();
  const load = vi.fn(async () => 'module');
  const paths = ['assets/test-a.js', 'assets/test-b.js'];
  await expect(loadModule(load, paths)).rejects.toThrow('Failed to fetch');
  expect(load).not.toHaveBeenCalled();
  line.isUp = true;
  expect(await loadModule(load, paths)).toBe('module');
  // Fetched once, whichever module needs them.
  line.asked.length = 0;
  expect(await loadModule(load, ['assets/test-b.js'])).toBe('module');
  expect(line.asked).toEqual([]);
});

test('a file that the server does not have is a failure', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 503 }));
  const load = vi.fn(async () => 'module');
  await expect(loadModule(load, ['assets/test-c.js'])).rejects.toThrow('answered with 503');
  expect(load).not.toHaveBeenCalled();
});

test('a style that did not come is asked for again', async () => {
  const links = () => document.querySelectorAll('link[href="/assets/test-d.css"]').length;
  const load = async () => 'module';
  await expect(loadModule(load, ['assets/test-d.css'])).rejects.toThrow('could not be loaded');
  expect(links()).toBe(0);
  await expect(loadModule(load, ['assets/test-d.css'])).rejects.toThrow('could not be loaded');
});
