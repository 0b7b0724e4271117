import { expect, test } from 'vitest';
import { isPhone } from './is-phone.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36';

test.each([
  ['a Windows computer whose page claims to be a phone', { 'user-agent': WINDOWS }, true, false],
  ['a computer by its client hint', { 'sec-ch-ua-mobile': '?0', 'user-agent': MAC }, true, false],
  ['a Mac', { 'user-agent': MAC }, false, false],
  ['nothing at all', {}, false, false],
  ['an iPad that claims to be a Macintosh', { 'user-agent': MAC }, true, true],
  ['an iPhone', { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)' }, false, true],
  ['a phone by its client hint', { 'sec-ch-ua-mobile': '?1' }, false, true],
])('%s', (_, headers, pageSaysMobile, phone) => {
  expect(isPhone(headers, pageSaysMobile)).toBe(phone);
});
