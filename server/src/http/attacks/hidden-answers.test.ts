import { type Endpoint, permissionsOf } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import type { Role } from '@invigil/core/domain/rights';
import type { CallInput, Reply } from '@invigil/testkit/app';
import { callOf } from '@invigil/testkit/calls';
import {
  type Candidate,
  makeQuiz,
  newestCodes,
  setUpAppWithAdmin,
  signInAdmin,
  signInCandidate,
} from '@invigil/testkit/factories';
import { openFrames } from '@invigil/testkit/open-frames';
import { inForm } from '@invigil/testkit/test-form';
import { workbookRows } from '@invigil/testkit/workbook-rows';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';

/** A personal field of the installation's own. */
const FIELD = newId();
/** The facts known of a candidate; `former` is the address of the invitation. */
const PERSON = {
  email: 'zq-current@example.org',
  former: 'zq-former@example.org',
  givenName: 'Żaneta-Qq',
  familyName: 'Wąsowicz-Qq',
  externalId: 'MX-77201',
  groups: ['Cohort-Qq'],
  fields: { [FIELD]: 'card-qq-5' },
  note: 'note-qq-88',
};
const OTHER = 'zq-other@example.org';
const MARKS = [
  ...Object.values(PERSON).flatMap((one) => (typeof one === 'string' ? one : Object.values(one))),
  OTHER,
];
/** The points of the attempt, which no single question has. */
const POINTS = 61.75;
const KEYED = [
  { points: 40.5, isRight: true },
  { points: 21.25, isRight: true },
  { points: 7, isRight: false },
  { points: 1, isRight: false },
  { points: 2, isRight: false },
];

/** Not those that delete, answer about oneself only, or stream. Last what ends an attempt. */
const NAMES = (Object.keys(ENDPOINTS) as EndpointName[])
  .filter((name) => {
    const row: Endpoint = ENDPOINTS[name];
    const isOfOthers = permissionsOf(row).some((one) => one !== 'self');
    const isKept = row.method !== 'DELETE' && !['createAdmin', 'importFile'].includes(name);
    return isOfOthers && isKept && row.produces !== 'text/event-stream';
  })
  .toSorted((a, b) => Number(isEnding(a)) - Number(isEnding(b)));
function isEnding(name: EndpointName): boolean {
  return ['endParticipant', 'applyToMany', 'replaceParticipant', 'erasePerson'].includes(name);
}

/** Each role for one assessment, and in the long form for all. */
const SCOPES = inForm({
  short: ['quiz'] as const,
  long: ['quiz', 'installation'] as const,
});

