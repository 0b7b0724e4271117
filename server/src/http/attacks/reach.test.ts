import { type Endpoint, partsOf, permissionsOf } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { type Grant, ROLES, type Role } from '@invigil/core/domain/rights';
import type { CallInput, Reply } from '@invigil/testkit/app';
import { callOf } from '@invigil/testkit/calls';
import {
  type BegunAttempt,
  beginAttempt,
  type Candidate,
  type MadeQuiz,
  makeQuiz,
  newestCodes,
  setUpAppWithAdmin,
  signInAdmin,
} from '@invigil/testkit/factories';
import { inForm } from '@invigil/testkit/test-form';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../db/new-id.ts';

const NAMES = (Object.keys(ENDPOINTS) as EndpointName[]).filter(
  (name) => permissionsOf(ENDPOINTS[name]).length > 0,
);
const rowOf = (name: EndpointName): Endpoint => ENDPOINTS[name];

/** An assessment with everything that belongs to it. */
interface Side {
  quiz: MadeQuiz;
  categoryId: string;
  categoryName: string;
  bankQuestion: string;
  candidate: Candidate;
  /** Someone of the installation's list, who is invited to nothing. */
  listed: { id: string; email: string };
  /** Text in the names of its people alone, by which a list finds them. */
  named: string;
  ended: string;
  invitation: string;
  /** Still taking it, until a step ends that. */
  running: BegunAttempt;
  invitationOfRunning: string;
  /** Patterns of facts that no one reads who could not read them before, by kind of fact. */
  marks: Record<string, RegExp>;
}

interface Colleague {
  id: string;
  email: string;
  cookie: string;
  grants: readonly Grant[];
  /** Cookies that they got by other ways than their own sign-in, and whose. */
  others: { cookie: string; kind: 'preview' | 'candidate'; side: Side }[];
}

interface Step {
  by: Colleague;
  accomplice: Colleague;
  from: Side;
  to: Side;
  role: Role;
}

