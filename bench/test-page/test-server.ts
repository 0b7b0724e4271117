import { BALANCED_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { AdminClient, type Guest, type PreparedQuiz } from '../../e2e/support/admin-client.ts';
import { Candidate } from '../../e2e/support/candidate.ts';
import { ADMIN } from '../../e2e/support/server-settings.ts';
import { findChromium } from '../../scripts/find-chromium.mjs';
import { startServer } from '../../server/src/testing/running-server.ts';
import { CannotRun } from '../benchmark.ts';

const QUESTIONS = 40;

/** A server with the web app, and a real browser. */
export interface TestServer extends AsyncDisposable {
  browser: Browser;
  /**
   * A candidate with their own browser, in progress in an assessment of 40 questions and three hours.
   */
  sit(options?: BrowserContextOptions): Promise<Candidate>;
  /** A candidate with their own browser, invited and not signed in, to a monitored assessment. */
  invited(): Promise<Candidate>;
}

export async function startTestServer(): Promise<TestServer> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new CannotRun('no Chromium is installed');
  await using undo = new AsyncDisposableStack();
  const server = await startServer({
    web: true,
    env: { ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
  });
  undo.defer(() => server.removeData());
  undo.defer(async () => {
    await server.stop();
  });
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--disable-background-networking',
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream=fps=5',
    ],
  });
  undo.defer(() => browser.close());
  const admin = await AdminClient.signIn(server.url);
  const quiz = await admin.quiz('Test page', { duration: 180 }, questions());
  const monitored = await admin.quiz(
    'Slow start',
    { duration: 180, policy: BALANCED_POLICY },
    questions(),
  );
  const own = undo.move();
  return {
    browser,
    sit: async (options = {}) => {
      const guest = await invite(admin, quiz);
      const context = await browser.newContext({ baseURL: server.url, ...options });
      return begin(await context.newPage(), guest);
    },
    invited: async () => {
      const guest = await invite(admin, monitored);
      const context = await browser.newContext({ baseURL: server.url });
      return new Candidate(await context.newPage(), guest);
    },
    [Symbol.asyncDispose]: () => own.disposeAsync(),
  };
}

let people = 0;

async function invite(admin: AdminClient, quiz: PreparedQuiz): Promise<Guest> {
  people += 1;
  const [guest] = await admin.invite(quiz, `candidate-${people}@example.org`);
  if (guest === undefined) throw new Error('the invitation failed');
  return guest;
}

async function begin(page: Page, guest: Guest): Promise<Candidate> {
  const candidate = new Candidate(page, guest);
  await candidate.signIn();
  await candidate.begin();
  return candidate;
}

function questions() {
  return Array.from({ length: QUESTIONS }, (_, i) => {
    const options = ['first', 'second', 'third', 'fourth'].map(
      (which) => `The ${which} of the four options of question ${i + 1}`,
    );
    const question = `What happens in situation ${i + 1}, when everything else stays the same?`;
    return { question, options, correctAnswer: options[1] ?? '' };
  });
}
