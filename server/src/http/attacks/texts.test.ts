import { ImportOrder } from '@invigil/core/contract/assessments/imports';
import { QuestionBody } from '@invigil/core/contract/assessments/questions';
import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { setUpApp } from '@invigil/testkit/factories';
import { type FuzzStage, openFuzzStage } from '@invigil/testkit/fuzz/fuzz-stage';
import { textPlaces } from '@invigil/testkit/fuzz/text-places';
import { inForm } from '@invigil/testkit/test-form';
import { describe, expect, it } from 'vitest';

const ROWS = Object.entries(ENDPOINTS) as [EndpointName, Endpoint][];
/** Every schema of what is sent, with the call it belongs to. */
const SCHEMAS = [
  ...ROWS.flatMap(([name, { body, query }]) =>
    Object.entries({ body, query }).flatMap(([part, schema]) =>
      schema ? [{ name: `${name}.${part}`, schema }] : [],
    ),
  ),
  { name: 'importFile.order', schema: ImportOrder },
  { name: 'importQuestions.row', schema: QuestionBody },
];

describe('a text of a megabyte', () => {
  const LENGTH = inForm({ short: 100_000, long: 900_000 });
  /** Linear work on a megabyte takes a tenth of it; work that grows with the square, minutes. */
  const MOST_MS = 250;

  it.each([
    ['apostrophes', "'"],
    ['spaces', ' '],
    ['spaces before a letter', ' ', 'a'],
    ['marks of two kinds', '\u0301\u0316'],
    ['brackets', '['],
    ['slashes before a letter', '/', 'a'],
    ['quotation marks', '"'],
    ['backslashes', '\\'],
    ['commas and quotation marks', ',"'],
    ['at signs', 'a@'],
    ['points', 'a.'],
    ['hyphens', 'xn--a-'],
    ['digits', '1'],
  ])('of %s is measured before anything slow is done with it', (_, sign, end = '') => {
    const text = `a${sign.repeat(LENGTH / sign.length)}${end}`;
    const slow: string[] = [];
    let places = 0;
    for (const { name, schema } of SCHEMAS) {
      for (const start of ['', 'a']) {
        for (const { path, value } of textPlaces(schema, start === '' ? text.slice(1) : text)) {
          places += 1;
          const before = process.threadCpuUsage();
          schema.safeParse(value);
          const ms = process.threadCpuUsage(before).user / 1_000;
          if (ms > MOST_MS) slow.push(`${name}${path}: ${ms.toFixed(0)} ms`);
          if (slow.length > 2) expect.fail(slow.join('; '));
        }
      }
    }
    expect(slow).toEqual([]);
    expect(places).toBeGreaterThan(500);
  });
});

describe('a NUL and half a character in any text of any call', () => {
  const app = setUpApp({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let stage: FuzzStage;

  const send = async (row: Endpoint, query: string, payload?: string | Buffer) => {
    const type = typeof payload === 'string' ? 'application/json' : 'application/octet-stream';
    const id = stage.ids[row.path.split('/')[2] ?? ''] ?? '';
    const { statusCode } = await app.fastify.inject({
      method: row.method,
      url: row.path.replace(/:(id|hash)/, id).replace(':questionId', stage.questionId) + query,
      // One address for each call: budgets are not what is tested.
      remoteAddress: `10.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
      headers: {
        cookie: `invigil_session=${stage.admin}`,
        ...(payload === undefined ? {} : { 'content-type': type }),
      },
      ...(payload === undefined ? {} : { payload }),
      ...(row.produces === 'text/event-stream' ? { payloadAsStream: true } : {}),
    });
    sent += 1;
    return statusCode;
  };
  let sent = 0;

  it.each([
    ['a NUL', 'a\0b'],
    ['the first half', 'a\ud83d'],
    ['the second half', '\ude00b'],
  ])('%s is a refusal, never a failure', async (_, text) => {
    stage = await openFuzzStage(app);
    const problems: string[] = [];
    for (const [name, row] of ROWS) {
      for (const { path, value } of row.body ? textPlaces(row.body, text) : []) {
        const status = await send(row, '', JSON.stringify(value));
        if (status < 400 || status >= 500) problems.push(`${name} body ${path}: ${status}`);
        if (status === 401) stage = await openFuzzStage(app);
        app.clock.advance({ seconds: 20 });
      }
      for (const { path, value } of row.query ? textPlaces(row.query, text) : []) {
        const query = new URLSearchParams(value as Record<string, string>);
        const status = await send(row, `?${query}`);
        // An unknown parameter is left out, whatever its name.
        if (status >= 500 || (path !== '' && text.includes('\0') && status < 400)) {
          problems.push(`${name} query ${path}: ${status}`);
        }
      }
    }
    for (const { path, value } of textPlaces(ImportOrder, text)) {
      const body = Buffer.from(`${JSON.stringify(value)}\nQ {=a ~b}`);
      const status = await send(ENDPOINTS.importFile, '', body);
      if (status < 400 || status >= 500) problems.push(`importFile order ${path}: ${status}`);
    }
    expect(problems).toEqual([]);
    expect(sent).toBeGreaterThan(200);
  });
});
