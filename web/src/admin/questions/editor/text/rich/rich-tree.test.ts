import { anyMarkdown } from '@invigil/testkit/generated-markdown';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRich } from './rich-tree.ts';

test('the editor holds any text that the parser reads', () => {
  fc.assert(
    fc.property(anyMarkdown, (text) => {
      expect([text, isRich(text)]).toEqual([text, true]);
    }),
    { numRuns: 500 },
  );
});
