import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { clearLocalKeys, keepDraftsOf, localKey, questionDraftKey } from './local-keys.ts';
import { storeAccount, storedAuthKey } from './stored-auth.ts';

class MemoryStorage {
  readonly held = new Map<string, string>();
  refuses = false;
  getItem(name: string) {
    if (this.refuses) throw new Error('denied');
    return this.held.get(name) ?? null;
  }
  setItem(name: string, value: string) {
    if (this.refuses) throw new Error('quota');
    this.held.set(name, value);
  }
  removeItem(name: string) {
    this.held.delete(name);
  }
  clear() {
    this.held.clear();
  }
  get length() {
    return this.held.size;
  }
  key(i: number) {
    return [...this.held.keys()][i] ?? null;
  }
}

let storage: MemoryStorage;
beforeEach(() => {
  storage = new MemoryStorage();
  vi.stubGlobal('localStorage', storage);
});

describe('drafts of questions, which hold keys,', () => {
  const draft = (place: string) => questionDraftKey(place, z.object({ text: z.string() }));
  const write = (place: string, by: string, hoursAgo: number) =>
    draft(place).write({ by, at: Date.now() - hoursAgo * 3_600_000, text: 'the key' });
  beforeEach(() => {
    write('own', 'a', 11);
    write('own/old', 'a', 13);
    write('of another', 'b', 0);
    storage.held.set('questionDraft_earlier version', '{"at":1,"version":0,"values":{}}');
    storage.held.set('quizAnswers', '{}');
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  });

  test('stay for their author, for half a day', () => {
    keepDraftsOf('a');
    expect([...storage.held.keys()]).toEqual(['questionDraft_own', 'quizAnswers']);
    expect(draft('own').read()).toMatchObject({ text: 'the key' });
  });

  test('are all removed when there is no author', () => {
    keepDraftsOf(null);
    expect([...storage.held.keys()]).toEqual(['quizAnswers']);
  });

  test('stop nobody where storage cannot be used', () => {
    storage.key = () => {
      throw new Error('denied');
    };
    expect(() => keepDraftsOf('a')).not.toThrow();
  });
});

describe('local keys', () => {
  test.each(['{', '"text"', '[1]', 'null'])('log and ignore invalid content once: %s', (stored) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const key = localKey(`key ${stored}`, z.record(z.string(), z.string()));
    storage.held.set(key.name, stored);
    expect(key.read()).toBeNull();
    expect(key.read()).toBeNull();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('ignore storage that throws', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    storage.refuses = true;
    const key = localKey('refused', z.number());
    key.write(1);
    expect(key.read()).toBeNull();
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test('read back what was written until it is removed or all is cleared', () => {
    const key = localKey('n', z.number());
    expect(key.read()).toBeNull();
    key.write(4);
    expect(key.read()).toBe(4);
    key.remove();
    expect(key.read()).toBeNull();
    key.write(5);
    clearLocalKeys();
    expect(key.read()).toBeNull();
  });
});

test('quiz-auth holds user, quiz and isAuthenticated, and is removed on sign-out', () => {
  const user = { id: '1', email: 'admin@example.org' };
  storeAccount({ user, quiz: null, role: 'admin', attempt: null });
  expect(JSON.parse(storage.held.get('quiz-auth') ?? '')).toEqual({
    user,
    quiz: null,
    isAuthenticated: true,
  });
  expect(storedAuthKey.read()?.user).toEqual(user);
  storeAccount(null);
  expect(storage.held.has('quiz-auth')).toBe(false);
});
