import { expect, it } from 'vitest';
import { connectionsFor } from './pool.ts';

it.each([
  [1, 100],
  [4, 100],
  // Each of them, and the parent, may open ten and two; the rest is for commands and people.
  [10, 152],
  [64, 800],
])('a database of %i serving processes allows %i connections', (processes, connections) => {
  expect(connectionsFor(processes)).toBe(connections);
});
