import { domainToASCII, domainToUnicode } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decodePunycode, encodePunycode } from './punycode.ts';

describe('labels beyond ASCII', () => {
  // RFC 3492 section 7.1, and names with signs at all places.
  it.each([
    ['müller-schule', 'mller-schule-dlb'],
    ['ü', 'tda'],
    ['bücher', 'bcher-kva'],
    ['faß', 'fa-hia'],
    ['école', 'cole-9oa'],
    ['他们为什么不说中文', 'ihqwcrb4cv8a8dqg056pqjye'],
    ['почемужеонинеговорятпорусски', 'b1abfaaepdrnnbgefbadotcwatmq2g4l'],
    ['3年b組金八先生', '3b-ww4c5e180e575a65lsy2b'],
    ['パフィーdeルンバ', 'de-jg4avhby1noc0d'],
    ['😀', 'e28h'],
  ])('%s is xn--%s', (label, encoded) => {
    expect(encodePunycode(label)).toBe(encoded);
    expect(decodePunycode(encoded)).toBe(label);
    // As Node has it.
    expect(`xn--${encoded}.de`).toBe(domainToASCII(`${label}.de`));
    expect(domainToUnicode(`xn--${encoded}.de`)).toBe(`${label}.de`);
  });

  it.each(['a-ü', '999999999999', 'zzzzzzzzzzzzzzzzzzzz', 'a_'])('refuses %j', (text) => {
    expect(decodePunycode(text)).toBeNull();
  });
});
