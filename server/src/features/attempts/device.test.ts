import { expect, test } from 'vitest';
import { deviceOf } from '../../security/request-device.ts';
import { contradictionOf, isPhone, mergeDevices } from './device.ts';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1';
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15';

test.each([
  ['a computer', { 'user-agent': CHROME }, { kind: 'computer', browser: 'Chrome' }],
  ['Edge', { 'user-agent': `${CHROME} Edg/140.0` }, { kind: 'computer', browser: 'Edge' }],
  [
    'Firefox',
    { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' },
    { kind: 'computer', browser: 'Firefox' },
  ],
  ['an iPhone', { 'user-agent': IPHONE }, { kind: 'phone', browser: 'Safari' }],
  [
    'Chrome on an iPhone',
    { 'user-agent': IPHONE.replace('Version/18.0', 'CriOS/140.0') },
    { kind: 'phone', browser: 'Chrome' },
  ],
  ['a Macintosh, which may be an iPad', { 'user-agent': MAC }, { browser: 'Safari' }],
  [
    'a client hint',
    { 'sec-ch-ua-mobile': '?1', 'user-agent': CHROME },
    { kind: 'phone', browser: 'Chrome' },
  ],
  ['a program', { 'user-agent': 'curl/8' }, { browser: 'another' }],
  ['nothing', {}, {}],
])('%s', (_, headers, device) => {
  expect(deviceOf({ headers, ip: 'unknown' })).toEqual(device);
});

test.each([
  ['192.0.2.7', { ipv4: '192.0.0.0/16' }],
  ['::ffff:192.0.2.7', { ipv4: '192.0.0.0/16' }],
  ['2001:db8:1:2::7', { ipv6: '2001:db8:1::/48' }],
  ['', {}],
])('the network of %s', (ip, network) => {
  expect(deviceOf({ headers: {}, ip })).toEqual(network);
});

test.each([
  ['the same', { kind: 'phone' }, { kind: 'phone' }, []],
  ['another kind', { kind: 'phone' }, { kind: 'computer' }, ['kind']],
  ['what a request leaves open', { kind: 'phone', browser: 'Safari' }, { browser: 'Safari' }, []],
  ['the other address family', { ipv4: '192.0.0.0/16' }, { ipv6: '2001:db8:1::/48' }, []],
  ['another network', { ipv4: '192.0.0.0/16' }, { ipv4: '198.51.0.0/16' }, ['ipv4']],
] as const)('compares %s', (_, before, seen, changed) => {
  expect(mergeDevices(before, seen)).toEqual({ device: { ...before, ...seen }, changed });
});

const PIXEL = { platform: 'Linux armv81', touchPoints: 5, coarsePointer: true };
test.each([
  ['a phone', 'phone', true, PIXEL, false],
  ['a phone whose page reports nothing more', 'phone', true, null, false],
  ['an iPad', 'phone', true, { ...PIXEL, platform: 'MacIntel' }, false],
  ['a computer', 'computer', false, { ...PIXEL, platform: 'Win32' }, false],
  ['a computer whose page claims to be a phone', 'computer', true, null, true],
  ['developer tools on Windows', 'phone', true, { ...PIXEL, platform: 'Win32' }, true],
  [
    'developer tools on a Mac',
    'phone',
    true,
    { ...PIXEL, platform: 'MacIntel', touchPoints: 1 },
    true,
  ],
  ['developer tools on Linux', 'phone', true, { ...PIXEL, platform: 'Linux x86_64' }, true],
  ['a phone without a touch screen', 'phone', true, { ...PIXEL, coarsePointer: false }, true],
] as const)('classifies %s', (_, kind, saysMobile, sees, isOne) => {
  expect(contradictionOf({ device: { kind }, saysMobile, sees }) !== null).toBe(isOne);
});

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36';

test.each([
  ['a Windows computer whose page claims to be a phone', { 'user-agent': WINDOWS }, true, false],
  ['a computer by its client hint', { 'sec-ch-ua-mobile': '?0', 'user-agent': MAC }, true, false],
  ['a Mac', { 'user-agent': MAC }, false, false],
  ['nothing at all', {}, false, false],
  ['an iPad that claims to be a Macintosh', { 'user-agent': MAC }, true, true],
  ['an iPhone', { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)' }, false, true],
  ['a phone by its client hint', { 'sec-ch-ua-mobile': '?1' }, false, true],
])('%s as a phone or not', (_, headers, pageSaysMobile, phone) => {
  expect(isPhone(headers, pageSaysMobile)).toBe(phone);
});