/** The calls by which a reach could grow, for each how a colleague tries it. */
const TRIED: Partial<Record<EndpointName, (step: Step, call: Call) => Promise<unknown>>> = {
  updateQuiz: ({ from, to }, call) =>
    call('updateQuiz', {
      params: { id: from.quiz.id },
      body: { title: 'Moved', categoryId: to.categoryId, duration: 30, totalQuestions: 5 },
    }),
  deleteQuiz: ({ from }, call) => call('deleteQuiz', { params: { id: from.quiz.id } }),
  duplicateQuiz: ({ from }, call) => call('duplicateQuiz', { params: { id: from.quiz.id } }),
  createQuiz: ({ to }, call) =>
    call('createQuiz', {
      body: { title: 'New', categoryId: to.categoryId, duration: 30, totalQuestions: 5 },
    }),
  async setPractice({ from, to }, call) {
    for (const { quiz } of [from, to]) {
      const body = { isPractice: true, practiceQuizId: null, dryRun: false };
      await call('setPractice', { params: { id: quiz.id }, body });
    }
  },
  addToBank: ({ from, to }, call) =>
    call('addToBank', {
      body: {
        definition: plainDefinition(`Own ${newId()}`, ['a', 'b'], 'a'),
        quizId: to.quiz.id,
        categoryId: from.categoryId,
      },
    }),
  changeBankQuestion: ({ from, to }, call) =>
    call('changeBankQuestion', {
      params: { id: from.bankQuestion },
      body: { categoryId: to.categoryId },
    }),
  async changeBankQuestions({ from, to }, call) {
    const own = from.quiz.questions.map(({ id }) => id);
    for (const body of [
      { ids: [from.bankQuestion], categoryId: to.categoryId },
      { ids: [from.bankQuestion], quizId: to.quiz.id },
      { ids: own, quizId: to.quiz.id },
      { ids: own, quizId: null, categoryId: to.categoryId },
    ]) {
      await call('changeBankQuestions', { body });
    }
  },
  async setStructure({ from, to }, call) {
    for (const item of [
      { questionId: to.bankQuestion },
      { questionId: to.quiz.questions[0]?.id },
      { from: { categoryId: to.categoryId }, count: 1 },
      { from: {}, count: 5 },
    ]) {
      const structure = { sections: [{ title: 'All', isShuffled: true, items: [item] }] };
      const params = { id: from.quiz.id };
      await call('setStructure', { params, body: { structure, negativeMarks: null } });
      await call('previewQuiz', { params });
    }
  },
  importFile: ({ from, to }, call) =>
    call('importFile', {
      body: Buffer.from(
        `${JSON.stringify({ name: 'q.gift', quizId: to.quiz.id })}\n$CATEGORY: ${from.categoryName.toUpperCase()}\n\nOwn ${newId()}? {=a ~b}`,
      ),
      headers: { 'content-type': 'application/octet-stream' },
    }),
  // A name that is typed is no fact that was read: in capitals it is not taken for one.
  createCategory: ({ from }, call) =>
    call('createCategory', { body: { name: from.categoryName.toUpperCase() } }),
  updateCategory: ({ from, to }, call) => {
    const name = to.categoryName.toUpperCase();
    return call('updateCategory', { params: { id: from.categoryId }, body: { name } });
  },
  deleteCategory: ({ from }, call) => call('deleteCategory', { params: { id: from.categoryId } }),
  async sendTestInvitation({ by, from }, call) {
    const sent = await call('sendTestInvitation', { params: { id: from.quiz.id }, body: {} });
    if (sent.status === 200) await call.signInByMail(by.email, 'preview', from);
  },
  async makePasswords({ from }, call) {
    const params = { id: from.quiz.id };
    const body = { ids: [from.invitation, from.invitationOfRunning] };
    const made = await call('makePasswords', { params, body });
    await call.release(from);
    for (const { email, code } of made.body?.passwords ?? []) {
      await call.signIn(email, code, 'candidate', from);
    }
  },
  async exportPasswords({ from }, call) {
    const params = { id: from.quiz.id };
    const body = { ids: [from.invitation, from.invitationOfRunning] };
    const made = await call('exportPasswords', { params, body });
    await call.release(from);
    for (const [, email = '', code = ''] of made.text.matchAll(
      /(\S+@[^,]+),.*?(\w{5}-\w{5}-\w{5})/g,
    )) {
      await call.signIn(email, code, 'candidate', from);
    }
  },
  resendInvitations: ({ from }, call) =>
    call('resendInvitations', { params: { id: from.quiz.id }, body: { ids: [from.invitation] } }),
  async setGrants({ by, accomplice, from, role }, call) {
    for (const grant of [
      { role },
      { role, quizId: from.quiz.id },
      { role, categoryId: from.categoryId },
    ]) {
      for (const { id } of [by, accomplice]) {
        await call('setGrants', { params: { id }, body: { grants: [grant] } });
      }
    }
  },
  async createAdmin({ by, accomplice, from, role }, call) {
    for (const grant of [
      { role },
      { role, quizId: from.quiz.id },
      { role, categoryId: from.categoryId },
    ]) {
      for (const { email } of [by, accomplice]) {
        await call('createAdmin', { body: { email, grants: [grant] } });
      }
    }
  },
  setLanguage: (_, call) => call('setLanguage', { body: { language: 'de' } }),
  setOwnName: (_, call) => call('setOwnName', { body: { name: 'Owner' } }),
  async inviteToQuiz({ from, to }, call) {
    for (const { email } of [to.candidate, to.listed]) {
      await call('inviteToQuiz', {
        params: { id: from.quiz.id },
        body: { people: [{ email, givenName: 'Other', groups: ['Theirs'] }], sendMail: false },
      });
    }
  },
  importPeople: ({ to }, call) =>
    call('importPeople', {
      body: { people: [{ email: to.candidate.email, givenName: 'Other' }], dryRun: false },
    }),
  async updatePerson({ by, to }, call) {
    const hasAll = by.grants.some(
      ({ role, quizId, categoryId }) =>
        (role === 'owner' || role === 'support') && (quizId ?? categoryId) === undefined,
    );
    for (const id of [to.candidate.userId, to.listed.id]) {
      const body = { email: `thief-${newId()}@example.org` };
      const { status } = hasAll
        ? { status: 0 }
        : await call('updatePerson', { params: { id }, body });
      // One-time passwords would go there.
      expect(status).not.toBe(200);
    }
  },
};