describe('the answers of the server', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let url: string;
  beforeAll(async () => {
    url = await app.fastify.listen({ port: 0, host: '127.0.0.1' });
  });

  /** An assessment with an attempt that has ended and another one that is running. */
  async function makeSide() {
    const quiz = await makeQuiz(app, app.admin, { questions: [] });
    const params = { id: quiz.id };
    const as = app.admin;
    for (const [i, { points }] of KEYED.entries()) {
      const definition = { ...plainDefinition(`Q${i}`, ['a', 'b'], 'a'), points };
      const { status } = await app.call('addToBank', { as, body: { definition, quizId: quiz.id } });
      expect(status).toBe(201);
    }
    const card = { id: FIELD, name: 'Library card', kind: 'text', choices: [], isPersonal: true };
    await app.call('setPersonFields', { as, body: { fields: [card] } });
    const { former, email, note, ...known } = PERSON;
    const body = { people: [{ email: former, ...known }, { email: OTHER }] };
    await app.call('inviteToQuiz', { as, params, body });
    const codes = await newestCodes(app, [former, OTHER]);
    const [candidate, other] = [
      await signInCandidate(app, former, codes[0] ?? ''),
      await signInCandidate(app, OTHER, codes[1] ?? ''),
    ];
    const start = async ({ cookie }: Candidate) =>
      (await app.call('startParticipant', { as: cookie, body: {} })).body.id;
    const [id, running] = [await start(candidate), await start(other)];
    const questions: { id: string; question: string }[] = (
      await app.call('listQuestions', { as, params })
    ).body;
    const answers = questions.map(({ id: questionId, question }) => ({
      ...{ questionId, isFlagged: false, revision: 1 },
      selectedOption: KEYED[Number(question.slice(1))]?.isRight ? 'a' : 'b',
    }));
    const submit = { as: candidate.cookie, params: { id }, body: { answers } };
    expect((await app.call('submitParticipant', submit)).status).toBe(200);
    const moved = { as, params: { id: candidate.userId }, body: { email, note } };
    expect((await app.call('updatePerson', moved)).status).toBe(200);
    const invitations = (await app.call('listInvitations', { as, params })).body;
    const record = await app.call('getParticipant', { as, params: { id } });
    expect(record.body).toMatchObject({ points: POINTS, userEmail: email });
    const all = [running, ...invitations.map((one: { id: string }) => one.id)];
    // The short form asks for the second person, and for one invitation, in lists only.
    const others = inForm({ short: all.slice(1, 2), long: all });
    const asked = questions.map((one) => ({ ...one, options: ['a', 'b'], correctAnswer: 'a' }));
    return {
      quiz: { id: quiz.id, questions: asked },
      candidate,
      ids: [id, candidate.userId, ...others],
    };
  }

  let people = 0;
  async function signInWith(role: Role, quizId: string | undefined): Promise<string> {
    people += 1;
    const as = await signInAdmin(app, `staff${people}@example.org`);
    const { id } = (await app.call('me', { as })).body.user;
    const grants = [{ role, ...(quizId ? { quizId } : {}) }];
    await app.call('setGrants', { as: app.admin, params: { id }, body: { grants } });
    return as;
  }

  /** Every call about every attempt, invitation and person there is, in each format of a file. */
  async function everyAnswer(role: Role, scope: (typeof SCOPES)[number]) {
    // An address and a number are those of one person.
    await app.pool.query(`update users set email = id || '@example.org', external_id = null`);
    const { quiz, candidate, ids } = await makeSide();
    const as = await signInWith(role, scope === 'quiz' ? quiz.id : undefined);
    const answers: { name: EndpointName; reply: Reply }[] = [];
    const { userId } = candidate;
    const frames = await openFrames(`${url}/api/live`, as);
    const frame = frames.status === 200 ? await frames.next() : {};
    frames.close();
    for (const name of NAMES) {
      for (const attempt of ids) {
        const call: CallInput = callOf(name, { quiz, attempt, violation: newId(), candidate });
        if (/Passwords$/.test(name)) call.body = { ids: [attempt] };
        const isAbout = JSON.stringify(call).includes(attempt);
        if (!isAbout && attempt !== ids[0]) continue;
        for (const query of queriesOf(name, call, quiz.id)) {
          const reply = await app.call(name, { ...call, ...(query ? { query } : {}), as });
          answers.push({ name, reply });
        }
      }
    }
    return { answers, frame, userId };
  }

  function queriesOf(name: EndpointName, { query }: CallInput, quizId: string) {
    if (!/^export(?:Participants|Passwords|Invitations|People|Audit)$/.test(name)) return [query];
    const formats = ['csv', 'xlsx'];
    if (name !== 'exportParticipants') return formats.map((format) => ({ ...query, format }));
    return formats.flatMap((format) => [{ format }, { format, quizId, questions: 'true' }]);
  }

  it.each<[Role, what: ('person' | 'score')[], served: EndpointName[]]>([
    ['author', ['person', 'score'], ['listQuestions', 'getStats', 'listQuizFigures']],
    ['blind_reviewer', ['person'], ['listParticipants', 'getParticipantRecord']],
    ['analyst', ['person'], ['exportParticipants', 'getStatsCharts', 'getStats']],
    ['invigilator', ['score'], ['exportPasswords', 'listInvitations', 'getStats']],
    ['support', ['score'], ['exportPeople', 'listInvitations', 'exportInvitations']],
  ])('to the role %s hide: %s', async (role, what, expected) => {
    for (const scope of SCOPES) {
      const { answers, frame, userId } = await everyAnswer(role, scope);
      const leaks: string[] = [];
      for (const { name, reply } of answers) {
        const found = await foundIn(reply);
        leaks.push(...what.flatMap((one) => found[one]).map((one) => `${name}: ${one}`));
        // By their id they would be found wherever the reader may see people.
        const isNamed = reply.status < 300 && reply.text.includes(userId);
        if (what.includes('person') && isNamed) leaks.push(`${name}: id`);
      }
      expect(leaks).toEqual([]);
      expect(what.includes('score') ? scoresIn(frame, 'frame') : []).toEqual([]);
      expect(what.includes('person') ? marksIn(JSON.stringify(frame)) : []).toEqual([]);
      const served = answers.filter(({ reply }) => reply.status < 300).map(({ name }) => name);
      expect([...new Set(served)]).toEqual(expect.arrayContaining(expected));
    }
  });

  it('say both to an owner, so that a leak would be found', async () => {
    const { answers, frame } = await everyAnswer('owner', 'installation');
    const found = { marks: new Set<string>(), person: new Set<string>(), score: new Set<string>() };
    for (const { name, reply } of answers) {
      const { person, score } = await foundIn(reply);
      for (const mark of person) found.marks.add(mark);
      if (person.length > 0) found.person.add(name);
      if (score.length > 0) found.score.add(name);
    }
    expect([...found.marks].sort()).toEqual([...MARKS].sort());
    const all = ['listInvitations', 'getStats', 'exportParticipants', 'getQuizActivity'];
    expect([...found.person]).toEqual(expect.arrayContaining([...all, 'listPeople']));
    expect([...found.score]).toEqual(expect.arrayContaining(all));
    expect(JSON.stringify(frame)).toContain(OTHER);
  });
});

