/** `$course$/top/A/B` as A, B; a doubled slash is a slash of a name. */
export function categoryPathOf(path: string): string[] {
  const names = path
    .trim()
    .replaceAll('//', '\0')
    .split('/')
    .map((name) => name.replaceAll('\0', '/').trim())
    .filter((name) => name !== '');
  const from = /^\$[a-z]+\$$/.test(names[0] ?? '') ? 1 : 0;
  return names.slice(names[from] === 'top' ? from + 1 : from);
}

/** `$course$/top/A/B`; a slash of a name is doubled. */
export function categoryOf(path: readonly string[]): string {
  return ['$course$', 'top', ...path.map((name) => name.replaceAll('/', '//'))].join('/');
}
