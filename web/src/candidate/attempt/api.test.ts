import { expect, test, vi } from 'vitest';
import { paperQuestion } from '../../testing/fixtures.ts';
import { loadPaper } from './api.ts';

const question = (id: string, change: object = {}) => ({
  ...paperQuestion(id, { orderNumber: id.charCodeAt(0) }),
  ...change,
});

function answerWith(paper: unknown): void {
  vi.stubGlobal('navigator', { userAgent: 'Test' });
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(paper)));
}

test('a question that this page does not know costs itself, and not the paper', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  answerWith([
    question('d'),
    question('c', { type: 'of a later version' }),
    question('b', { options: null }),
    question('a'),
  ]);
  const paper = await loadPaper('q');
  expect(paper.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  const lost = {
    question: expect.stringContaining('This question cannot be shown'),
    options: [],
  };
  expect(paper).toMatchObject([{ question: 'a?' }, lost, lost, { question: 'd?' }]);
  expect(warn).toHaveBeenCalledTimes(2);
});

test.each([
  ['a page of a hotel', '<html>'],
  ['an object', {}],
  ['questions without an id', [{}]],
  ['nothing', [null]],
])('%s is no paper', async (_, body) => {
  answerWith(body);
  await expect(loadPaper('q')).rejects.toMatchObject({ reason: 'unreadable' });
});
