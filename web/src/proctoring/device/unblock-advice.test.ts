import { expect, test } from 'vitest';
import { unblockAdvice } from './unblock-advice.ts';

const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';

test.each([
  ['an unknown browser', 'Lynx', 'site settings beside the address'],
  ['Firefox', 'Mozilla/5.0 (X11; rv:144.0) Gecko/20100101 Firefox/144.0', 'crossed-out camera'],
  [
    'Chrome',
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Safari/537.36`,
    'beside the address, allow',
  ],
  [
    'Edge',
    `Mozilla/5.0 (Windows NT 10.0) ${WEBKIT} Chrome/140.0 Edg/140.0`,
    'beside the address, allow',
  ],
  ['Chrome on Android', `Mozilla/5.0 (Linux; Android 15) ${WEBKIT} Chrome/140.0`, 'Permissions'],
  [
    'Safari',
    `Mozilla/5.0 (Macintosh; Intel) ${WEBKIT} Version/18 Safari/605`,
    'Settings for This Website',
  ],
  ['an iPhone', `Mozilla/5.0 (iPhone; CPU) ${WEBKIT} Safari/604`, 'Website Settings'],
])('%s: explains where to allow the device', (_name, userAgent, words) => {
  const advice = unblockAdvice('camera', userAgent);
  expect(advice).toContain(words);
  expect(advice).toMatch(/camera.*, then try again\.$/);
});
