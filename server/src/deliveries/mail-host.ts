import dns from 'node:dns/promises';
import { type FaultCode, MAIL_PORTS, type MailProblem } from '@invigil/core/texts/mail-problems';
import ipaddr from 'ipaddr.js';

/** The address of a mail server, or why it may not be used. */
export type ResolvedHost =
  | { kind: 'allowed'; address: string; isNamed: boolean }
  | { kind: 'forbidden'; problem: MailProblem<FaultCode>; field: 'host' | 'port' }
  | { kind: 'unknown'; problem: MailProblem };

/** Metadata services of public clouds, which hand out secrets of the machine. */
const METADATA = new Set(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254']);
/**
 * Ranges without hosts: reserved (RFC 1112), and protocol assignments (RFC 6890), where a cloud has
 * its metadata service. Ranges for documentation and benchmarks are not forbidden.
 */
const NO_HOSTS = ['240.0.0.0/4', '192.0.0.0/24'].map((range) => ipaddr.IPv4.parseCIDR(range));
const FORBIDDEN_RANGES = new Set([
  'loopback',
  'linkLocal',
  'unspecified',
  'broadcast',
  'multicast',
  'private',
  'carrierGradeNat',
  'uniqueLocal',
  'deprecatedSiteLocal',
  // A deprecated tunnel that embeds an IPv4 address, which is not worth decoding.
  'teredo',
]);

/**
 * Looks up a mail host once and checks the address that will be connected to, so that the name
 * cannot point elsewhere between check and use. Hosts named in SMTP_ALLOWED_HOSTS may be anywhere,
 * on any port, and without TLS (`isNamed`).
 */
export async function resolveMailHost(
  { host, port }: { host: string; port: number },
  named: readonly string[],
): Promise<ResolvedHost> {
  const isNamed = named.some((n) => n.toLowerCase() === host.toLowerCase());
  if (!isNamed && !MAIL_PORTS.includes(port)) {
    const problem = { code: 'port_forbidden', said: `${host}:${port}` } as const;
    return { kind: 'forbidden', field: 'port', problem };
  }
  let addresses: string[];
  try {
    addresses = (await dns.lookup(host, { all: true, order: 'ipv4first' })).map((a) => a.address);
  } catch {
    return { kind: 'unknown', problem: { code: 'name_unknown', said: host } };
  }
  const [address] = addresses;
  if (address === undefined) {
    return { kind: 'unknown', problem: { code: 'name_without_address', said: host } };
  }
  if (!isNamed && addresses.some(isForbidden)) {
    return { kind: 'forbidden', field: 'host', problem: { code: 'host_forbidden', said: host } };
  }
  return { kind: 'allowed', address, isNamed };
}

function isForbidden(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (FORBIDDEN_RANGES.has(parsed.range()) || METADATA.has(parsed.toString())) return true;
  const isOf = (range: [ipaddr.IPv4, number]) =>
    parsed instanceof ipaddr.IPv4 && parsed.match(range);
  if (NO_HOSTS.some(isOf)) return true;
  const inner = parsed instanceof ipaddr.IPv6 ? ipv4Within(parsed) : undefined;
  return inner !== undefined && isForbidden(inner);
}

/** The IPv4 address embedded for a translator (RFC 6052, RFC 6145) or 6to4. */
function ipv4Within(address: ipaddr.IPv6): string | undefined {
  const at = { rfc6052: 6, rfc6145: 6, '6to4': 1 }[address.range() as string];
  if (at === undefined) return undefined;
  const bytes = address.parts.slice(at, at + 2).flatMap((part) => [part >> 8, part & 255]);
  return bytes.join('.');
}
