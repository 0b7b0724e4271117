import type { Account } from '@invigil/core/contract/accounts/auth';
import type { Elsewhere, Releases } from '@invigil/core/contract/review/releases';
import type { QuizResults } from '@invigil/core/contract/review/results';
import { figuresOf, type ResultRules } from '@invigil/core/domain/results/outcome';
import { beforeEach, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { ADMIN, QUIZ } from '../../testing/fixtures.ts';
import { showWithToasts } from '../../testing/shown.tsx';
import { ParticipantsList } from '../attempts/list/participants-screen.tsx';
import { ResultsTab } from './results-tab.tsx';

/** Ten people with 1 to 10 of 10, as the server computes it. */
const ATTEMPTS = Array.from({ length: 10 }, (_, i) => ({
  ...{ status: 'completed' as const, verdict: null, score: i + 1, totalMarks: 10 },
  ...{ points: null, maxPoints: null },
  // The papers are from before the sections were replaced.
  sections: [{ title: 'Section 1', first: 1, points: (i + 1) * 10_000, maxPoints: 100_000 }],
}));
const QUESTION = {
  ...{ questionId: '019a0000-0000-7000-8000-0000000000aa', number: 1, type: 'multiple_choice' },
  ...{ format: 'plain', question: 'Which is prime?', n: 40, facility: 0.4, sd: 0.5 },
  ...{
    itemRest: -0.2,
    discrimination: -0.3,
    effectiveWeight: 0.1,
    omitted: 2,
    notReached: 1,
    medianSeconds: 42.5,
  },
  ...{ alphaWithout: 0.81, byAbility: [0.5, 0.5, 0.4, 0.3, 0.3], suspicions: ['key', 'flat'] },
  options: [
    {
      ...{ text: 'nine', isKey: true, chosen: 16, share: 0.4, correlation: -0.2 },
      byAbility: [0.6, 0.5, 0.4, 0.3, 0.2],
    },
    {
      ...{ text: 'seven', isKey: false, chosen: 24, share: 0.6, correlation: 0.4 },
      byAbility: [0.4, 0.5, 0.6, 0.7, 0.8],
    },
  ],
};

/** Drawn for three of them. */
const RARE = {
  ...{ ...QUESTION, questionId: '019a0000-0000-7000-8000-0000000000bb', number: 2 },
  ...{ question: 'Which is odd?', n: 3, itemRest: 0.99, discrimination: 0.98, suspicions: [] },
};

const TEST = {
  ...{ n: 40, mean: 55.2, median: 55, sd: 20.1, skewness: 0.1, kurtosis: -0.4 },
  reliability: { none: 'papers' },
};
const statistics: Record<string, unknown> = { medianTime: 754 };

let releases: Releases;
let elsewhere: Elsewhere;
let rules: ResultRules | null;
/** Requests that the server fails to answer. */
let failing: RegExp | null;
/** Requests that the server answers late, when `answer` is called. */
let held: RegExp | null;
let answer: () => void;
let sent: { rules: ResultRules | null; dryRun: boolean }[];

const results = (): QuizResults => ({
  ...{
    rules,
    sections: ['Law', 'Practice'].map((title) => ({ id: title.toLowerCase(), title })),
    maxPoints: 10,
  },
  figures: figuresOf(ATTEMPTS, rules),
});

beforeEach(() => {
  rules = null;
  statistics.questions = [QUESTION, RARE];
  statistics.test = TEST;
  releases = {
    ...{ rules: null, released: 0, changed: 0, seen: 0, toReview: 0, timeZone: 'UTC' },
    open: { canStart: 0, running: 0, until: null },
    held: { by_hand: 9, breach: 1 },
  };
  elsewhere = { named: [], others: 0 };
  sent = [];
  failing = null;
  held = null;
  const late = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (failing?.test(`${method} ${url}`)) return new Response('Out of paper', { status: 500 });
    if (held?.test(`${method} ${url}`)) await late;
    if (url.endsWith('/people/groups')) return Response.json([{ group: '2A', people: 3 }]);
    if (url.includes('/statistics')) return Response.json(statistics);
    if (url.endsWith('/elsewhere')) return Response.json(elsewhere);
    if (url.includes('/releases')) {
      if (method === 'PUT') {
        releases = { ...releases, rules: JSON.parse(`${body}`).rules };
        return Response.json(releases);
      }
      if (method !== 'POST') return Response.json(releases);
      releases = { ...releases, released: 9, held: { breach: 1 } };
      return Response.json({ released: 9, releases });
    }
    if (!url.endsWith('/results')) return Response.json([], { headers: { 'x-total-count': '0' } });
    if (method !== 'PUT') return Response.json(results());
    const asked = JSON.parse(`${body}`);
    sent.push(asked);
    const [before, after] = [figuresOf(ATTEMPTS, rules), figuresOf(ATTEMPTS, asked.rules)];
    if (!asked.dryRun) {
      rules = asked.rules;
      releases = { ...releases, changed: releases.released };
    }
    const outcome = { percent: 50, grade: null };
    const changes = [
      {
        ...{ participantId: 'p', userId: 'u', userEmail: 'ada@example.org', userName: 'Ada King' },
        before: { ...outcome, result: 'passed' as const },
        after: { ...outcome, result: 'failed' as const, because: 'points' as const },
      },
    ];
    return Response.json({ applied: !asked.dryRun, before, after, changed: 1, changes });
  });
  return () => vi.unstubAllGlobals();
});

