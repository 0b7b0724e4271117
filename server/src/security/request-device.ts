import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { keepNewest } from '../runtime/keep-newest.ts';

/** The parts of a request that identify its origin. */
export interface RequestOrigin {
  headers: IncomingHttpHeaders;
  ip: string;
}

/** The device that an attempt is taken on, as requests reveal it: only what is compared. */
export interface Device {
  /** Missing when the request does not show it. */
  kind?: 'phone' | 'computer';
  browser?: string;
  /** A machine with both families uses either for each connection: compared separately. */
  ipv4?: string;
  ipv6?: string;
}

/** The first match; Chrome's engine mentions Safari, and most others mention Chrome. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

/** The common part of one network, a campus or a provider's region: the rest changes on its own. */
const NETWORK_BITS = { ipv4: 16, ipv6: 48 } as const;

/** Devices by all inputs: a page sends the same ones in each of its heartbeats. */
const known = new Map<string, Device>();
const MOST_KNOWN = 20_000;
/** Longer ones are no browser's, and are not cached. */
const AGENT_MAX_CHARACTERS = 500;

/** The device that a request comes from by its own account. Shared between callers: do not change it. */
export function deviceOf(origin: RequestOrigin): Readonly<Device> {
  const { headers, ip } = origin;
  const { 'user-agent': agent = '', 'sec-ch-ua-mobile': mobile = '' } = headers;
  if (agent.length + String(mobile).length > AGENT_MAX_CHARACTERS) return readDevice(origin);
  // No header has a line break: different headers make different keys.
  const key = [ip, mobile, agent].join('\n');
  const remembered = known.get(key);
  if (remembered) return remembered;
  const device = readDevice(origin);
  keepNewest(known, key, device, MOST_KNOWN);
  return device;
}

function readDevice({ headers, ip }: RequestOrigin): Device {
  const agent = headers['user-agent'];
  const kind = deviceKindOf(headers);
  const browser = agent && (BROWSERS.find(([, pattern]) => pattern.test(agent))?.[0] ?? 'another');
  return { ...(kind ? { kind } : {}), ...(browser ? { browser } : {}), ...networkOf(ip) };
}

function networkOf(text: string): Pick<Device, 'ipv4' | 'ipv6'> {
  if (!ipaddr.isValid(text)) return {};
  const address = ipaddr.process(text);
  const family = address.kind();
  const bits = NETWORK_BITS[family];
  const cidr = `${address.toNormalizedString()}/${bits}`;
  const network =
    family === 'ipv6'
      ? ipaddr.IPv6.networkAddressFromCIDR(cidr)
      : ipaddr.IPv4.networkAddressFromCIDR(cidr);
  return { [family]: `${network.toString()}/${bits}` };
}

/** The kind of device that the headers alone show; `undefined` when they do not, as those of a Macintosh. */
export function deviceKindOf(headers: IncomingHttpHeaders): 'phone' | 'computer' | undefined {
  const hint = headers['sec-ch-ua-mobile'];
  if (hint === '?1') return 'phone';
  if (hint === '?0') return 'computer';
  const agent = headers['user-agent'] ?? '';
  if (/Android|iPhone|iPad|iPod/.test(agent)) return 'phone';
  return /Windows|X11|CrOS|Linux/.test(agent) ? 'computer' : undefined;
}
