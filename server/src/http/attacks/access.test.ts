import { type Endpoint, permissionsOf } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import type { TestApp } from '@invigil/testkit/app';
import { callOf } from '@invigil/testkit/calls';
import {
  type Candidate,
  inviteCandidate,
  type MadeQuiz,
  makeQuiz,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';
import { inTransaction } from '../../db/transaction.ts';
import { setTotpRequired } from '../../sessions/sign-in-policy.ts';

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];
const accessOf = (name: EndpointName) => (ENDPOINTS[name] as Endpoint).access;

const isForAdmins = (name: EndpointName) => permissionsOf(ENDPOINTS[name]).length > 0;

/** Candidate endpoints that are not about one attempt; all others must refuse another candidate's. */
const NOT_ABOUT_AN_ATTEMPT: ReadonlySet<string> = new Set([
  'me',
  'setLanguage',
  'streamOpening',
  'reportWaiting',
  'listQuestions',
  'startParticipant',
  'listParticipants',
]);
const ABOUT_AN_ATTEMPT = NAMES.filter(
  (name) =>
    accessOf(name) !== 'public' &&
    accessOf(name).includes('participant') &&
    !NOT_ABOUT_AN_ATTEMPT.has(name),
);

/** Routes outside of the table: for machines, and the API documents. */
const BESIDES = [
  /^GET \/(healthz|readyz|metrics)$/,
  /^GET \/api\/openapi\.json$/,
  /^GET \/api\/docs(\/|$)/,
];
const IN_THE_TABLE: ReadonlySet<string> = new Set(
  NAMES.map((name) => `${ENDPOINTS[name].method} ${ENDPOINTS[name].path}`),
);

/** `METHOD path` of every route, read from the router's own tree; HEAD comes with each GET. */
function routesOf(app: TestApp): string[] {
  const above: string[] = [];
  return app.fastify
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] =
        /^((?:│ {3}| {4})*)[├└]── (\S+)(?: \(([^)]*)\))?/.exec(line) ?? [];
      const depth = indent.length / 4;
      const path = (above[depth - 1] ?? '') + part;
      above[depth] = path;
      return methods
        .split(', ')
        .filter((method) => method !== '' && method !== 'HEAD')
        .map((method) => `${method} ${path}`);
    });
}

