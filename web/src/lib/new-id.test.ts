import { Id } from '@invigil/core/contract/definition/endpoint';
import { expect, test } from 'vitest';
import { newId } from './new-id.ts';

test('creates unique ids of version 4 that the server accepts', () => {
  const ids = Array.from({ length: 1_000 }, newId);
  for (const id of ids) {
    expect(Id.parse(id)).toBe(id);
    expect(id).toMatch(/^.{14}4.{4}[89ab]/);
  }
  expect(new Set(ids).size).toBe(1_000);
});
