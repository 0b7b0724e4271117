import type { Account } from '@invigil/core/contract/auth';
import type * as React from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { draw, wordsOf } from '../testing/drawn.tsx';
import { ATTEMPT, CANDIDATE, QUIZ } from '../testing/fixtures.ts';
import { PermissionsScreen } from './device-check/permissions-screen.tsx';
import { InstructionsScreen } from './entry/instructions-screen.tsx';
import { AttemptFailed, AttemptLoading } from './halted/attempt-loading-view.tsx';

/** Everything that a consent can be asked for. */
const ALL = { camera: true, microphone: true, stills: true };

// Drawn without a browser, as in screens.test.tsx.
vi.mock('react', async (original) => {
  const react = await original<typeof React>();
  const useSyncExternalStore: typeof react.useSyncExternalStore = (subscribe, get, server) =>
    react.useSyncExternalStore(subscribe, get, server ?? get);
  return { ...react, useSyncExternalStore };
});

const AGENTS = {
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15',
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile',
  computer: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0',
};

const on = (device: keyof typeof AGENTS) =>
  vi.stubGlobal('navigator', { userAgent: AGENTS[device], maxTouchPoints: 0 });

beforeEach(() => {
  vi.stubGlobal('document', { fullscreenEnabled: false, fullscreenElement: null });
  vi.stubGlobal('localStorage', { getItem: () => null });
  const given = JSON.stringify({ userId: 'u', quizId: 'q', textVersion: '2026-4', to: ALL, at: 0 });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => (key.includes('consent') ? given : null),
  });
});

test('the device check asks a computer for camera and microphone, a phone for the microphone only', () => {
  const cards = () =>
    draw(<PermissionsScreen />, CANDIDATE).match(/(?<=<section aria-label=")[^"]*/g);
  on('computer');
  expect(cards()).toEqual(['Camera', 'Microphone']);
  for (const phone of ['iphone', 'android'] as const) {
    on(phone);
    expect(cards()).toEqual(['Microphone']);
    expect(wordsOf(draw(<PermissionsScreen />, CANDIDATE))).toContain(
      'Microphone permission is required to continue',
    );
  }
});

describe('an assessment that requires a camera', () => {
  const REQUIRED: Account = {
    ...CANDIDATE,
    quiz: { ...QUIZ, policy: { ...QUIZ.policy, cameraRequired: true } },
  };
  const screens = (account: Account) =>
    [<InstructionsScreen key="i" />, <PermissionsScreen key="p" />].map((screen) =>
      wordsOf(draw(screen, account)),
    );

  test.each(['iphone', 'android'] as const)('has no start for %s, and says what to do', (phone) => {
    on(phone);
    for (const words of screens(REQUIRED)) {
      expect(words).not.toContain('Start Assessment');
      expect(words).not.toContain('agree to');
      expect(words).toContain('Open the link from your invitation on a computer with a camera');
      expect(words).toContain('one-time password stays valid. Nothing was started');
    }
  });

  test('starts on a computer, for whom it is switched off, and where an attempt runs', () => {
    const quiz = { ...QUIZ, policy: { ...QUIZ.policy, camera: false, cameraRequired: true } };
    const policy = { ...ATTEMPT.policy, cameraRequired: true };
    on('computer');
    for (const words of screens(REQUIRED)) expect(words).toContain('Start Assessment');
    on('iphone');
    for (const account of [
      { ...REQUIRED, quiz },
      { ...REQUIRED, attempt: { ...ATTEMPT, policy } },
    ]) {
      for (const words of screens(account)) expect(words).toContain('Start Assessment');
    }
  });
});

test('the instructions of a phone speak of no camera', () => {
  on('iphone');
  const words = wordsOf(draw(<InstructionsScreen />, CANDIDATE));
  expect(words).toContain('agree to microphone monitoring');
  expect(words).not.toMatch(/camera/i);
});

test('iOS is told that the page takes its time, others are not', () => {
  on('android');
  expect(wordsOf(draw(<AttemptLoading review />))).toBe('Loading review...');
  on('iphone');
  expect(wordsOf(draw(<AttemptLoading review />))).toBe(
    'Loading review... iOS detected - optimizing for mobile...',
  );
});

test('a failure offers to try again, iOS also to load the page anew', () => {
  const failed = () =>
    wordsOf(draw(<AttemptFailed failure={{ kind: 'questions', message: 'Away.' }} />));
  on('computer');
  expect(failed()).toMatch(/Invigil Failed to load questions Away\. .* Retry$/);
  on('iphone');
  expect(failed()).toMatch(/Retry Reload Page$/);
});

test('an attempt that cannot be fetched says so', () => {
  on('computer');
  const failure = { kind: 'start', message: 'Away.' } as const;
  expect(wordsOf(draw(<AttemptFailed failure={failure} />))).toMatch(
    /Invigil Failed to fetch participant Away\./,
  );
});
