import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { attemptEngines } from '../../proctoring/attempt-monitor.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { CheckScreen } from './check-screen.tsx';

const summary = () => page.getByRole('status').first();
const line = (words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words });
const begin = () => page.getByRole('button', { name: 'Check camera and microphone' }).click();

const SIGNED_OUT = {
  statusCode: 401,
  error: 'Unauthorized',
  code: 'UNAUTHENTICATED',
  message: 'Sign in',
};

/** A server to which no one is signed in, and whose clock is ahead of ours. */
function serverOf({ events = 4, aheadMs = 0 } = {}): void {
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.endsWith('/api/check/events')) return Response.json(SIGNED_OUT, { status: 401 });
    const at = new Date(Date.now() + aheadMs).toISOString();
    const event = new TextEncoder().encode(`event: time\ndata: ${JSON.stringify({ at })}\n\n`);
    const body = new ReadableStream({
      async start(stream) {
        for (let i = 0; i < events; i += 1) {
          stream.enqueue(event);
          await new Promise((resolve) => setTimeout(resolve, 350));
        }
        stream.close();
      },
    });
    return new Response(body);
  });
}

/** A camera with a dark picture, and a microphone without a sound. */
function devicesOf(label = 'Camera'): MediaStreamTrack[] {
  const tracks: MediaStreamTrack[] = [];
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async ({ video } = {}) => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d')?.fillRect(0, 0, 1, 1);
    const stream = video
      ? canvas.captureStream()
      : new AudioContext().createMediaStreamDestination().stream;
    for (const track of stream.getTracks()) {
      Object.defineProperty(track, 'label', { value: label });
      tracks.push(track);
    }
    return stream;
  });
  return tracks;
}

beforeEach(() => {
  // Their files are not served here.
  vi.spyOn(attemptEngines, 'want').mockImplementation(() => undefined);
  serverOf();
});

describe('the check of a device', () => {
  test('tries connection and browser at once, and asks for no device', async () => {
    const asked = vi.spyOn(navigator.mediaDevices, 'getUserMedia');
    await show(<CheckScreen />, { account: null });
    await expect.element(line('Connection good')).toMatchTextContent('Fine');
    await expect.element(line('Messages to you arrive at once')).toMatchTextContent('Fine');
    await expect.element(line('Storage works')).toMatchTextContent('Fine');
    await expect.element(line('Browser has what')).toMatchTextContent('Fine');
    await expect.element(line('Fullscreen')).toBeVisible();
    await expect.element(summary()).toMatchTextContent('Nothing to mend so far');
    expect(asked).not.toHaveBeenCalled();
    expect(document.title).toBe('Check your device · Invigil');
  });

  test('says how a refused device is allowed, and asks again', async () => {
    const asked = vi
      .spyOn(navigator.mediaDevices, 'getUserMedia')
      .mockRejectedValue(new DOMException('', 'NotAllowedError'));
    await show(<CheckScreen />, { account: null });
    await begin();
    await expect.element(summary()).toMatchTextContent('2 things to mend');
    const camera = page.getByRole('region', { name: 'Camera' });
    await expect.element(camera).toMatchTextContent('Denied');
    await expect.element(camera).toMatchTextContent('beside the address, allow the camera');
    // No assessment is meant.
    await expect.element(camera).not.toMatchTextContent('required');
    await camera.getByRole('button', { name: 'Try again' }).click();
    expect(asked).toHaveBeenCalledTimes(3);
  });

  test('names a camera that is a program', async () => {
    devicesOf('OBS Virtual Camera');
    await show(<CheckScreen />, { account: null });
    await begin();
    await expect.element(line('“OBS Virtual Camera” is a program')).toMatchTextContent('To mend');
    await expect.element(summary()).toMatchTextContent('1 thing to mend');
  });

  test('switches the devices off when it is left, and keeps nothing', async () => {
    const tracks = devicesOf();
    // Other tests of this browser store at the same time.
    const written = vi.spyOn(Storage.prototype, 'setItem');
    const { unmount } = await show(<CheckScreen />, { account: null });
    await begin();
    await expect.poll(() => tracks.length).toBe(2);
    localStorage.setItem('chosenCamera', '"desk"');
    sessionStorage.setItem('invigil-room-floor', '-60');
    sessionStorage.setItem('invigil-pose', '{"yaw":1,"pitch":1}');
    await page.getByRole('button', { name: 'Check everything again' }).click();
    await expect.poll(() => tracks.length).toBe(4);
    expect(tracks.map(({ readyState }) => readyState)).toEqual(['ended', 'ended', 'live', 'live']);
    expect(localStorage.getItem('chosenCamera')).toBe('"desk"');
    await unmount();
    expect(tracks.every(({ readyState }) => readyState === 'ended')).toBe(true);
    const kept = written.mock.calls.filter(
      ([key]) => localStorage.getItem(key) ?? sessionStorage.getItem(key),
    );
    expect(written).toHaveBeenCalled();
    expect(kept).toEqual([]);
  });

  test('finds what holds messages back, a wrong clock, a translator and missing storage', async () => {
    serverOf({ events: 1, aheadMs: -300_000 });
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('', 'SecurityError');
    });
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { container } = await show(<CheckScreen />, { account: null });
    await expect.element(line('Messages to you are held back')).toMatchTextContent('To mend');
    await expect.element(line('Clock of this device is wrong by 5 minutes')).toBeVisible();
    await expect.element(line('Storage is not available')).toMatchTextContent('To mend');
    expect(wordsIn(container)).not.toContain('Translation');
    const font = document.createElement('font');
    container.querySelector('main')?.append(font);
    onTestFinished(() => font.remove());
    await expect.element(line('Translation changes this page')).toBeVisible();
    await expect.element(summary()).toMatchTextContent('4 things to mend');

    serverOf();
    await line('Messages').getByRole('button', { name: 'Check again' }).click();
    await expect.element(line('Messages to you arrive at once')).toBeVisible();
    await expect.element(line('Clock')).not.toBeInTheDocument();
    await expect.element(summary()).toMatchTextContent('2 things to mend');
  });

  test('says that the server cannot be reached, and finds it again', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    await show(<CheckScreen />, { account: null });
    await expect.element(line('Connection not available')).toMatchTextContent('To mend');
    await expect.element(line('Messages')).not.toBeInTheDocument();
    await expect.element(summary()).toMatchTextContent('1 thing to mend');
    serverOf();
    await line('Connection').getByRole('button', { name: 'Check again' }).click();
    await expect.element(line('Connection good')).toBeVisible();
    await expect.element(line('Messages to you arrive at once')).toBeVisible();
  });

  test('leaves the camera out on a phone', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15',
    );
    devicesOf();
    await show(<CheckScreen />, { account: null });
    await page.getByRole('button', { name: 'Check the microphone' }).click();
    await expect.element(page.getByRole('region', { name: 'Microphone' })).toBeVisible();
    await expect.element(page.getByRole('region', { name: 'Camera' })).not.toBeInTheDocument();
    await expect
      .element(line('Camera is not used on phones'))
      .toMatchTextContent('Not needed here');
    await expect.element(line('Fullscreen is not available')).toMatchTextContent('Not needed here');
  });
});
