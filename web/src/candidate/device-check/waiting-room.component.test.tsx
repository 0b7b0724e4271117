import type { Account } from '@invigil/core/contract/accounts/auth';
import type { OpeningNews } from '@invigil/core/contract/attempts/opening';
import { OFF_POLICY, STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { attemptEngines, attemptMonitor } from '../../proctoring/attempt-monitor.ts';
import { CANDIDATE, QUIZ, refusal } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { CONSENT_TEXT_VERSION } from '../entry/consent-dialog.tsx';
import { InstructionsScreen } from '../entry/instructions-screen.tsx';
import { PermissionsScreen } from './permissions-screen.tsx';

const BY_BUTTON = { by: 'button', lateMinutes: 15 } as const;
const BY_TIME = { by: 'time', lateMinutes: 15 } as const;
const OFF = { ...QUIZ, policy: { ...OFF_POLICY, version: 1 }, totalQuestions: 0, questionCount: 0 };
const ALL = { camera: true, microphone: true, stills: true };

/** A server that counts what it was asked, with the stream of those who wait. */
function serverOf({ isUp = true } = {}) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const news: OpeningNews = {
    ...{ opensAt: null, opensInMs: 0, timeZone: 'Europe/Berlin', isOpen: true },
    startTogether: BY_BUTTON,
  };
  const server = {
    isUp,
    starts: 0,
    reports: 0,
    answer: news,
    /** Tells those who wait. */
    tell(change: Partial<OpeningNews>) {
      server.answer = { ...server.answer, ...change };
      const text = `event: opening\ndata: ${JSON.stringify(server.answer)}\n\n`;
      void writer.write(new TextEncoder().encode(text));
    },
  };
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit = {}) => {
    if (url.endsWith('/api/opening/events')) return new Response(readable);
    if (url.endsWith('/api/opening/waiting')) {
      server.reports += 1;
      return Response.json(server.answer);
    }
    if (method === 'POST' && url.endsWith('/api/participants')) {
      server.starts += 1;
      if (!server.isUp) throw new TypeError('Failed to fetch');
      return refusal(403, 'NO_QUESTIONS');
    }
    return new Promise(() => undefined);
  });
  return server;
}

const heading = () => page.getByRole('heading', { level: 1 });
const iAmReady = () => page.getByRole('button', { name: 'I am ready' });
const start = () => page.getByRole('button', { name: 'Start Assessment' });
const said = () => page.getByRole('status').elements().map(wordsIn).join(' ');
const account = (more: Partial<Account>): Account => ({ ...CANDIDATE, quiz: OFF, ...more });

beforeEach(() => {
  vi.spyOn(attemptMonitor, 'askInTurn').mockReturnValue(new Promise(() => undefined));
  vi.spyOn(attemptEngines, 'want').mockReturnValue();
  // The first of those who start.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const given = { userId: 'u', quizId: 'q', textVersion: CONSENT_TEXT_VERSION, to: ALL, at: 0 };
  sessionStorage.setItem('invigil-consent', JSON.stringify(given));
});
afterEach(() => {
  sessionStorage.clear();
  window.history.replaceState(null, '');
});

