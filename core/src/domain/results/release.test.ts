import { describe, expect, it } from 'vitest';
import {
  LATE_PARTS,
  openUntil,
  RELEASED_PARTS,
  type ReleaseRules,
  takesBack,
  waitingParts,
} from './release.ts';

const NOW = new Date('2026-05-14T10:00:00Z');
const inHours = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);
const at = (hours: number) => ({ when: { kind: 'at' as const, at: inHours(hours).toISOString() } });
const [byHand, atOnce, reviewed] = (['by_hand', 'at_once', 'reviewed'] as const).map((kind) => ({
  when: { kind },
})) as [Rules, Rules, Rules];
type Rules = Pick<ReleaseRules, 'when'>;

describe('rules that take back what is released', () => {
  it.each<[string, Rules | null, Rules | null, boolean]>([
    ['not at all', byHand, null, true],
    ['again after not at all', null, byHand, true],
    ['a time to come, after by hand', byHand, at(24), true],
    ['a time to come, after at once', atOnce, at(24), true],
    ['a later time than one that has passed', at(-1), at(24), true],
    ['a later time than one to come', at(12), at(24), true],
    ['the same time to come', at(24), at(24), false],
    ['an earlier time to come', at(24), at(12), false],
    ['a time that has passed', byHand, at(-1), false],
    ['by hand, after at once', atOnce, byHand, false],
    ['when reviewed, after by hand', byHand, reviewed, false],
    ['by hand, after a time that has passed', at(-1), byHand, false],
  ])('%s', (_, before, after, expected) => {
    expect(takesBack(before, after, NOW)).toBe(expected);
  });
});

describe('parts that wait for the end', () => {
  const all = [...RELEASED_PARTS];

  it.each<[string, Pick<ReleaseRules, 'parts' | 'keyAfterEnd'>, boolean, string[]]>([
    ['wait while it is open', { parts: all, keyAfterEnd: true }, false, [...LATE_PARTS]],
    ['are those that are released', { parts: ['score', 'key'], keyAfterEnd: true }, false, ['key']],
    ['are shown once it is over', { parts: all, keyAfterEnd: true }, true, []],
    ['do not wait by rules without it', { parts: all }, false, []],
    ['are own answers too', { parts: ['score', 'answers'], keyAfterEnd: true }, false, ['answers']],
    ['are none where no answers are released', { parts: ['score'], keyAfterEnd: true }, false, []],
  ])('%s', (_, rules, isOver, expected) => {
    expect(waitingParts(rules, isOver)).toEqual(expected);
  });

  it('can be read for as many days after the end date as others after the release', () => {
    const rules = { parts: all, openDays: 2, ...byHand };
    const until = (change: object, endDate: Date | null) =>
      (openUntil(NOW, { ...rules, ...change }, endDate).getTime() - NOW.getTime()) / 3_600_000;
    expect(until({}, inHours(10))).toBe(48);
    expect(until({ keyAfterEnd: true }, inHours(10))).toBe(58);
    expect(until({ keyAfterEnd: true }, inHours(-10))).toBe(48);
    expect(until({ keyAfterEnd: true }, null)).toBe(48);
    expect(until({ keyAfterEnd: true, parts: ['score'] }, inHours(10))).toBe(48);
  });
});
