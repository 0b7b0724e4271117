import type { Endpoint } from '@invigil/core/contract/definition/endpoint';
import { ENDPOINTS, type EndpointName } from '@invigil/core/contract/endpoints';
import { optionsOfPairs } from '@invigil/core/domain/questions/matching-options';
import type { QuestionDefinition } from '@invigil/core/domain/questions/question-definition';
import type { CallInput, Reply } from '@invigil/testkit/app';
import { inviteCandidate, makeQuiz, setUpAppWithAdmin } from '@invigil/testkit/factories';
import { beforeAll, describe, expect, it } from 'vitest';

const NAMES = Object.keys(ENDPOINTS) as EndpointName[];

/** Signing in or out would end the session, and a stream does not end. */
const KEEPS_SESSION: EndpointName[] = ['login', 'logout', 'streamParticipant', 'streamOpening'];

/** Words that only an author may read; each is in one place of one question. */
const NEEDLES = [
  'needle-explanation',
  'needle-feedback',
  'needle-note',
  'needle-tag',
  'needle-accepted',
  'needle-unit',
  '31415.9265',
  '2.71828',
  '12.34567',
  '-23.45678',
  'right_minus_wrong',
  'per_option',
  'all_or_nothing',
  'weights',
];
/** Names of fields with a key, a rule, or what a question is worth to those who mark it. */
const FIELDS =
  /"(\w*correct\w*|\w*score\w*|key|weight|rule|accepted|tolerancePercent|units|factor|isUnitRequired|isCaseSensitive|isSpaceExact|isLast|shortText|numeric|match|place|rows|right|explanation|feedback|definition|negativeMarks|structure|difficulty|tags|totalMarks|maxPoints|hash)":/i;

/** The cost of wrong answers is a rule of the assessment, which candidates are told. */
const MARKS = { percent: 12.34, floor: 'total' } as const;
const TOLD = `"negativeMarks":${JSON.stringify(MARKS)}`;

