import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ERRORS } from '@invigil/core/contract/definition/errors';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import type { CallInput, Reply } from '@invigil/testkit/app';
import { beginAttempt, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import { beforeAll, describe, expect, it } from 'vitest';

const LONG = 'x'.repeat(500_000);

/** None of these may ever lead to more than a refusal. */
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  99_999_999_999,
  '',
  ' ',
  LONG,
  '\u0000',
  'a\u0000b',
  '\ud83d',
  'a\ude00b',
  '\\u0000 and \\ud800 as they are',
  "'; drop table quizzes; --",
  '<script>alert(1)</script>',
  '=1+1',
  '%s%n{0}{{1}}',
  '\u202e\u200b\ufeff\uffff',
  'NaN',
  '9999999999999999999999',
  [],
  [null],
  [[]],
  Array(1_500).fill('x'),
  {},
  { toString: 1, __proto__: null, constructor: 1 },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
];

const QUERY_FIELDS = ['search', 'limit', 'offset', 'sort', 'quizId', 'asOf', 'days'];
const QUERY_VALUES = ['\u0000', "' or 1=1 --", '%', '\\', '-1', '1e9', 'x'.repeat(400)];

/** The values to send in a field: in the short form each value is sent in every third field. */
const someOf = <T>(values: T[], field: number): T[] =>
  values.filter((_, i) => (i + field) % inForm({ short: 3, long: 1 }) === 0);

