import { expect, it } from 'vitest';
import { deviceOf } from './request-device.ts';

const device = (mobile: string, agent: string) =>
  deviceOf({
    headers: { 'sec-ch-ua-mobile': mobile, 'user-agent': agent },
    ip: '203.0.113.7',
  });

it('a device is cached by each header separately, so no one affects another’s result', () => {
  const forged = device('?0 Mozilla/5.0 (Windows', 'NT 10.0) Chrome/142.0');
  expect(forged).not.toHaveProperty('kind');
  expect(device('?0', 'Mozilla/5.0 (Windows NT 10.0) Chrome/142.0')).toEqual({
    kind: 'computer',
    browser: 'Chrome',
    ipv4: '203.0.0.0/16',
  });
});