const dialog = page.getByRole('dialog', { name: 'Pass mark and grades' });
const field = (name: string) => dialog.getByLabelText(name, { exact: true });
const show = (account: Account = ADMIN) =>
  showWithToasts(
    <ResultsTab quiz={QUIZ} attempts={<ParticipantsList of={QUIZ.id} />} report={null} />,
    { account },
  );

test('sets a pass mark and grades, after showing whose outcome they change', async () => {
  releases.rules = { parts: ['score'], when: { kind: 'by_hand' }, openDays: 30 };
  releases.released = 2;
  await show();
  await expect.element(page.getByText(/^None\. Results are points/)).toBeVisible();
  await page.getByRole('button', { name: 'Set pass mark and grades' }).click();
  await dialog.getByRole('combobox', { name: 'Pass mark' }).click();
  await page.getByRole('option', { name: 'In percent' }).click();
  await field('Percent').fill('62,5');
  await dialog.getByRole('button', { name: 'A to F' }).click();
  await dialog.getByLabelText(/^Law/).fill('50');
  await expect.element(dialog.getByText('1 of 10 outcomes change: 4 pass.')).toBeVisible();
  await expect.element(dialog.getByText('Ada King')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(sent.at(-1)).toMatchObject({
    ...{ dryRun: false, before: null },
    rules: {
      passMark: { percent: 62.5 },
      sectionMarks: [{ id: 'law', title: 'Law', percent: 50 }],
      grades: [{ name: 'A', from: 90 }, {}, {}, {}, { name: 'F', from: 0 }],
    },
  });
  await expect.element(page.getByText('Pass mark: 62.5 %.')).toBeVisible();
  await expect.element(page.getByText('In “Law” at least 50 %.')).toBeVisible();
  const figures = page.getByRole('list', { name: 'Results' });
  await expect.element(figures.getByText('Passed')).toBeVisible();
  await expect.element(page.getByText(/^2 of them changed since/)).toBeVisible();
  await expect.element(page.getByText('Pass mark', { exact: true })).toBeVisible();
});

test('asks whose outcome changes for the last of what is typed at once only', async () => {
  rules = { passMark: { percent: 10 }, sectionMarks: [], grades: [] };
  await show();
  await page.getByRole('button', { name: 'Change' }).click();
  await expect.element(dialog.getByText('Ada King')).toBeVisible();
  const before = sent.length;
  const input = field('Percent').element();
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set;
  for (const text of ['6', '62', '62.', '62.5']) {
    setValue?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve));
  }
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeEnabled();
  const asked = sent.slice(before).map((one) => one.rules?.passMark);
  expect(asked).toEqual([{ percent: 62.5 }]);
});

