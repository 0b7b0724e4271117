import {
  classified,
  PersonEmail,
  PersonId,
  PersonText,
  Score,
} from '@invigil/core/contract/definition/classified';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { DATA_CLASSES, type DataClass } from '@invigil/core/domain/rights';
import { valuesOf } from '@invigil/testkit/fuzz/schema-values';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newId } from '../db/new-id.ts';
import { deriveKeys } from '../security/keys.ts';
import { show } from './show.ts';

const { aliases } = deriveKeys('a secret for tests that nobody else uses');
const readerOf = (...shows: DataClass[]) => ({ shows: new Set(shows), aliases });

describe('what an answer shows', () => {
  const Row = z.object({ quizId: z.string(), userId: PersonId, email: PersonEmail, score: Score });
  const row = { quizId: 'q', userId: 'u', email: 'a@example.org', score: 4 };

  it('is all of it to a reader of all classes, and no field of another class', () => {
    expect(show(Row, row, readerOf(...DATA_CLASSES))).toEqual(row);
    expect(show(Row, row, readerOf('person'))).toEqual({ ...row, score: null });
    expect(show(Row, row, readerOf('score', 'key'))).toEqual({
      ...{ quizId: 'q', score: 4, email: null },
      userId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it('is cut at any depth, in whatever holds it', () => {
    const Nested = z.union([
      z.object({ rows: z.array(Row).optional(), by: z.record(z.string(), PersonText.nullable()) }),
      z.array(z.int()),
    ]);
    const value = { rows: [row], by: { a: 'Ada', b: null } };
    expect(show(Nested, value, readerOf('score'))).toMatchObject({
      rows: [{ email: null, score: 4 }],
      by: { a: '', b: null },
    });
    expect(show(Nested, [1, 2], readerOf())).toEqual([1, 2]);
    expect(() => show(Nested, { rows: 'x', by: {} }, readerOf())).toThrow('fits none');
  });

  it('stands for a person by one id in an assessment, and by another one elsewhere', () => {
    const aliasIn = (one: object) =>
      show(Row.partial(), { ...row, ...one }, readerOf('score')).userId;
    expect(aliasIn({ score: 1 })).toBe(aliasIn({}));
    expect(aliasIn({ quizId: 'another' })).not.toBe(aliasIn({}));
    expect(aliasIn({ userId: 'another' })).not.toBe(aliasIn({}));
  });

  it('needs all classes of a field', () => {
    const Both = z.object({ top: classified(['person', 'score'], z.array(z.string()), []) });
    expect(show(Both, { top: ['Ada'] }, readerOf('person'))).toEqual({ top: [] });
    expect(show(Both, { top: ['Ada'] }, readerOf('person', 'score'))).toEqual({ top: ['Ada'] });
  });

  it('is refused where a classified field could not be found', () => {
    const hidden = z.object({ row: Row.transform((one) => one) });
    expect(() => show(hidden, { row }, readerOf())).toThrow('does not know');
    expect(() => show(z.intersection(Row, Row), row, readerOf())).toThrow('does not know');
    expect(() =>
      show(
        z.lazy(() => Row),
        row,
        readerOf(),
      ),
    ).toThrow('does not know');
  });

  it('can be decided for the answer of every endpoint', () => {
    let cut = 0;
    for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
      const { responses, produces }: Endpoint = ENDPOINTS[name];
      for (const schema of Object.values(responses)) {
        if (schema === null || produces) continue;
        for (const value of fc.sample(valuesOf(schema, [newId()]), { numRuns: 5, seed: 1 })) {
          if (!schema.safeParse(value).success) continue;
          const shown = show(schema, value, readerOf());
          if (JSON.stringify(shown) !== JSON.stringify(value)) cut += 1;
        }
      }
    }
    expect(cut).toBeGreaterThan(20);
  });
});
