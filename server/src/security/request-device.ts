import type { IncomingHttpHeaders } from 'node:http';
import ipaddr from 'ipaddr.js';
import { keepNewest } from '../runtime/keep-newest.ts';

/** The parts of a request that tell where it comes from. */
export interface RequestOrigin {
  headers: IncomingHttpHeaders;
  ip: string;
}

/** What requests say of the device that an attempt is taken on: nothing finer than is compared. */
export interface Device {
  /** Missing where the request does not tell. */
  kind?: 'phone' | 'computer';
  browser?: string;
  /** A machine with both families uses one or the other for each connection: compared apart. */
  ipv4?: string;
  ipv6?: string;
}

/** The first that fits; Chrome's engine names Safari, and most others name Chrome. */
const BROWSERS: readonly [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

/** What one network, a campus or a provider's region, has in common: the rest changes by itself. */
const NETWORK_BITS = { ipv4: 16, ipv6: 48 } as const;

/** By all that it is made of: a page says the same in each of its heartbeats. */
const known = new Map<string, Device>();
const MOST_KNOWN = 20_000;
/** What is longer is no browser's, and is not remembered. */
const AGENT_MAX_CHARACTERS = 500;

/** The device that a request says it comes from. Shared between callers: not to be changed. */
export function deviceOf(origin: RequestOrigin): Readonly<Device> {
  const { headers, ip } = origin;
  const { 'user-agent': agent = '', 'sec-ch-ua-mobile': mobile = '' } = headers;
  if (agent.length + String(mobile).length > AGENT_MAX_CHARACTERS) return readDevice(origin);
  // No header has a line break: another split of the same text is another key.
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

/** What the headers alone say; `undefined` where they do not tell, as those of a Macintosh. */
export function deviceKindOf(headers: IncomingHttpHeaders): 'phone' | 'computer' | undefined {
  const hint = headers['sec-ch-ua-mobile'];
  if (hint === '?1') return 'phone';
  if (hint === '?0') return 'computer';
  const agent = headers['user-agent'] ?? '';
  if (/Android|iPhone|iPad|iPod/.test(agent)) return 'phone';
  return /Windows|X11|CrOS|Linux/.test(agent) ? 'computer' : undefined;
}