/** Changes by which no reach can grow, with the reason. */
const CANNOT: Record<string, readonly string[]> = {
  'needs a right over everything, which has all there is': [
    ...['setResultRules', 'setReleaseRules', 'releaseResults', 'issueCertificate'],
    ...['revokeCertificate', 'rescoreQuestion', 'rescoreBankQuestion', 'erasePerson'],
    ...['deleteAdmin', 'resetTotp', 'putSignInPolicy', 'revealOutboxMessage', 'putRetention'],
    ...['putInstitution', 'checkPublicUrl', 'putSmtpSettings', 'testSmtpSettings'],
    'checkTranslation',
    ...['setPersonFields', 'grantLostTime'],
  ],
  'sends the candidate something, and answers with no more than the list': [
    ...['sendMessage', 'sendOutboxMessage', 'remindInvitations'],
  ],
  'changes an attempt in reach, of which the right to do so sees as much': [
    ...['applyToMany', 'giveVerdict', 'extendParticipant', 'endParticipant', 'noteParticipant'],
    // A password for the next attempt shows its paper, as the guide of invigilators says.
    'replaceParticipant',
  ],
  'changes or deletes a question where it is': [
    ...['createQuestion', 'updateQuestion', 'deleteQuestion', 'deleteQuestions'],
    ...['importQuestions', 'reorderQuestions', 'uploadImage'],
  ],
  'changes an invitation where it is': ['revokeInvitations', 'updateInvitation'],
  'changes times, and names only people in reach': ['setSchedule'],
  'lets those begin who wait': ['startTogether'],
  'stores nothing': [
    ...['checkStructure', 'readImport', 'previewInvitation', 'findInvited', 'readDelivery'],
    'readPeopleSheet',
  ],
  'is about the own account': [
    ...['endOwnSession', 'changeOwnPassword', 'confirmPassword', 'beginTotp', 'confirmTotp'],
    'forgetWork',
    ...['renewRecoveryCodes', 'switchOffTotp'],
  ],
};

type Call = ((name: EndpointName, input: CallInput) => Promise<Reply>) & {
  signIn(email: string, code: string, kind: 'preview' | 'candidate', side: Side): Promise<void>;
  signInByMail(email: string, kind: 'preview' | 'candidate', side: Side): Promise<void>;
  /** Ends what is still running, and releases its result. */
  release(side: Side): Promise<void>;
};

const READS = NAMES.filter(
  (name) =>
    rowOf(name).method === 'GET' &&
    rowOf(name).produces !== 'text/event-stream' &&
    // Reads of the installation, without an object, and of the own account are left out.
    !permissionsOf(rowOf(name)).every((one) => one === 'self' || one.startsWith('installation')),
);

describe('the calls by which a reach could grow', () => {
  it('are all of those that change something, but for those named with a reason', () => {
    const changing = NAMES.filter((name) => rowOf(name).method !== 'GET');
    const listed = [...Object.keys(TRIED), ...Object.values(CANNOT).flat()];
    expect(listed.toSorted()).toEqual(changing.toSorted());
  });
});