const marksIn = (text: string) => MARKS.filter((mark) => text.includes(mark));

/** The facts in an answer about who someone is, and what they achieved. A workbook is unpacked. */
async function foundIn(reply: Reply): Promise<{ person: string[]; score: string[] }> {
  const rows = await rowsOf(reply);
  const text = reply.text + JSON.stringify(rows);
  const [head = [], ...body] = rows;
  const columns = head.flatMap((cell, i) => {
    const isScore = /score|points/i.test(String(cell));
    return isScore && body.some((row) => row[i] !== '' && row[i] != null) ? [String(cell)] : [];
  });
  const plain = text.includes(String(POINTS)) ? [String(POINTS)] : [];
  return { person: marksIn(text), score: [...scoresIn(reply.body, 'body'), ...columns, ...plain] };
}

async function rowsOf({ bytes, text, headers }: Reply): Promise<unknown[][]> {
  if (bytes.subarray(0, 2).toString() === 'PK') return workbookRows(bytes);
  const isCsv = String(headers['content-type']).startsWith('text/csv');
  return isCsv ? parse(text, { bom: true, relax_column_count: true }) : [];
}

/** Paths to what an attempt achieved; the points of a question are none of it. */
function scoresIn(value: unknown, path: string): string[] {
  if (value === null || typeof value !== 'object') return [];
  const isOfAttempt = 'score' in value || 'totalMarks' in value;
  return Object.entries(value).flatMap(([key, one]) => {
    const isScore =
      /^(?:score\w*|averageScore)$/.test(key) || (isOfAttempt && /^(?:p|maxP)oints$/.test(key));
    const found = isScore && one ? [`${path}.${key}`] : [];
    return [...found, ...scoresIn(one, `${path}.${key}`)];
  });
}
