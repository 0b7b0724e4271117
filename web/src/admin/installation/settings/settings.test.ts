import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { actionsOf, type Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS } from '@invigil/core/contract/endpoints';
import { PERMISSIONS } from '@invigil/core/domain/rights';
import { expect, it } from 'vitest';
import { auditDetails, auditSubject, auditText } from './audit-card.tsx';
import { formatBytes } from './system-card.tsx';

it('formats a size in a readable unit', () => {
  expect(formatBytes(512)).toBe('512 bytes');
  expect(formatBytes(9.4 * 1024 * 1024)).toBe('9.4 MiB');
  expect(formatBytes(120 * 1024 ** 3)).toBe('120 GiB');
});

it('names the subject of an entry', () => {
  const subjectId = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
  const about = (subjectType: string | null, subjectName: string | null) =>
    auditSubject({ subjectType, subjectId: subjectType && subjectId, subjectName });
  expect(about('quiz', 'Networks')).toBe('Assessment: Networks');
  // Deleted subjects have only an id.
  expect(about('question', null)).toBe('Question: 7f3a91c2');
  expect(about(null, null)).toBe('');
});

it('formats details in one line without empty values, and roles in words', () => {
  const id = '019a6f3e-7b1c-7d3a-9f2e-4c5d7f3a91c2';
  const names = { quizzes: new Map([[id, 'Networks']]), categories: new Map() };
  const text = (details: Record<string, unknown> | null) => auditDetails({ details }, names);
  expect(text({ participants: 12, reason: null, ids: ['a'] })).toBe('participants: 12, ids: ["a"]');
  expect(text({ message: id, stills: 4, users: [id, id] })).toBe('stills: 4, users: 2');
  expect(text(null)).toBe('');
  const added = [{ role: 'author', quizId: id }, { role: 'analyst' }];
  expect(text({ added, removed: [] })).toBe('added: Author in Networks, Analyst everywhere');
});

it('has a label for every action that the server logs', () => {
  const server = fileURLToPath(new URL('../../../../../server/src', import.meta.url));
  const actions = new Set([
    // The entries of calls, and those of jobs and sign-in.
    ...Object.values(ENDPOINTS).flatMap((row: Endpoint) => actionsOf(row)),
    ...readdirSync(server, { recursive: true, encoding: 'utf8' })
      .filter((name) => /(?<!\.test)\.ts$/.test(name) && !name.includes('testing'))
      .map((name) => readFileSync(join(server, name), 'utf8'))
      .filter((source) => /sessions\/command\.ts|insertAudit|NewAuditEntry/.test(source))
      .flatMap((source) => source.match(/'[a-z]+(?:_[a-z]+)*\.[a-z]+(?:_[a-z]+)*'/g) ?? [])
      .map((quoted) => quoted.slice(1, -1))
      .filter((name) => !PERMISSIONS.some((permission) => permission === name)),
  ]);
  expect(actions.size).toBeGreaterThan(30);
  expect([...actions].filter((action) => auditText(action) === action)).toEqual([]);
});