describe('whatever a colleague and an accomplice do', () => {
  const app = setUpAppWithAdmin({ SMTP_ALLOWED_HOSTS: '127.0.0.1' });
  let made = 0;

  async function makeSide(correct: number): Promise<Side> {
    made += 1;
    const as = app.admin;
    const letter = ['a', 'b', 'c', 'd'];
    const questions = Array.from({ length: 5 }, (_, i) => ({
      question: `Secret ${made} question ${i}`,
      options: letter.map((one) => `Secret ${made} option ${one}`),
      correctAnswer: `Secret ${made} option b`,
    }));
    const quiz = await makeQuiz(app, as, { title: `Secret ${made} title`, questions });
    const listed = (await app.call('listQuizzes', { as })).body;
    const { categoryId } = listed.find(({ id }: { id: string }) => id === quiz.id);
    const categoryName = `Secret ${made} category`;
    const params = { id: categoryId };
    await app.call('updateCategory', { as, params, body: { name: categoryName } });
    const definition = plainDefinition(`Secret ${made} of the bank`, ['a', 'b'], 'a');
    const bank = await app.call('addToBank', { as, body: { definition, categoryId } });
    const attempt = await beginAttempt(app, as, quiz);
    const secrets = (kind: string) => ({
      ...{ givenName: `Secret ${made} name ${kind}`, externalId: `Secret ${made} number ${kind}` },
      groups: [`Secret ${made} group`],
    });
    const email = `listed${made}@example.org`;
    const people = [
      { email: attempt.candidate.email, ...secrets('of the candidate') },
      { email, ...secrets('of the list') },
    ];
    const stored = await app.call('importPeople', { as, body: { people, dryRun: false } });
    const [candidate, listedPerson] = stored.body.outcomes.map(({ id }: { id: string }) => id);
    for (const id of [candidate, listedPerson]) {
      await app.call('updatePerson', { as, params: { id }, body: { note: `Secret ${made} note` } });
    }
    for (let i = 0; i < 5; i += 1) await attempt.save(i, i < correct ? 1 : 0, 1);
    expect((await attempt.submit()).status).toBe(200);
    const ofQuiz = { id: quiz.id };
    const rules = {
      parts: ['score', 'answers'],
      when: { kind: 'by_hand' },
      openDays: 30,
    };
    await app.call('setReleaseRules', { as, params: ofQuiz, body: { rules } });
    const released = await app.call('releaseResults', { as, params: ofQuiz, body: {} });
    expect(released.body.released).toBe(1);
    const [invitation] = (await app.call('listInvitations', { as, params: ofQuiz })).body;
    const running = await beginAttempt(app, as, quiz);
    for (let i = 0; i < 5; i += 1) await running.save(i, i < correct ? 1 : 0, 1);
    const all = (await app.call('listInvitations', { as, params: ofQuiz })).body;
    return {
      quiz,
      categoryId,
      categoryName,
      bankQuestion: bank.body.id,
      candidate: attempt.candidate,
      listed: { id: listedPerson, email },
      ended: attempt.id,
      invitation: invitation.id,
      running,
      named: `Secret ${made} name`,
      invitationOfRunning: all.find(({ id }: { id: string }) => id !== invitation.id).id,
      marks: {
        title: new RegExp(`Secret ${made} title`),
        category: new RegExp(`Secret ${made} category`),
        question: new RegExp(`Secret ${made} (question|option|of the bank)`),
        // Not the address, which whoever invites someone has typed.
        person: new RegExp(`Secret ${made} (name|number|group|note)`),
        score: new RegExp(`"(score|points)":${correct}\\b|"percent":${correct * 20}\\b`),
      },
    };
  }

  async function makeColleague(grants: readonly Grant[]): Promise<Colleague> {
    made += 1;
    const email = `reach${made}@example.org`;
    const cookie = await signInAdmin(app, email);
    const { id } = (await app.call('me', { as: cookie })).body.user;
    const body = { grants };
    const given = await app.call('setGrants', { as: app.admin, params: { id }, body });
    expect(given.status).toBe(200);
    return { id, email, cookie, grants, others: [] };
  }

  const ids = (side: Side): Record<string, string> => ({
    quiz: side.quiz.id,
    category: side.categoryId,
    question: side.bankQuestion,
    invitation: side.invitation,
    participant: side.ended,
    person: side.candidate.userId,
  });

  /** A read of a side: its id in the path, and in a query that takes one. */
  function readOf(name: EndpointName, side: Side): CallInput {
    const { quiz, ended: attempt, candidate } = side;
    const call = callOf(name, { quiz, attempt, violation: newId(), candidate });
    const on = permissionsOf(rowOf(name))
      .map((one) => partsOf(one)?.on ?? 'anywhere')
      .find((one) => one in ids(side));
    const id = on && ids(side)[on];
    return { ...call, ...(call.params && id ? { params: { ...call.params, id } } : {}) };
  }

  /** The facts that a colleague reads: by each call, and by any. */
  async function readAll({ cookie, others }: Colleague, sides: readonly Side[]) {
    const facts = new Set<string>();
    const note = (what: string, text: string) => {
      for (const [i, { marks }] of sides.entries()) {
        for (const [mark, pattern] of Object.entries(marks)) {
          if (!pattern.test(text)) continue;
          facts.add(`any: ${mark} ${i}`);
          // A question that is moved within a reach names its new place, which they know already.
          if (mark === 'person' || mark === 'score') facts.add(`${what}: ${mark} ${i}`);
        }
      }
    };
    for (const [i, side] of sides.entries()) {
      for (const name of READS) {
        const input = readOf(name, side);
        // A call that belongs to no side was read with the first one.
        if (i > 0 && !input.params && !input.query) continue;
        const reply = await app.call(name, { ...input, as: cookie });
        expect(reply.status, `${name} ${reply.text}`).not.toBe(429);
        if (reply.status !== 200) continue;
        // Whoever invites someone opens their page, with what they have typed themselves.
        const isOfInvited = permissionsOf(rowOf(name)).some((one) => partsOf(one)?.on === 'person');
        if (rowOf(name).path.includes(':id') && !isOfInvited) facts.add(`${name}: answered ${i}`);
        note(name, reply.text);
      }
      // A page shows the first of many people: who sees all of them finds these by their names.
      const named = await app.call('listPeople', { as: cookie, query: { search: side.named } });
      if (named.status === 200) note('listPeople', named.text);
    }
    for (const { cookie: as, kind, side } of others) {
      const replies =
        kind === 'preview'
          ? [await app.call('getPreviewPaper', { as })]
          : [
              await app.call('getResult', { as, params: { id: side.ended } }),
              await app.call('getResult', { as, params: { id: side.running.id } }),
              await app.call('listQuestions', {
                as,
                params: { id: side.quiz.id },
                query: { forAssessment: 'true' },
              }),
            ];
      for (const { text } of replies) note('any', text);
    }
    return facts;
  }

  /** The facts that the two read after some steps, and that neither could read before. */
  async function grown(
    [first, second]: readonly [readonly Grant[], readonly Grant[]],
    sides: readonly Side[],
    play: (by: Colleague, accomplice: Colleague) => Promise<void>,
  ): Promise<string[]> {
    const both = [await makeColleague(first), await makeColleague(second)] as const;
    const before = new Set<string>();
    for (const one of both) for (const fact of await readAll(one, sides)) before.add(fact);
    await play(...both);
    const after = new Set<string>();
    for (const one of both) for (const fact of await readAll(one, sides)) after.add(fact);
    return [...after].filter((fact) => !before.has(fact));
  }

  function callAs(colleague: Colleague): Call {
    const call = (name: EndpointName, input: CallInput) =>
      app.call(name, { ...input, as: colleague.cookie });
    const signIn: Call['signIn'] = async (email, password, kind, side) => {
      const { cookie } = await app.call('login', { body: { email, password } });
      if (cookie) colleague.others.push({ cookie, kind, side });
    };
    return Object.assign(call, {
      signIn,
      async signInByMail(email: string, kind: 'preview' | 'candidate', side: Side) {
        const [code = ''] = await newestCodes(app, [email]);
        await signIn(email, code, kind, side);
      },
      async release({ quiz, running }: Side) {
        await running.submit();
        const params = { id: quiz.id };
        await app.call('releaseResults', { as: app.admin, params, body: { ids: [running.id] } });
      },
    });
  }

  const places = (sides: readonly Side[]) => [
    {},
    ...sides.flatMap(({ quiz, categoryId }) => [{ quizId: quiz.id }, { categoryId }]),
  ];
  const grants = fc.array(
    fc.record({
      role: fc.constantFrom(...ROLES),
      place: fc.constantFrom(1, 2, 3, 4, 1, 2, 3, 4, 0),
    }),
    { minLength: 1, maxLength: 2 },
  );
  const steps = fc.array(
    fc.record({
      name: fc.constantFrom(...(Object.keys(TRIED) as EndpointName[])),
      isSecond: fc.boolean(),
      from: fc.constantFrom(0, 1),
      to: fc.constantFrom(1, 0),
      role: fc.constantFrom(...ROLES),
    }),
    { minLength: 1, maxLength: inForm({ short: 3, long: 6 }) },
  );

  async function makeSides(): Promise<[Side, Side]> {
    app.admin = await signInAdmin(app);
    return [await makeSide(4), await makeSide(3)];
  }

  it('nothing is read that neither could read before', async () => {
    await fc.assert(
      fc.asyncProperty(grants, grants, steps, async (first, second, played) => {
        const sides = await makeSides();
        const given = (of: typeof first) =>
          of.map(({ role, place }) => ({ role, ...places(sides)[place] }));
        const more = await grown([given(first), given(second)], sides, async (a, b) => {
          for (const { name, isSecond, from, to, role } of played) {
            const [by, accomplice] = isSecond ? [b, a] : [a, b];
            const [source = sides[0], target = sides[1]] = [sides[from], sides[to]];
            await TRIED[name]?.({ by, accomplice, from: source, to: target, role }, callAs(by));
          }
        });
        expect(more).toEqual([]);
      }),
      // A sequence takes about ten seconds: the long form plays as many as fit into a quarter of an hour.
      { numRuns: inForm({ short: 1, long: 200 }), interruptAfterTimeLimit: 900_000 },
    );
  });

  const found: [EndpointName, Role, Role][] = [
    ['updateQuiz', 'author', 'owner'],
    ['makePasswords', 'invigilator', 'author'],
    ['sendTestInvitation', 'support', 'author'],
    ['inviteToQuiz', 'support', 'author'],
  ];
  const further: typeof found = [
    ['exportPasswords', 'invigilator', 'author'],
    ['changeBankQuestions', 'author', 'owner'],
    ['importFile', 'author', 'author'],
    ['createAdmin', 'owner', 'owner'],
    ['updatePerson', 'support', 'author'],
  ];
  it.each(inForm({ short: found, long: [...found, ...further] }))(
    '%s gives nothing, as %s of one assessment and %s of another category',
    async (name, here, there) => {
      const sides = await makeSides();
      const [near, far] = sides;
      const first = [
        { role: here, quizId: near.quiz.id },
        { role: there, categoryId: far.categoryId },
      ];
      const more = await grown(
        [first, [{ role: 'owner', categoryId: far.categoryId }]],
        sides,
        async (by, accomplice) => {
          await TRIED[name]?.({ by, accomplice, from: near, to: far, role: 'owner' }, callAs(by));
        },
      );
      expect(more).toEqual([]);
    },
  );

  it('a call that enlarges a reach would be detected', async () => {
    const sides = await makeSides();
    const [near, far] = sides;
    const first = [
      { role: 'author' as const, quizId: near.quiz.id },
      { role: 'owner' as const, categoryId: far.categoryId },
    ];
    // The owner's move has the effect of a move without its check.
    const more = await grown([first, []], sides, async () => {
      const body = { title: 'Moved', categoryId: far.categoryId, duration: 30, totalQuestions: 5 };
      await app.call('updateQuiz', { as: app.admin, params: { id: near.quiz.id }, body });
    });
    expect(more).toEqual(expect.arrayContaining(['any: person 0', 'any: score 0']));
  });
});
