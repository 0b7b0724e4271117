import { expect, it } from 'vitest';
import { z } from 'zod';
import { valueProblemText } from './value-problems.ts';

it.each([
  [z.string().max(1), 'ab', 'At most 1 character'],
  [z.array(z.string()).max(1), ['a', 'b'], 'At most 1 at a time'],
  [z.number().max(1_000), 1_001, 'At most 1,000'],
  [z.string().min(1), '', 'Enter something'],
  [z.string().min(2), 'a', 'At least 2'],
  [z.number().min(1), 0, 'At least 1'],
  [z.enum(['a', 'b']), 'c', 'This value is not valid'],
  [z.number(), Number.NaN, 'This value is not valid'],
  [z.iso.datetime(), 'soon', 'This value is not valid'],
])('says in words what is wrong with a value (%#)', (schema: z.ZodType, value, sentence) => {
  const { error } = schema.safeParse(value, { error: valueProblemText });
  expect(error?.issues.map(({ message }) => message)).toEqual([sentence]);
});
