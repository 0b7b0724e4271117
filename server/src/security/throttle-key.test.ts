import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { networkBudgetKey, throttleKey } from './throttle-key.ts';

const KEY = createSecretKey(Buffer.alloc(32, 7));
const keyOf = (address: string, email = 'a@example.org') =>
  throttleKey(KEY, 'password', email, address).toString('hex');

describe('the throttle counts', () => {
  it.each([
    ['one network of IPv6', '2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff'],
    ['one address, however it is written', '2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::1'],
    ['a link-local address', 'fe80::1%eth0', 'fe80::2%eth1'],
    ['IPv4 mapped to IPv6', '192.0.2.7', '::ffff:192.0.2.7'],
    ['the same in hexadecimal', '192.0.2.7', '::ffff:c000:207'],
  ])('%s as one', (_, one, other) => {
    expect(keyOf(one)).toBe(keyOf(other));
  });

  it.each([
    ['networks of IPv6', '2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['addresses of IPv4', '192.0.2.7', '192.0.2.8'],
    ['addresses of IPv4 mapped to IPv6', '::ffff:192.0.2.7', '::ffff:192.0.2.8'],
    ['invalid addresses', 'one', 'other'],
  ])('%s separately', (_, one, other) => {
    expect(keyOf(one)).not.toBe(keyOf(other));
  });

  it('each account separately', () => {
    expect(keyOf('192.0.2.7')).not.toBe(keyOf('192.0.2.7', 'b@example.org'));
  });
});

describe('the budget of a network counts', () => {
  const budgetOf = (address: string) => networkBudgetKey(KEY, address).toString('hex');

  it.each([
    ['the /64 networks of one /48', '2001:db8:1:2::1', '2001:db8:1:ffff:ffff::1'],
    ['IPv4 mapped to IPv6', '192.0.2.7', '::ffff:192.0.2.7'],
  ])('%s as one', (_, one, other) => {
    expect(budgetOf(one)).toBe(budgetOf(other));
  });

  it.each([
    ['/48 networks', '2001:db8:1:2::1', '2001:db8:2:2::1'],
    ['addresses of IPv4', '192.0.2.7', '192.0.2.8'],
  ])('%s separately', (_, one, other) => {
    expect(budgetOf(one)).not.toBe(budgetOf(other));
  });
});
