import { describe, expect, it } from 'vitest';
import { faultOf } from './account-fault.ts';
import {
  nextPortion,
  paceAfterClaim,
  paceAfterFault,
  paceAfterPause,
  UNLIMITED,
} from './sending-pace.ts';

const MINUTE = 60_000;
const RATE = faultOf('rate', '450 4.7.1 too fast');
const at = (ms: number) => new Date(ms);

/** A provider, by when it took and refused messages. */
type Provider = (now: number, taken: readonly number[]) => boolean;
const sliding =
  (most: number): Provider =>
  (now, taken) =>
    taken.filter((t) => t > now - MINUTE).length < most;
const byTheMinute =
  (most: number): Provider =>
  (now, taken) =>
    taken.filter((t) => Math.floor(t / MINUTE) === Math.floor(now / MINUTE)).length < most;

/** Plays a queue against a provider, asked every two seconds as by the job; returns when each was taken. */
function play(messages: number, provider: Provider, seed = 1): number[] {
  let state = seed;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const taken: number[] = [];
  let pace = UNLIMITED;
  for (let ms = 7_000; taken.length < messages && ms < 600 * MINUTE; ms += 2_000) {
    for (;;) {
      const now = at(ms);
      const lately = () => taken.filter((t) => t > ms - MINUTE).length;
      const portion = nextPortion(pace, { now, taken: lately() });
      const claimed = Math.min(portion.most, messages - taken.length);
      if (claimed === 0) break;
      const probeUntil = at(ms + 2 * MINUTE);
      pace = paceAfterClaim(pace, claimed, { now, probeUntil, random: random() });
      let refused = 0;
      for (let i = 0; i < claimed; i += 1) {
        if (provider(ms, taken)) taken.push(ms);
        else refused += 1;
      }
      const { isProbe } = portion;
      if (refused > 0) {
        pace = paceAfterFault(pace, RATE, { now, taken: lately(), isProbe, random: random() });
      } else if (isProbe) pace = paceAfterPause(pace, now);
    }
  }
  return taken.map((ms) => ms - 7_000);
}

describe('a provider that takes 30 a minute', () => {
  it.each([
    ['in any minute', sliding(30)],
    ['by the clock', byTheMinute(30)],
  ])('%s takes 150 within 7 minutes and 1,000 within 40', (_, provider) => {
    for (const seed of [1, 2, 3, 4, 5]) {
      expect(play(150, provider, seed).at(-1)).toBeLessThanOrEqual(7 * MINUTE);
      expect(play(1_000, provider, seed).at(-1)).toBeLessThanOrEqual(40 * MINUTE);
    }
  });

  it('gets them spread over the minute, and not in step', () => {
    const taken = play(150, sliding(30)).slice(40, 90);
    const gaps = taken.slice(1).map((ms, i) => ms - (taken[i] ?? 0));
    expect(Math.max(...gaps)).toBeLessThan(30_000);
    expect(new Set(gaps).size).toBeGreaterThan(2);
    for (const ms of taken) {
      expect(taken.filter((t) => t >= ms && t < ms + 10_000).length).toBeLessThanOrEqual(12);
    }
  });
});

it('finds the pace of an account of which others have used most', () => {
  const busy: Provider = (now, taken) => sliding(now < 2 * MINUTE ? 2 : 30)(now, taken);
  expect(play(150, busy).at(-1)).toBeLessThanOrEqual(20 * MINUTE);
});

it('pauses longer each time, up to an hour, with one message in between', () => {
  const fault = faultOf('day', '550 5.4.5 over');
  let pace = paceAfterFault(UNLIMITED, fault, {
    now: at(0),
    taken: 500,
    isProbe: false,
    random: 0.5,
  });
  const pauses = [];
  let now = at(0);
  for (let i = 0; i < 9; i += 1) {
    const next = pace.nextSendAt ?? at(0);
    pauses.push((next.getTime() - now.getTime()) / MINUTE);
    expect(nextPortion(pace, { now: at(next.getTime() - 1), taken: 0 }).most).toBe(0);
    now = next;
    expect(nextPortion(pace, { now, taken: 0 })).toEqual({ most: 1, isProbe: true });
    const probeUntil = at(now.getTime() + 2 * MINUTE);
    const claimed = paceAfterClaim(pace, 1, { now, probeUntil, random: 0.5 });
    expect(nextPortion(claimed, { now, taken: 0 }).most).toBe(0);
    pace = paceAfterFault(claimed, fault, { now, taken: 0, isProbe: true, random: 0.5 });
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  expect(pace).toMatchObject({ pausedAt: at(0), perMinute: null });
});

it('sends one at a time where connections are limited', () => {
  const fault = faultOf('connections', '432 4.3.2 Concurrent connections limit exceeded');
  const facts = { now: at(0), taken: 1, isProbe: false, random: 0.5 };
  const pace = paceAfterPause(paceAfterFault(UNLIMITED, fault, facts), at(0));
  expect(nextPortion(pace, { now: at(MINUTE), taken: 0 }).most).toBe(1);
  expect(pace.perMinute).toBe(60);
});

it('halves a known pace at most for one refusal', () => {
  const known = { ...UNLIMITED, perMinute: 30, perMinuteSince: at(0) };
  const after = paceAfterFault(known, RATE, { now: at(0), taken: 0, isProbe: false, random: 0 });
  expect(after.perMinute).toBe(15);
});