test('sets a minimum in a section that only earlier papers have', async () => {
  rules = { passMark: { percent: 10 }, sectionMarks: [], grades: [] };
  await show();
  await page.getByRole('button', { name: 'Change' }).click();
  const [former, later] = [dialog.getByLabelText(/^Section 1/), dialog.getByLabelText(/^Law/)];
  await expect.element(former).toHaveAccessibleDescription(/Only earlier papers have it/);
  await expect.element(later).not.toHaveAccessibleDescription(/earlier papers/);
  await former.fill('50');
  await expect.element(dialog.getByText(/6 pass instead of 10/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(rules?.sectionMarks).toEqual([{ id: 'Section 1', title: 'Section 1', percent: 50 }]);
});

test('says at its field what is wrong with a rule, and sends nothing', async () => {
  const sectionMarks = [{ id: 'law', title: 'Law', percent: 40 }];
  rules = { passMark: { points: 5 }, sectionMarks, grades: [] };
  await show();
  await page.getByRole('button', { name: 'Change' }).click();
  await expect.element(dialog.getByLabelText(/^Law/)).toHaveValue('40');
  await field('Points').fill('many');
  await dialog.getByLabelText(/^Practice/).fill('120');
  await dialog.getByRole('button', { name: '1 to 5' }).click();
  await dialog.getByLabelText('From percent').nth(1).fill('95');
  const before = sent.length;
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(field('Points')).toHaveAccessibleDescription('Enter a percentage or points');
  await expect
    .element(dialog.getByLabelText(/^Practice/))
    .toHaveAccessibleDescription(/From 0 to 100/);
  await expect
    .element(dialog.getByLabelText('From percent').nth(1))
    .toHaveAccessibleDescription('Lower than the grade above');
  expect(sent.slice(before)).toEqual([]);
});

test('marks a question whose key may be wrong, says what to do, and shows its options', async () => {
  await show();
  await expect.element(page.getByText('1 to look at first')).toBeVisible();
  const marks = page.getByText('The key may be wrong').elements();
  expect(marks.length).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Details of question 1' }).click();
  await expect.element(page.getByText(/move the key in the question’s editor/)).toBeVisible();
  const options = page.getByRole('table', { name: 'Options of question 1' });
  await expect.element(options.getByText('40 %, 50 %, 60 %, 70 %, 80 %')).toBeInTheDocument();
  await expect.element(options.getByText('(right)')).toBeInTheDocument();
  await expect.element(page.getByRole('link', { name: 'Edit the question' })).toBeVisible();
  await expect
    .element(page.getByText('Papers have different questions', { exact: false }))
    .toBeVisible();
});

test('saves no rules before it has shown whose outcome they change', async () => {
  failing = /^PUT/;
  await show();
  await page.getByRole('button', { name: 'Set pass mark and grades' }).click();
  await expect.element(dialog.getByText('Could not check who would change')).toBeVisible();
  const save = dialog.getByRole('button', { name: 'Save' });
  await expect.element(save).toHaveAttribute('aria-disabled', 'true');
  await expect.element(save).toHaveAccessibleDescription('Could not check who would change');
  failing = null;
  await dialog.getByRole('button', { name: 'Retry' }).click();
  await expect.element(dialog.getByText('Ada King')).toBeVisible();
  await save.click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test.each([
  ['the preview', /^GET .*participants/, 'Preview', 'Failed to load the preview'],
  ['the question', /^GET .*questions/, 'Correct how it counts', 'Could not load the question'],
])('says so where %s cannot be loaded', async (_, requests, button, title) => {
  await show();
  await page.getByRole('button', { name: 'Details of question 1' }).click();
  failing = requests;
  await page.getByRole('button', { name: button }).click();
  await expect.element(page.getByText(title)).toBeVisible();
});

test('lists whose released result has changed, unless people are not theirs to see', async () => {
  const who = { participantId: 'p', userId: 'u' };
  releases.rules = { parts: ['score'], when: { kind: 'by_hand' }, openDays: 30 };
  releases = { ...releases, released: 3, changed: 3 };
  releases.changes = [
    { ...who, userEmail: 'ada@example.org', userName: 'Ada King' },
    { ...who, participantId: 'q', userEmail: 'bob@example.org' },
  ];
  const { unmount } = await show();
  const list = page.getByRole('list', { name: 'Changed since their release' });
  await expect.element(list).toHaveTextContent('Ada Kingbob@example.orgAnd 1 more.');
  await unmount();
  releases.changes = [{ ...who, userEmail: null }];
  await show();
  await expect.element(page.getByText(/^3 of them changed since/)).toBeVisible();
  await expect.element(list).not.toBeInTheDocument();
});

test('filters by group where one may see the people of this assessment', async () => {
  const group = page.getByRole('combobox', { name: 'Group' });
  const { unmount } = await show();
  await expect.element(group).toBeVisible();
  await unmount();
  const elsewhere = { role: 'support' as const, quizId: 'another' };
  await show({ ...ADMIN, grants: [{ role: 'analyst', quizId: QUIZ.id }, elsewhere] });
  await expect.element(page.getByText('1 to look at first')).toBeVisible();
  await expect.element(group).not.toBeInTheDocument();
});

test('marks a question in which groups differ', async () => {
  const compared = (number: number, size: 'A' | 'B' | 'C') => ({
    ...{ ...RARE, n: 120, number, questionId: `019a0000-0000-7000-8000-00000000000${number}` },
    comparison: { odds: 3, delta: -2.5, chiSquare: 9, class: size },
  });
  statistics.questions = [QUESTION, compared(2, 'A'), compared(3, 'B'), compared(4, 'C')];
  await show();
  await expect.element(page.getByText('3 to look at first')).toBeVisible();
  for (const size of ['B', 'C']) {
    const mark = page.getByText(`Groups differ (${size})`);
    expect(mark.elements().length).toBeGreaterThan(0);
  }
  await expect.element(page.getByText('Groups differ (A)')).not.toBeInTheDocument();
});

test('shows doubtful questions first, then those of everyone, and folds what few had', async () => {
  const question = (number: number, figures: object) => ({
    ...{ ...QUESTION, suspicions: [], number, question: `Question no. ${number}`, ...figures },
    questionId: `019a0000-0000-7000-8000-00000000000${number}`,
  });
  statistics.questions = [
    question(1, { n: 3 }),
    question(2, { n: 15 }),
    question(3, {}),
    question(4, { n: 15, suspicions: ['flat'] }),
    question(5, { n: 0, correction: 'left_out' }),
    question(6, { suspicions: ['key', 'hard'] }),
    question(7, { n: 1 }),
  ];
  statistics.test = {
    ...TEST,
    reliability: { common: 13, kind: 'kr20', alpha: 0.71, sem: 9.5 },
  };
  await show();
  const numbers = () =>
    page
      .getByRole('table', { name: 'Statistics of the questions' })
      .getByText(/^Question no\. /)
      .elements()
      .map((element) => Number(element.textContent.slice(-1)));
  await expect.element(page.getByText('2 to look at first')).toBeVisible();
  expect(numbers()).toEqual([6, 4, 3, 5, 2]);
  const folded = page.getByRole('button', { name: '2 drawn questions, too few people each' });
  await expect.element(folded).toHaveAttribute('aria-expanded', 'false');
  await folded.click();
  expect(numbers()).toEqual([6, 4, 3, 5, 2, 1, 7]);
  await expect.element(page.getByText('KR-20, common part')).toBeVisible();
  await expect.element(page.getByText(/the 13 questions that everyone had/)).toBeVisible();
});

test('judges no question by the few who had it', async () => {
  await show();
  await page.getByRole('button', { name: '1 drawn question, too few people' }).click();
  const row = page.getByRole('row', { name: /Which is odd/ });
  await expect.element(row.getByText('Too few').last()).toBeVisible();
  await expect.element(row.getByText(/0\.9[89]/)).not.toBeInTheDocument();
  await expect.element(page.getByText('Too few')).toHaveLength(2);
  await page.getByRole('button', { name: 'Details of question 2' }).click();
  await expect.element(page.getByText(/^3 attempts: too few to judge/)).toBeVisible();
});

test('sets up the release of results, and releases them', async () => {
  await show();
  const card = page.getByRole('region', { name: 'Release' });
  await expect.element(card.getByText(/^Candidates see no result/)).toBeVisible();
  await card.getByRole('button', { name: 'Set up the release' }).click();
  const form = page.getByRole('dialog', { name: 'Release of results' });
  await form.getByLabelText('Right answers, and with points what each question earned').click();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form.getByText(/beside their own answers/)).toBeVisible();
  await form.getByLabelText('Right answers, and with points what each question earned').click();
  await form.getByLabelText('Their own answers').click();
  const days = form.getByLabelText('Days in which it can be read');
  await days.fill('0');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(days).toHaveAccessibleDescription('From 1 to 365 days');
  await days.fill('14');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect.element(form).not.toBeInTheDocument();
  expect(releases.rules).toEqual({
    parts: ['outcome', 'grade', 'score', 'answers'],
    ...{ openDays: 14, when: { kind: 'by_hand' }, keyAfterEnd: true },
  });
  await expect.element(card.getByText('9 wait for you')).toBeVisible();
  await card.getByRole('button', { name: 'Release now' }).click();
  const asked = page.getByRole('alertdialog');
  await expect.element(asked.getByText(/^9 candidates get an email.* 1 stays back/)).toBeVisible();
  await asked.getByRole('button', { name: 'Release' }).click();
  await expect.element(card.getByText('9 released')).toBeVisible();
  await expect.element(page.getByText('9 results released')).toBeVisible();
});

/** With right answers, while 14 people can still start. */
const openRules = (change: Partial<NonNullable<Releases['rules']>> = {}) => ({
  ...{ parts: ['score' as const, 'answers' as const, 'key' as const], openDays: 30 },
  ...{ when: { kind: 'by_hand' as const }, ...change },
});
const OPEN = { canStart: 14, running: 1, until: '2026-12-01T18:00:00.000Z' };
const WHO =
  /^14 people can still start and 1 attempt is under way, until Tuesday,? 1 December at 18:00/;

async function askToRelease() {
  await show();
  await page.getByRole('button', { name: 'Release now' }).click();
  return page.getByRole('alertdialog');
}

test('says before a release who could learn answers, and holds these until the end', async () => {
  releases = { ...releases, rules: openRules(), open: OPEN, toReview: 8 };
  const asked = await askToRelease();
  await expect.element(asked.getByText(WHO)).toBeVisible();
  await expect
    .element(asked.getByText('8 of these attempts have events that no one has reviewed.'))
    .toBeVisible();
  await expect.element(asked.getByRole('checkbox')).toBeChecked();
  await asked.getByRole('button', { name: 'Release' }).click();
  await expect.element(asked).not.toBeInTheDocument();
  expect(releases).toMatchObject({ released: 9, rules: openRules({ keyAfterEnd: true }) });
});

test('names before a release the questions whose key the statistics doubt', async () => {
  releases = { ...releases, rules: openRules({ parts: ['score'] }) };
  statistics.questions = [
    QUESTION,
    { ...QUESTION, questionId: 'settled', number: 7, correction: 'left_out' },
    { ...QUESTION, questionId: 'hard', number: 8, suspicions: ['hard'] },
  ];
  const asked = await askToRelease();
  await expect.element(asked.getByText('The key of 1 question may be wrong.')).toBeVisible();
  await expect.element(asked.getByText(/The scores count it as right/)).toBeVisible();
  await expect
    .element(asked.getByRole('link', { name: 'Question 1' }))
    .toHaveAttribute('href', expect.stringContaining(`/admin/questions/${QUESTION.questionId}`));
  expect(asked.getByRole('link').elements()).toHaveLength(1);
});

test('names before a release other assessments whose questions it would give away', async () => {
  const named = [{ quizId: 'other', title: 'Second sitting', questions: 2 }];
  releases = { ...releases, rules: openRules() };
  elsewhere = { named, others: 1 };
  const asked = await askToRelease();
  await expect
    .element(
      asked.getByText('2 other assessments that can still be started have questions of this one.'),
    )
    .toBeVisible();
  await expect
    .element(asked.getByRole('link', { name: 'Second sitting' }))
    .toHaveAttribute('href', '/admin/quizzes/other');
  await expect.element(asked.getByText('1 assessment that you cannot see')).toBeVisible();
});

test('releases answers at once where that is decided', async () => {
  releases = { ...releases, rules: openRules(), open: { ...OPEN, running: 0, until: null } };
  const asked = await askToRelease();
  await expect.element(asked.getByText('14 people can still start.')).toBeVisible();
  await asked.getByRole('checkbox').click();
  await asked.getByRole('button', { name: 'Release' }).click();
  await expect.element(asked).not.toBeInTheDocument();
  expect(releases).toMatchObject({ released: 9, rules: openRules() });
});

test.each([
  ['no one can start', { rules: openRules() }],
  ['no answers are released', { rules: openRules({ parts: ['score'] }), open: OPEN }],
  ['they wait for the end', { rules: openRules({ keyAfterEnd: true }), open: OPEN }],
])('asks about no answers where %s', async (_, change) => {
  releases = { ...releases, ...change };
  const asked = await askToRelease();
  await expect.element(asked.getByText(/^9 candidates get an email/)).toBeVisible();
  expect(asked.getByRole('checkbox').elements()).toHaveLength(0);
  // Who is meant is said with it.
  expect(asked.getByText(/can still start/).elements()).toHaveLength(
    change.rules.keyAfterEnd ? 1 : 0,
  );
  expect(asked.getByText(/follow once no one can start/).elements()).toHaveLength(
    change.rules.keyAfterEnd ? 1 : 0,
  );
});

test.each([
  'When you release them',
  'At once, after the end of each attempt',
  'When each attempt is reviewed',
])(
  'holds answers until the end, unless the rules say otherwise, and says who could learn them: %s',
  async (when) => {
    releases = { ...releases, open: OPEN };
    await show();
    await page.getByRole('button', { name: 'Set up the release' }).click();
    const form = page.getByRole('dialog', { name: 'Release of results' });
    await form.getByRole('combobox', { name: 'When' }).click();
    await page.getByRole('option', { name: when }).click();
    expect(
      form.getByRole('combobox', { name: 'Answers and explanations' }).elements(),
    ).toHaveLength(0);
    await form.getByLabelText('Their own answers').click();
    await form.getByLabelText(/^Explanations/).click();
    const from = form.getByRole('combobox', { name: 'Answers and explanations' });
    await expect.poll(() => from.element().textContent).toContain('Only after the end');
    expect(form.getByText(WHO).elements()).toHaveLength(0);
    await from.click();
    await page.getByRole('option', { name: 'With the result' }).click();
    await expect.element(form.getByText(WHO)).toBeVisible();
    await from.click();
    await page.getByRole('option', { name: /^Only after the end/ }).click();
    await form.getByRole('button', { name: 'Save' }).click();
    await expect.element(form).not.toBeInTheDocument();
    expect(releases.rules).toMatchObject({ keyAfterEnd: true });
    await expect.element(page.getByText(/Answers and explanations come once/)).toBeVisible();
  },
);

test.each([
  ['Not at all: results are communicated separately', /taken back until you release results again/],
  ['At a time', /taken back until that time/],
])('says what taking back cannot undo: %s', async (option, words) => {
  releases = { ...releases, rules: openRules(), released: 12, seen: 9 };
  await show();
  await page.getByRole('button', { name: 'Change' }).click();
  const form = page.getByRole('dialog', { name: 'Release of results' });
  expect(form.getByText(/taken back/).elements()).toHaveLength(0);
  await form.getByRole('combobox', { name: 'When' }).click();
  await page.getByRole('option', { name: option }).click();
  if (option === 'At a time') await form.getByLabelText(/^Date and time/).fill('2099-01-01T10:00');
  await expect.element(form.getByText(words)).toBeVisible();
  await expect
    .element(
      form.getByText('The emails about them were sent, and 9 were opened: that cannot be undone.'),
    )
    .toBeVisible();
});

test('names before a release who has no name for a certificate, and letters that cannot be printed', async () => {
  const who = { participantId: 'p', userId: 'u', userEmail: 'liu@example.org' };
  const problems = [
    { ...who, userName: '刘䶮', hasName: true, letters: ['䶮'] },
    { ...who, participantId: 'q', userEmail: 'bob@example.org', hasName: false, letters: [] },
  ];
  const certificates = { letters: ['🦺'], count: 3, problems };
  releases = { ...releases, rules: openRules({ parts: ['certificate'] }), certificates };
  const asked = await askToRelease();
  await expect
    .element(asked.getByText('3 certificates lack a name or letters of it.'))
    .toBeVisible();
  await expect.element(asked.getByText(/cannot be printed: 🦺\./)).toBeVisible();
  const [named, unnamed, more] = asked.getByRole('listitem').elements();
  expect(named?.textContent).toMatch(/刘䶮.*: the name has letters that cannot be printed: 䶮/);
  expect(unnamed?.textContent).toBe(
    'bob@example.org: no name, so the certificate has the email address',
  );
  expect(more?.textContent).toBe('And 1 more.');
  await expect
    .element(asked.getByRole('link', { name: 'bob@example.org' }))
    .toHaveAttribute('href', '/admin/people/u');
});

test('says what a long wait is for: who would change, and what the statistics say', async () => {
  held = /^PUT|statistics/;
  releases = { ...releases, rules: openRules({ parts: ['score'] }) };
  await show();
  await expect.element(page.getByText('Computing statistics...')).toBeVisible();
  await page.getByRole('button', { name: 'Release now' }).click();
  const asked = page.getByRole('alertdialog');
  await expect.element(asked.getByText('Computing what statistics say of the keys…')).toBeVisible();
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Set pass mark and grades' }).click();
  await expect.element(dialog.getByText('Checking who would change…')).toBeVisible();
  answer();
  await expect.element(dialog.getByText('Ada King')).toBeVisible();
  await expect.element(dialog.getByText('Checking who would change…')).not.toBeInTheDocument();
});