describe('access to every endpoint', () => {
  const app = setUpAppWithAdmin();
  let quiz: MadeQuiz;
  let candidate: Candidate;
  let other: Candidate;
  let otherAttempt: string;
  /** A violation of the other candidate's attempt. */
  let violation: string;
  let snapshotQuery: string;

  beforeAll(async () => {
    quiz = await makeQuiz(app, app.admin);
    candidate = await inviteCandidate(app, app.admin, quiz.id, 'one@example.org');
    other = await inviteCandidate(app, app.admin, quiz.id, 'two@example.org');
    otherAttempt = (await app.call('startParticipant', { as: other.cookie, body: {} })).body.id;
    const report = { participantId: otherAttempt, violationType: 'face_not_detected', notes: null };
    violation = (await app.call('reportViolation', { as: other.cookie, body: report })).body.id;
    const { rows } = await app.pool.query<{ column: string }>(
      `select format('(select array_agg(t::text order by t::text) from %1$I t) as %1$I', table_name) as column
         from information_schema.tables where table_schema = 'public' and table_name <> 'sign_in_policy'`,
    );
    snapshotQuery = `select ${rows.map(({ column }) => column).join()}`;
  });

  const validCall = (name: EndpointName, attempt: string) =>
    callOf(name, { quiz, attempt, violation, candidate });

  it('is defined in the table, and no other route exists', () => {
    const besides = routesOf(app).filter((route) => !IN_THE_TABLE.has(route));
    expect(besides.filter((route) => !BESIDES.some((known) => known.test(route)))).toEqual([]);
    // The list is complete: every row of the table is in it.
    expect([...IN_THE_TABLE].filter((route) => !routesOf(app).includes(route))).toEqual([]);
  });

  it('is refused before the body is read, without any change of state', async () => {
    const due = await adminWithoutTotp();
    const before = await snapshot();
    expect(Object.keys(before).length).toBeGreaterThan(25);
    await requireTotp();
    for (const name of NAMES) {
      const access = accessOf(name);
      const call = validCall(name, otherAttempt);
      if (access === 'public') continue;
      const refused = (as: string | undefined) => app.call(name, { ...call, as });
      // Before its body is read.
      const stranger = await app.call(name, { ...call, body: { nonsense: true } });
      expect([name, stranger.status, stranger.body.code]).toEqual([name, 401, 'NOT_SIGNED_IN']);
      if (!access.includes('participant')) {
        const { status, body } = await refused(candidate.cookie);
        expect([name, status, body.code, body.message]).toEqual([
          name,
          403,
          'FORBIDDEN',
          'Unauthorized',
        ]);
      }
      if (!(ENDPOINTS[name] as Endpoint).beforeTotp) {
        const code = isForAdmins(name) ? 'TOTP_NEEDED' : 'FORBIDDEN';
        expect([name, (await refused(due)).body.code]).toEqual([name, code]);
      }
    }
    await requireTotp(false);
    expect(await snapshot()).toEqual(before);
  });

  /** An administrator who has not set up two-step sign-in. */
  const adminWithoutTotp = () => signInAdmin(app, 'due@example.org');
  const requireTotp = (isRequired = true) =>
    inTransaction(app.context.db, (tx) =>
      setTotpRequired(tx, app.context, isRequired, app.clock.now()),
    );

  it.each(ABOUT_AN_ATTEMPT)(
    "%s answers 404 for someone else's attempt and changes nothing",
    async (name) => {
      const before = await snapshot();
      const reply = await app.call(name, {
        ...validCall(name, otherAttempt),
        as: candidate.cookie,
      });
      expect(reply).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(await snapshot()).toEqual(before);
    },
  );

  const WITH_IDS = NAMES.filter((name) => (ENDPOINTS[name] as Endpoint).path.includes(':'));

  it.each(WITH_IDS)('%s answers 404 for an unknown id and changes nothing', async (name) => {
    const before = await snapshot();
    for (const id of [newId(), 'x', '../admins', '%00', `${otherAttempt}'--`]) {
      const { params = {}, ...call } = validCall(name, newId());
      const reply = await app.call(name, {
        ...call,
        params: Object.fromEntries(Object.keys(params).map((key) => [key, encodeURIComponent(id)])),
        as: isForAdmins(name) ? app.admin : candidate.cookie,
      });
      // Lists may be empty; nothing else is.
      expect([name, id, reply.status]).toEqual([name, id, 404]);
    }
    expect(await snapshot()).toEqual(before);
  });

  /** Every row of every table, except what reading a session records. */
  async function snapshot(): Promise<Record<string, string[] | null>> {
    const { rows } = await app.pool.query(snapshotQuery);
    return rows[0];
  }

  it("filters by someone else's ids return an empty list, or only the caller's own row", async () => {
    const list = (query: Record<string, string>) =>
      app.call('listParticipants', { as: candidate.cookie, query });
    expect((await list({ userId: other.userId })).body).toEqual([]);
    expect((await list({ quizId: otherAttempt })).body).toEqual([]);
    expect((await list({})).body).toEqual([]);
    const theirs = await app.call('listParticipants', { as: other.cookie });
    expect(theirs.body.map((p: { id: string }) => p.id)).toEqual([otherAttempt]);
  });

  it('serves the whole endpoint table as OpenAPI 3.1', async () => {
    const document = (await app.fastify.inject('/api/openapi.json')).json();
    expect(document.openapi).toBe('3.1.0');
    const operations = Object.values(document.paths).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map((o) => o.operationId),
    );
    expect(operations.sort()).toEqual([...NAMES].sort());
  });
});
