/*
 * The bundler calls this for each `import()`, in place of its own helper, with the files that the module and
 * those it imports are in (web/vite.config.ts).
 */

/** By address; a failure is forgotten. */
const files = new Map<string, Promise<unknown>>();

/**
 * Imports a module once all of its files are here. A browser remembers for as long as the page lives that it
 * could not fetch a module (whatwg/html#6768), so that one second without a connection would cost a reload. It
 * remembers no failed `fetch`, and takes files that have arrived from its cache: none of ours ever changes.
 */
export async function loadModule<T>(
  load: () => Promise<T>,
  paths: readonly string[] = [],
): Promise<T> {
  await Promise.all(paths.map((path) => fetchOnce(`/${path}`)));
  return load();
}

function fetchOnce(address: string): Promise<unknown> {
  const found = files.get(address);
  if (found !== undefined) return found;
  const file = address.endsWith('.css') ? style(address) : script(address);
  files.set(address, file);
  file.catch(() => files.delete(address));
  return file;
}

async function script(address: string): Promise<void> {
  // The page names what it was opened with.
  if (document.querySelector(`script[src="${address}"], link[href="${address}"]`)) return;
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} was answered with ${response.status}`);
  await response.arrayBuffer();
}

function style(address: string): Promise<void> {
  if (document.querySelector(`link[rel="stylesheet"][href="${address}"]`)) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.crossOrigin = '';
  link.href = address;
  return new Promise((resolve, reject) => {
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${address} could not be loaded`));
    });
    document.head.append(link);
  });
}