describe('the page of those who start together', () => {
  test('says in the instructions that the clock does not start alone', async () => {
    const { container } = await show(<InstructionsScreen />, {
      account: account({ startTogether: BY_BUTTON }),
    });
    expect(wordsIn(container)).toContain(
      'Everyone starts together, the clock starts only with the first question',
    );
    expect(wordsIn(container)).not.toContain('press the button on the next page');
  });

  test('waits for the button of an invigilator, says so to the server, and starts by itself', async () => {
    const server = serverOf();
    await show(<PermissionsScreen />, { account: account({ startTogether: BY_BUTTON }) });
    await expect.poll(said).toContain('when the person in charge starts the assessment');
    await expect.poll(said).toContain('you can start until 15 minutes after the others');
    expect(start().elements()).toHaveLength(0);
    expect(server.reports).toBe(0);
    await iAmReady().click();
    await expect.element(heading()).toHaveTextContent('You are ready');
    await expect.poll(() => server.reports).toBe(1);
    await expect.element(page.getByText(/the first question comes by itself/)).toBeVisible();
    expect(server.starts).toBe(0);
    server.tell({ startTogether: { ...BY_BUTTON, lateForMs: 900_000 } });
    await expect.poll(() => server.starts).toBe(1);
  });

  test('counts down to its time, follows when it moves, and starts by itself', async () => {
    const server = serverOf();
    const quiz = { ...OFF, opensAt: '2026-12-03T09:00:00Z' };
    const times = { opensInMs: 3_600_000, startTogether: BY_TIME };
    server.answer = { ...server.answer, ...times, opensAt: quiz.opensAt };
    await show(<PermissionsScreen />, { account: account({ quiz, ...times }) });
    await expect.poll(said).toMatch(/Everyone starts together: Thursday,? 3 December at/);
    await iAmReady().click();
    await expect.element(page.getByText(/^(1:00:00|59:\d\d)$/)).toBeVisible();
    expect(server.starts).toBe(0);
    server.tell({ opensInMs: 300 });
    await expect.poll(() => server.starts).toBe(1);
  });

  test('learns of the start by its own report where the stream is held back', async () => {
    const server = serverOf();
    server.answer.startTogether = { ...BY_BUTTON, lateForMs: 900_000 };
    await show(<PermissionsScreen />, { account: account({ startTogether: BY_BUTTON }) });
    await iAmReady().click();
    await expect.poll(() => server.starts).toBe(1);
  });

  test('lets someone who is late start with the button, until the minute', async () => {
    const server = serverOf();
    const late = { ...BY_BUTTON, lateForMs: 60_000 };
    server.answer.startTogether = late;
    await show(<PermissionsScreen />, { account: account({ startTogether: late }) });
    await expect.element(start()).toBeEnabled();
    server.tell({ startTogether: { ...BY_BUTTON, lateForMs: 0 } });
    await expect.poll(said).toContain('It is too late to start');
    await iAmReady().click();
    await expect
      .element(page.getByText(/starts the assessment once more, you start/))
      .toBeVisible();
    expect(server.starts).toBe(0);
    // The next start lets them in.
    server.tell({ startTogether: late });
    await expect.poll(() => server.starts).toBe(1);
  });

  test('starts once the connection is back', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const server = serverOf({ isUp: false });
    const session = { refresh: async () => account({ startTogether: BY_BUTTON }) };
    await show(<PermissionsScreen />, { account: account({ startTogether: BY_BUTTON }), session });
    await iAmReady().click();
    server.tell({ startTogether: { ...BY_BUTTON, lateForMs: 900_000 } });
    await expect.element(page.getByText(/it keeps trying/)).toBeVisible();
    server.isUp = true;
    window.dispatchEvent(new Event('online'));
    await expect.poll(() => server.starts).toBe(2);
  });

  test('waits on after a reload, without another press', async () => {
    const server = serverOf();
    await show(<PermissionsScreen />, {
      ...{ account: account({ startTogether: BY_BUTTON }), state: { waits: true } },
    });
    await expect.element(heading()).toHaveTextContent('You are ready');
    server.tell({ startTogether: { ...BY_BUTTON, lateForMs: 900_000 } });
    await expect.poll(() => server.starts).toBe(1);
  });

  test('starts nobody who is out of view, until the page is seen again', async () => {
    const server = serverOf();
    await show(<PermissionsScreen />, { account: account({ startTogether: BY_BUTTON }) });
    await iAmReady().click();
    const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    server.tell({ startTogether: { ...BY_BUTTON, lateForMs: 900_000 } });
    await expect.element(page.getByText('The assessment has started.')).toBeVisible();
    await new Promise((done) => setTimeout(done, 100));
    expect(server.starts).toBe(0);
    seen.mockRestore();
    document.dispatchEvent(new Event('visibilitychange'));
    await expect.poll(() => server.starts).toBe(1);
  });

  test('does not start by itself out of fullscreen, and leads back into it', async () => {
    const server = serverOf();
    vi.spyOn(document, 'fullscreenEnabled', 'get').mockReturnValue(true);
    const policy = { ...STRICT_POLICY, camera: false, microphone: false, version: 1 };
    const quiz = { ...OFF, policy };
    await show(<PermissionsScreen />, {
      account: account({ quiz, startTogether: BY_BUTTON }),
      state: { waits: true },
    });
    await expect.element(page.getByText('You have left fullscreen')).toBeVisible();
    await expect.element(page.getByRole('button', { name: 'Enter fullscreen' })).toBeEnabled();
    server.tell({ startTogether: { ...BY_BUTTON, lateForMs: 900_000 } });
    await expect.element(start()).toBeEnabled();
    await new Promise((done) => setTimeout(done, 100));
    expect(server.starts).toBe(0);
    await start().click();
    await expect.poll(() => server.starts).toBe(1);
  });
});
