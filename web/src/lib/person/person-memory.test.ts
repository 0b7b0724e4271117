import { beforeEach, expect, test, vi } from 'vitest';

/** A storage that may refuse everything, as that of a browser does. */
function storage(refuses = false) {
  const held = new Map<string, string>();
  const use =
    <A extends unknown[], R>(run: (...args: A) => R) =>
    (...args: A) => {
      if (refuses) throw new Error('denied');
      return run(...args);
    };
  return {
    held,
    getItem: use((name: string) => held.get(name) ?? null),
    setItem: use((name: string, value: string) => void held.set(name, value)),
    removeItem: use((name: string) => void held.delete(name)),
    clear: use(() => held.clear()),
  };
}

let local: ReturnType<typeof storage>;
let session: ReturnType<typeof storage>;

/** A page that was loaded just now. */
async function page({ refuses = false } = {}) {
  local = refuses ? storage(true) : local;
  vi.stubGlobal('localStorage', local);
  vi.stubGlobal('sessionStorage', session);
  vi.resetModules();
  const memory = await import('./person-memory.ts');
  const forget = vi.fn();
  memory.onForget(forget);
  return { ...memory, forget };
}

beforeEach(() => {
  local = storage();
  session = storage();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

test('what one person left in this browser is gone when another one signs in', async () => {
  const { meetPerson, forget } = await page();
  meetPerson('a');
  forget.mockClear();
  local.held.set('quizAnswers', '{"q":"yes"}');
  session.held.set('invigil-consent', 'given');
  meetPerson('a');
  expect(local.held.has('quizAnswers')).toBe(true);
  expect(session.held.size).toBe(1);
  expect(forget).not.toHaveBeenCalled();
  meetPerson('b');
  expect([...local.held.keys()]).toEqual(['lastCandidate']);
  expect(session.held.size).toBe(0);
  expect(forget).toHaveBeenCalledTimes(1);
});

test('also where the window was closed in between; the same person finds theirs', async () => {
  const first = await page();
  first.meetPerson('a');
  local.held.set('quizAnswers', '{}');
  const again = await page();
  again.meetPerson('a');
  expect(local.held.has('quizAnswers')).toBe(true);
  const other = await page();
  other.meetPerson('b');
  expect(local.held.has('quizAnswers')).toBe(false);
});

test('anyone who leaves takes everything along', async () => {
  const { meetPerson, forgetPerson, forget } = await page();
  meetPerson('a');
  forget.mockClear();
  forgetPerson();
  expect(local.held.size).toBe(0);
  expect(forget).toHaveBeenCalledTimes(1);
});

test('a browser that stores nothing forgets what the page knows, and only for another person', async () => {
  const { meetPerson, forget } = await page({ refuses: true });
  meetPerson('a');
  forget.mockClear();
  meetPerson('a');
  expect(forget).not.toHaveBeenCalled();
  meetPerson('b');
  expect(forget).toHaveBeenCalledTimes(1);
});
