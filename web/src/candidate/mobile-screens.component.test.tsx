import type { Account } from '@invigil/core/contract/accounts/auth';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ATTEMPT, CANDIDATE, QUIZ } from '../testing/fixtures.ts';
import { show, wordsIn, wordsOf } from '../testing/shown.tsx';
import { PermissionsScreen } from './device-check/permissions-screen.tsx';
import { CONSENT_TEXT_VERSION } from './entry/consent-dialog.tsx';
import { InstructionsScreen } from './entry/instructions-screen.tsx';
import { AttemptFailed, AttemptLoading } from './halted.tsx';

/** Everything that consent may cover. */
const ALL = { camera: true, microphone: true, stills: true };

const AGENTS = {
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15',
  android: 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0 Mobile',
  computer: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0',
};

/** Sets the user agent, without client hints. */
function on(device: keyof typeof AGENTS): void {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(AGENTS[device]);
  vi.spyOn(
    navigator as Navigator & { userAgentData: unknown },
    'userAgentData',
    'get',
  ).mockReturnValue(undefined);
}

beforeEach(() => {
  vi.spyOn(document, 'fullscreenEnabled', 'get').mockReturnValue(false);
  const given = { userId: 'u', quizId: 'q', textVersion: CONSENT_TEXT_VERSION, to: ALL, at: 0 };
  sessionStorage.setItem('invigil-consent', JSON.stringify(given));
});
afterEach(() => sessionStorage.clear());

test('asks for camera and microphone on a computer, and only the microphone on a phone', async () => {
  const cards = async () => {
    const { container, unmount } = await show(<PermissionsScreen />, { account: CANDIDATE });
    const labels = [...container.querySelectorAll('section[aria-label]')].map((card) =>
      card.getAttribute('aria-label'),
    );
    await unmount();
    return labels;
  };
  on('computer');
  expect(await cards()).toEqual(['Camera', 'Microphone']);
  for (const phone of ['iphone', 'android'] as const) {
    on(phone);
    expect(await cards()).toEqual(['Microphone']);
    expect(await wordsOf(<PermissionsScreen />, { account: CANDIDATE })).toContain(
      'Microphone permission is required to continue',
    );
  }
});

describe('an assessment that requires a camera', () => {
  const REQUIRED: Account = {
    ...CANDIDATE,
    quiz: { ...QUIZ, policy: { ...QUIZ.policy, cameraRequired: true } },
  };
  const screens = async (account: Account) => [
    await wordsOf(<InstructionsScreen />, { account }),
    await wordsOf(<PermissionsScreen />, { account }),
  ];

  test.each(['iphone', 'android'] as const)(
    'cannot be started on %s and says what to do',
    async (phone) => {
      on(phone);
      for (const words of await screens(REQUIRED)) {
        expect(words).not.toContain('Start Assessment');
        expect(words).not.toContain('agree to');
        expect(words).toContain('Open the link from your invitation on a computer with a camera');
        expect(words).toContain('one-time password stays valid. Nothing has started');
      }
    },
  );

  test('starts on a computer, with the accommodation, and for a running attempt', async () => {
    const quiz = { ...QUIZ, policy: { ...QUIZ.policy, camera: false, cameraRequired: true } };
    const policy = { ...ATTEMPT.policy, cameraRequired: true };
    on('computer');
    for (const words of await screens(REQUIRED)) expect(words).toContain('Start Assessment');
    on('iphone');
    for (const account of [
      { ...REQUIRED, quiz },
      { ...REQUIRED, attempt: { ...ATTEMPT, policy } },
    ]) {
      for (const words of await screens(account)) {
        expect(words).toMatch(/Start Assessment|Continue assessment/);
      }
    }
  });
});

test('does not mention the camera in the instructions on a phone', async () => {
  on('iphone');
  const words = await wordsOf(<InstructionsScreen />, { account: CANDIDATE });
  expect(words).toContain('agree to microphone monitoring');
  expect(words).not.toMatch(/camera/i);
});

test('shows the loading note on iOS only', async () => {
  on('android');
  expect(await wordsOf(<AttemptLoading review />)).toBe('Loading review...');
  on('iphone');
  expect(await wordsOf(<AttemptLoading review />)).toBe(
    'Loading review... iOS detected - optimizing for mobile...',
  );
});

test('offers to retry after a failure, and on iOS also to reload', async () => {
  const failed = () => wordsOf(<AttemptFailed failure={{ kind: 'questions', message: 'Away.' }} />);
  on('computer');
  expect(await failed()).toMatch(/^Failed to load questions Away\. .* Retry$/);
  on('iphone');
  expect(await failed()).toMatch(/Retry Reload Page$/);
});

test('shows that an attempt cannot be fetched', async () => {
  on('computer');
  const failure = { kind: 'start', message: 'Away.' } as const;
  const { container } = await show(<AttemptFailed failure={failure} />);
  expect(wordsIn(container)).toMatch(/^Failed to fetch participant Away\./);
  expect(document.title).toMatch(/Invigil$/);
});
