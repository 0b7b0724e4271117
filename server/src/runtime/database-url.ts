/**
 * The servers of a DATABASE_URL that names several, in libpq's format:
 * `postgresql://user:password@a:5432,b:5432/invigil` becomes a URL for each.
 */
export function serversOf(url: string): string[] {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (hosts === undefined) return [url];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}