const drawing = (n: number) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="${n}" height="9"/></svg>`,
  );

/** The key of an ordering, and the answers of a matching question in the order of its items. */
const ORDER = ['first', 'second', 'third'];
const ANSWERS = ['answer 1', 'answer 2', 'answer 3'];

/** A question of each type and rule; figures in question, option and explanation. */
function richQuestions(shown: string, inOption: string, hidden: string): QuestionDefinition[] {
  const explanation = `needle-explanation ![Solution](image:${hidden})`;
  const rest = { format: 'markdown', points: 2, explanation } as const;
  const option = (text: string, isCorrect: boolean, weight?: number) => ({
    text,
    isCorrect,
    ...(weight === undefined ? {} : { weight }),
  });
  return [
    {
      ...rest,
      type: 'multiple_choice',
      question: `![Figure](image:${shown}) $x^2$`,
      options: [
        option(`![Option](image:${inOption})`, false),
        { ...option('b', true), feedback: `needle-feedback ![Solution](image:${hidden})` },
        { ...option('c', false), isLast: true, feedback: 'needle-feedback' },
      ],
      rule: 'all_or_nothing',
    },
    {
      ...rest,
      type: 'multiple_response',
      question: 'Which?',
      options: [option('a', true), option('b', true), option('c', false)],
      rule: 'right_minus_wrong',
      maxSelections: 2,
    },
    {
      ...rest,
      type: 'multiple_response',
      question: 'Which of these?',
      options: [option('a', true), option('b', false), option('c', false)],
      rule: 'per_option',
    },
    {
      ...rest,
      type: 'multiple_response',
      question: 'Which weigh?',
      options: [option('a', true, 12.34567), option('b', false, -23.45678)],
      rule: 'weights',
    },
    {
      ...rest,
      type: 'true_false',
      question: 'True?',
      options: [option('True', true), option('False', false)],
      rule: 'all_or_nothing',
    },
    {
      ...rest,
      type: 'numeric',
      question: 'How many?',
      options: [],
      rule: 'all_or_nothing',
      numeric: {
        accepted: [{ value: '31415.9265', tolerancePercent: '2.71828' }],
        units: [{ unit: 'needle-unit', factor: '2.71828' }],
      },
    },
    {
      ...rest,
      type: 'short_text',
      question: 'Who?',
      options: [],
      rule: 'weights',
      shortText: { accepted: [{ text: 'needle-accepted', weight: 12.34567 }] },
    },
    {
      ...rest,
      type: 'matching',
      question: 'Which to which?',
      options: optionsOfPairs(
        ['1', '2', '3'].map((n) => ({ item: `item ${n}`, answer: `answer ${n}` })),
        [`![Option](image:${inOption})`],
      ),
      rule: 'per_option',
    },
    {
      ...rest,
      type: 'ordering',
      question: 'In which order?',
      options: ORDER.map((text) => option(text, false)),
      rule: 'all_or_nothing',
    },
  ];
}

describe('a paper of richer questions', () => {
  const app = setUpAppWithAdmin();
  let quizId: string;
  let questionIds: string[];
  const images = { shown: '', inOption: '', hidden: '', other: '' };

  beforeAll(async () => {
    const store = async (n: number) =>
      (
        await app.call('uploadImage', {
          as: app.admin,
          body: drawing(n),
          headers: { 'content-type': 'image/svg+xml' },
        })
      ).body.hash;
    images.shown = await store(11);
    images.inOption = await store(12);
    images.hidden = await store(13);
    images.other = await store(14);
    quizId = await quizOf(richQuestions(images.shown, images.inOption, images.hidden));
    questionIds = await idsOf(quizId);
    const other = await quizOf(richQuestions(images.other, images.other, images.other));
    const foreign = await inviteCandidate(app, app.admin, other, 'foreign@example.org');
    await app.call('startParticipant', { as: foreign.cookie, body: {} });
    expect((await readImage(foreign.cookie, images.other)).status).toBe(200);
  });

  async function quizOf(definitions: QuestionDefinition[]): Promise<string> {
    const { id } = await makeQuiz(app, app.admin, { questions: [], totalQuestions: 9 });
    for (const definition of definitions) {
      const body = { definition, quizId: id, note: 'needle-note', tags: ['needle-tag'] };
      expect((await app.call('addToBank', { as: app.admin, body })).status).toBe(201);
    }
    const settings = {
      structure: {
        sections: [
          {
            title: 'All',
            isShuffled: true,
            items: (await idsOf(id)).map((questionId) => ({ questionId })),
          },
        ],
      },
      negativeMarks: MARKS,
    };
    const set = await app.call('setStructure', { as: app.admin, params: { id }, body: settings });
    expect(set.status).toBe(200);
    return id;
  }

  const idsOf = async (id: string) =>
    (
      await app.pool.query('select id from questions where quiz_id = $1 order by order_number', [
        id,
      ])
    ).rows.map((row) => String(row.id));
  const readImage = (as: string, hash: string) => app.call('readImage', { as, params: { hash } });

  /** A call that gets as far as a candidate's can. */
  function callOf(name: EndpointName, attempt: string): CallInput {
    const { path } = ENDPOINTS[name] as Endpoint;
    const id = path.startsWith('/api/quizzes')
      ? quizId
      : path.startsWith('/api/questions')
        ? (questionIds[0] ?? '')
        : attempt;
    const params = { id, questionId: questionIds[0] ?? '', hash: images.hidden };
    const answers = [
      ...['b', '["a"]', '["a"]', '["a","b"]', 'True', '3', 'no one'],
      ...['["answer 1","","answer 2"]', '["second","first","third"]'],
    ].map((selectedOption, i) => ({
      questionId: questionIds[i] ?? '',
      selectedOption,
      isFlagged: false,
      revision: 1,
    }));
    const bodies: Partial<Record<EndpointName, CallInput['body']>> = {
      startParticipant: { quizId },
      saveAnswers: { answers },
      submitParticipant: { answers },
      heartbeat: { seq: 1 },
      giveFeedback: { participantId: attempt, emoji: 'smile' },
      reportViolation: { participantId: attempt, violationType: 'window_blur', notes: 'n' },
    };
    const body = bodies[name];
    return {
      params: Object.fromEntries(
        Object.entries(params).filter(([key]) => path.includes(`:${key}`)),
      ),
      ...(name === 'listQuestions' ? { query: { forAssessment: 'true' } } : {}),
      ...(body === undefined ? {} : { body }),
    };
  }

  function expectNothingToSee(reply: Reply, what: string): void {
    const headers = JSON.stringify(reply.headers);
    // Answers are mixed with one that belongs to no item.
    const orders = [ORDER, [...ANSWERS, `![Option](image:${images.inOption})`]].map((texts) =>
      JSON.stringify(texts).slice(1, -1),
    );
    for (const needle of [...NEEDLES, ...orders, images.hidden, images.other]) {
      expect(`${reply.text}${headers}`.includes(needle), `${what}: ${needle}`).toBe(false);
    }
    expect(reply.text.replaceAll(TOLD, ''), what).not.toMatch(FIELDS);
  }

  it('never shows a candidate key, correctness, score, rule, weight, explanation or foreign image', async () => {
    const own = await inviteCandidate(app, app.admin, quizId, 'rich@example.org');
    const seen: string[] = [];
    const walk = async (attempt: string, phase: string, leaveOut: EndpointName[]) => {
      for (const name of NAMES) {
        if (leaveOut.includes(name)) continue;
        const reply = await app.call(name, { ...callOf(name, attempt), as: own.cookie });
        seen.push(`${phase} ${name} ${reply.status}`);
        expectNothingToSee(reply, `${phase}: ${name}`);
      }
      const found = await Promise.all(
        [images.shown, images.inOption, images.hidden, images.other].map(
          async (hash) => (await readImage(own.cookie, hash)).status,
        ),
      );
      seen.push(`${phase} images ${found.join(' ')}`);
    };
    await walk(quizId, 'before', [...KEEPS_SESSION, 'startParticipant']);
    const started = await app.call('startParticipant', { as: own.cookie, body: {} });
    expect(started.status).toBe(201);
    expectNothingToSee(started, 'start');
    const account = await app.call('me', { as: own.cookie });
    expect([started.body, account.body.quiz, account.body.attempt]).toEqual([
      expect.objectContaining({ negativeMarks: MARKS }),
      expect.objectContaining({ negativeMarks: MARKS }),
      expect.objectContaining({ negativeMarks: MARKS }),
    ]);
    const query = { forAssessment: 'true' };
    const paper = await app.call('listQuestions', {
      as: own.cookie,
      params: { id: quizId },
      query,
    });
    const withUnits = paper.body.filter((q: { hasUnits?: boolean }) => q.hasUnits);
    expect(withUnits.map((q: { question: string }) => q.question)).toEqual(['How many?']);
    const attempt = started.body.id;
    await walk(attempt, 'during', [...KEEPS_SESSION, 'submitParticipant']);
    await walk(attempt, 'end', KEEPS_SESSION);
    await walk(attempt, 'after', KEEPS_SESSION);
    await app.call('logout', { as: own.cookie });
    const late = await app.call('login', { body: { email: own.email, password: own.code } });
    expectNothingToSee(late, 'late sign-in');
    expect(seen).toEqual(
      expect.arrayContaining([
        'before images 404 404 404 404',
        'during images 200 200 404 404',
        'during listQuestions 200',
        'during saveAnswers 200',
        'during listAnswers 200',
        'end submitParticipant 200',
        'end giveFeedback 201',
        'after images 404 404 404 404',
      ]),
    );
    // The words that must not be seen exist, and score: the walk looked for the right ones.
    const bank = await app.call('listBank', { as: app.admin, query: { quizId } });
    const missing = [...NEEDLES, images.hidden].filter((needle) => !bank.text.includes(needle));
    expect(missing).toEqual([]);
    const record = await app.call('getParticipantRecord', {
      as: app.admin,
      params: { id: attempt },
    });
    expect(record.body.participant.maxPoints).toBe(18);
    expect(record.body.participant.points).toBeGreaterThan(0);
  });
});
