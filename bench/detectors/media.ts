import { readdirSync, readFileSync } from 'node:fs';

const FOLDER = new URL('./media/', import.meta.url);

/** The names of the labeled files with this ending. */
export function mediaNames(ending: string): string[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(ending));
  if (names.length === 0) throw new Error(`no ${ending} file in ${FOLDER.pathname}`);
  return names.sort();
}

/** One file, base64. */
export function media(name: string): string {
  return readFileSync(new URL(name, FOLDER)).toString('base64');
}