describe('hostile input', () => {
  const app = setUpAppWithAdmin();
  let calls: Partial<Record<EndpointName, CallInput>>;

  beforeAll(async () => {
    const quiz = await makeQuiz(app, app.admin);
    const attempt = await beginAttempt(app, app.admin, quiz);
    const category = (await app.call('listCategories', { as: app.admin })).body[0].id;
    const invitation = (
      await app.call('listInvitations', { as: app.admin, params: { id: quiz.id } })
    ).body[0].id;
    const [question] = quiz.questions;
    const ofQuiz = { id: quiz.id };
    const ofQuestion = { id: quiz.id, questionId: question?.id ?? '' };
    const ofAttempt = { id: attempt.id };
    const quizBody = {
      title: 'T',
      description: 'D',
      categoryId: category,
      duration: 25,
      totalQuestions: 5,
      endDate: null,
      finishAfterEnd: false,
      isActive: true,
      policy: STRICT_POLICY,
    };
    const questionBody = { question: 'Q', options: ['a', 'b'], correctAnswer: 'a', orderNumber: 1 };
    const words = { subject: 'S', message: 'M' };
    const reason = 'r';
    calls = {
      createCategory: { body: { name: 'N', description: 'D' } },
      updateCategory: { params: { id: category }, body: { name: 'N', description: 'D' } },
      createQuiz: { body: quizBody },
      updateQuiz: { params: ofQuiz, body: { ...quizBody, version: 1 } },
      createQuestion: { params: ofQuiz, body: questionBody },
      updateQuestion: { params: ofQuestion, body: { ...questionBody, version: 1 } },
      importQuestions: { params: ofQuiz, body: { questions: [questionBody] } },
      reorderQuestions: { params: ofQuiz, body: { ids: [question?.id] } },
      rescoreQuestion: { params: ofQuestion, body: { dryRun: true, reason } },
      inviteToQuiz: { params: ofQuiz, body: { emails: ['a@example.org'], ...words } },
      previewInvitation: { params: ofQuiz, body: words },
      resendInvitations: { params: ofQuiz, body: { ids: [invitation], ...words } },
      revokeInvitations: { params: ofQuiz, body: { ids: [invitation] } },
      updateInvitation: {
        params: { id: invitation },
        body: { extraTimeFactor: 1, cameraEnabled: true, microphoneEnabled: true, reason },
      },
      extendParticipant: { params: ofAttempt, body: { minutes: 1, reason } },
      replaceParticipant: { params: ofAttempt, body: { how: 'another', reason } },
      noteParticipant: { params: ofAttempt, body: { note: 'n' } },
      createAdmin: { body: { email: 'b@example.org', password: 'a long enough password' } },
      putSmtpSettings: {
        body: {
          host: 'mail.invalid',
          port: 587,
          username: 'u',
          password: 'p',
          fromEmail: 'a@example.org',
          isActive: false,
        },
      },
      testSmtpSettings: { body: { to: 'a@example.org' } },
      putRetention: { body: { days: 90 } },
    };
  });
  const send = (name: EndpointName, body: unknown) => {
    const { params } = calls[name] ?? {};
    return app.call(name, {
      as: app.admin,
      ...(params ? { params } : {}),
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  };

  /** A success, or a refusal from the table in its standard shape that names the wrong value. */
  function expectAnswer(name: string, value: unknown, reply: Reply) {
    const what = `${name} ${JSON.stringify(value)?.slice(0, 80)} → ${reply.text.slice(0, 200)}`;
    expect(reply.status, what).toBeLessThan(500);
    if (reply.status < 300) return;
    const [status] = ERRORS[reply.body.code as keyof typeof ERRORS];
    expect(reply.body.statusCode, what).toBe(status);
    expect(reply.body.message.length, what).toBeGreaterThan(0);
    expect(reply.body.message.length, what).toBeLessThan(6_000);
  }

  it('in any field of any body of the portal is refused or accepted, never a failure', async () => {
    for (const [name, { body }] of Object.entries(calls) as [EndpointName, CallInput][]) {
      for (const [n, field] of Object.keys(body as object).entries()) {
        for (const value of someOf(VALUES, n)) {
          const reply = await send(name, { ...(body as object), [field]: value });
          expectAnswer(`${name}.${field}`, value, reply);
          const issues = reply.body?.issues as { path: string }[] | undefined;
          if (reply.body?.code === 'INVALID_INPUT' && issues) {
            expect(issues.map((issue) => issue.path.split('.')[0])).toContain(field);
          }
        }
      }
    }
  });

  it.each([null, [], 'text', 7, true, [[[[]]]]])('as a whole body is refused: %j', async (body) => {
    for (const name of Object.keys(calls) as EndpointName[]) {
      const reply = await send(name, body);
      // A body without required fields must still be an object.
      expect([name, reply.status]).toEqual([name, 400]);
    }
  });

  it('with a NUL or a lone surrogate stores nothing, and says what is wrong', async () => {
    const before = await rowsOf();
    for (const [bad, message] of [
      ['a\u0000b', 'Texts must not contain NUL characters'],
      ['\ud83d', 'Texts must not contain incomplete characters'],
      ['\ude00\ud83d', 'Texts must not contain incomplete characters'],
      ['🦊\ud83d', 'Texts must not contain incomplete characters'],
    ]) {
      for (const reply of [
        await send('createCategory', { name: bad }),
        await send('previewInvitation', { subject: bad }),
        await send('inviteToQuiz', { emails: ['n@example.org'], message: `x ${bad}` }),
        await send('noteParticipant', { note: bad }),
        await send('rescoreQuestion', { dryRun: false, reason: bad }),
      ]) {
        expect(reply).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', message } });
      }
    }
    expect(await rowsOf()).toEqual(before);
  });

  async function rowsOf() {
    const { rows } = await app.pool.query(
      `select (select count(*) from categories)::int as categories, (select count(*) from users)::int as users,
         (select count(*) from outbox)::int as outbox, (select count(*) from audit_entries)::int as audit`,
    );
    return rows;
  }

  it('that only looks hostile is accepted unchanged: surrogate pairs, escaped escapes', async () => {
    for (const name of ['🦊🦊', '\\ud83d', '\\u0000', '\\\\ud800', '🏳️‍🌈', '𝒳\\𝒴']) {
      const reply = await send('createCategory', { name });
      expect([reply.status, reply.body.name]).toEqual([201, name]);
    }
    // The same in JSON's other spelling, in upper and lower case.
    const escaped = await app.call('createCategory', {
      as: app.admin,
      body: String.raw`{"name":"\ud83e\udd8a\uD83E\uDD8A"}`,
      headers: { 'content-type': 'application/json' },
    });
    expect([escaped.status, escaped.body.name]).toEqual([201, '🦊🦊']);
  });

  it('in the query of any list is refused or finds nothing', async () => {
    const lists = (Object.keys(ENDPOINTS) as EndpointName[]).filter((name) => {
      const row: Endpoint = ENDPOINTS[name];
      return row.method === 'GET' && row.query !== undefined && row.access !== 'public';
    });
    expect(lists.length).toBeGreaterThan(5);
    const id = String(calls.updateQuiz?.params?.id);
    for (const name of lists) {
      for (const [n, field] of QUERY_FIELDS.entries()) {
        for (const value of someOf(QUERY_VALUES, n)) {
          const reply = await app.call(name, {
            as: app.admin,
            params: { id },
            query: { [field]: value },
          });
          expectAnswer(`${name}?${field}`, value, reply);
        }
      }
    }
  });
});
