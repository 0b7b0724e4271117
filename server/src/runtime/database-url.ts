/**
 * The servers of a DATABASE_URL that names several, as libpq has it:
 * `postgresql://user:password@a:5432,b:5432/invigil` gives a URL for each.
 */
export function serversOf(url: string): string[] {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (hosts === undefined) return [url];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}
