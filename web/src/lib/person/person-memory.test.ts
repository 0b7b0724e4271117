import { beforeEach, expect, test, vi } from 'vitest';

/** A storage that may throw on every access, as a browser's may. */
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

/** A newly loaded page. */
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

test("clears one person's data when another one signs in", async () => {
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

test('clears it after the window was closed too, but keeps it for the same person', async () => {
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

test('clears everything on sign-out', async () => {
  const { meetPerson, forgetPerson, forget } = await page();
  meetPerson('a');
  forget.mockClear();
  forgetPerson();
  expect(local.held.size).toBe(0);
  expect(forget).toHaveBeenCalledTimes(1);
});

test("without storage, clears the page's state only for another person", async () => {
  const { meetPerson, forget } = await page({ refuses: true });
  meetPerson('a');
  forget.mockClear();
  meetPerson('a');
  expect(forget).not.toHaveBeenCalled();
  meetPerson('b');
  expect(forget).toHaveBeenCalledTimes(1);
});
