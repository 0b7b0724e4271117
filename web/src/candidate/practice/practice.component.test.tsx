import type { AnsweredQuestion } from '@invigil/core/contract/assessments/answered-question';
import type { Practice } from '@invigil/core/contract/assessments/practice';
import { STRICT_POLICY } from '@invigil/core/domain/violations/violation-policy';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { Route } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { attemptEngines } from '../../proctoring/attempt-monitor.ts';
import { refusal } from '../../testing/fixtures.ts';
import { show, wordsIn } from '../../testing/shown.tsx';
import { PracticeScreen } from './practice-screen.tsx';

const OFF = { ...STRICT_POLICY, camera: false, microphone: false, fullscreen: false };
type Asked = Practice['questions'][number];
const asked = (type: Asked['type'], question: string, more: Partial<Asked> = {}): Asked => ({
  ...{ id: question, quizId: 'q', type, question, options: [], orderNumber: 1, points: 2 },
  ...more,
});
const answered = (question: string, more: Partial<AnsweredQuestion>): AnsweredQuestion => ({
  ...{ number: 1, question, format: 'plain', options: [], isCorrect: false, points: 0 },
  ...{ maxPoints: 2, ...more },
});

let practice: Practice;
let results: Record<string, AnsweredQuestion>;
let sent: { questionId: string; answer: string }[];
let readings: number;

beforeEach(() => {
  // Their files are not served here.
  vi.spyOn(attemptEngines, 'want').mockImplementation(() => undefined);
  practice = {
    ...{ title: 'Warm-up', description: 'Take your time.', duration: 20, policy: OFF },
    questions: [
      asked('multiple_choice', 'Which is prime?', { options: ['seven', 'nine'] }),
      asked('multiple_choice', 'And which is even?', { options: ['two', 'three'] }),
    ],
  };
  results = {};
  sent = [];
  readings = 0;
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (!url.includes('/api/practice/')) return Response.json([]);
    if (method === 'GET') {
      readings += 1;
      return Response.json(practice);
    }
    const one = JSON.parse(`${body}`);
    sent.push(one);
    const result = results[one.questionId];
    return result ? Response.json(result) : refusal(404, 'NOT_FOUND');
  });
  return () => vi.unstubAllGlobals();
});

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
const open = () =>
  show(
    <Route path="/practice/:token">
      <PracticeScreen />
    </Route>,
    { account: null, location: memoryLocation({ path: `/practice/${'a'.repeat(22)}` }) },
  );
const start = async () => {
  await open();
  await button('Start').click();
};

test('says what it is before it starts, and that it may not be there', async () => {
  await open();
  await expect.element(page.getByRole('heading', { name: 'Warm-up' })).toBeVisible();
  expect(wordsIn(page.getByRole('main'))).toMatch(
    /Take your time\. Questions 2 Duration 20 minutes/,
  );
  await expect
    .element(page.getByRole('link', { name: 'Check your device' }))
    .toHaveAttribute('href', '/check');
});

test('says kindly that a practice is not available', async () => {
  vi.stubGlobal('fetch', async () => refusal(404, 'NOT_FOUND'));
  await open();
  await expect.element(page.getByText('This practice is not available now')).toBeVisible();
});

test('shows at once whether an answer is right, and the score at the end', async () => {
  results = {
    'Which is prime?': answered('Which is prime?', {
      options: [
        // Their author's order: the paper has its own.
        { text: 'nine', isSelected: true, isCorrect: false, feedback: 'Three times three.' },
        { text: 'seven', isSelected: false, isCorrect: true },
      ],
      explanation: 'Seven has no divisor.',
    }),
    'And which is even?': answered('And which is even?', {
      ...{ isCorrect: true, points: 2 },
      options: [
        { text: 'two', isSelected: true, isCorrect: true },
        { text: 'three', isSelected: false, isCorrect: false },
      ],
    }),
  };
  await start();
  await expect.element(button('Check answer')).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('radio', { name: 'nine' }).click();
  await button('Check answer').click();
  await expect.element(page.getByText('Not right').first()).toBeVisible();
  expect(wordsIn(page.getByRole('main'))).toMatch(
    /0 of 2 points.* seven Right nine Three times three\. Your answer · Not right Explanation Seven has no divisor\./,
  );
  expect(sent).toEqual([{ questionId: 'Which is prime?', answer: 'nine' }]);
  // The focus is on the question, so that the keys of the test go on.
  await userEvent.keyboard('{ArrowRight}');
  await expect.element(page.getByRole('heading', { name: 'And which is even?' })).toBeVisible();
  await userEvent.keyboard('a');
  await expect.element(page.getByRole('radio', { name: 'two' })).toBeChecked();
  // The end checks what was not checked yet.
  await button('End practice').first().click();
  await expect
    .element(page.getByRole('heading', { name: 'You finished the practice' }))
    .toBeVisible();
  expect(wordsIn(page.getByRole('main'))).toContain('2 of 4 points');
  expect(sent).toHaveLength(2);
  await button('Practice again').click();
  await expect.element(button('Start')).toBeVisible();
  expect(readings).toBe(2);
});

test.each<[string, Asked, AnsweredQuestion, () => Promise<void>, RegExp]>([
  [
    'several options',
    asked('multiple_response', 'Several', { options: ['a', 'b', 'c'] }),
    answered('Several', {
      points: 1,
      options: ['a', 'b', 'c'].map((text) => ({
        ...{ text, isSelected: text === 'a', isCorrect: text !== 'c' },
      })),
    }),
    () => page.getByRole('checkbox', { name: 'a', exact: true }).click(),
    /Partly right 1 of 2 points.* a Your answer · Right b Right c/,
  ],
  [
    'true or false',
    asked('true_false', 'True?', { options: ['True', 'False'] }),
    answered('True?', {
      ...{ isCorrect: true, points: 2 },
      options: [
        { text: 'True', isSelected: true, isCorrect: true },
        { text: 'False', isSelected: false, isCorrect: false },
      ],
    }),
    () => page.getByRole('radio', { name: 'True' }).click(),
    /Right 2 of 2 points.* True Your answer · Right False/,
  ],
  [
    'a number',
    asked('numeric', 'How many?'),
    answered('How many?', { typed: '41', accepted: ['42'] }),
    () => page.getByRole('textbox').fill('41'),
    /Not right 0 of 2 points.* Your answer: 41 Right: 42/,
  ],
  [
    'a text',
    asked('short_text', 'Who?'),
    answered('Who?', { ...{ isCorrect: true, points: 2 }, typed: 'Ada', accepted: ['Ada'] }),
    () => page.getByRole('textbox').fill('Ada'),
    /Right 2 of 2 points.* Your answer: Ada/,
  ],
  [
    'items to match',
    asked('matching', 'Match', { items: ['France', 'Spain'], options: ['Paris', 'Madrid'] }),
    answered('Match', {
      points: 1,
      rows: [
        { item: 'France', given: 'Paris', right: 'Paris' },
        { item: 'Spain', given: '', right: 'Madrid' },
      ],
    }),
    () => userEvent.selectOptions(page.getByRole('combobox').first(), 'Paris'),
    /Partly right 1 of 2 points.* France.*Paris.*Right.*Spain.*Madrid/,
  ],
  [
    'items to order',
    asked('ordering', 'Order', { options: ['second', 'first'] }),
    answered('Order', {
      isOrder: true,
      rows: [
        { item: 'first', given: '2', right: '1' },
        { item: 'second', given: '1', right: '2' },
      ],
    }),
    () => page.getByRole('button', { name: /down/i }).first().click(),
    /Not right 0 of 2 points.* first.*second/,
  ],
])('gives feedback on %s', async (_, question, result, answer, words) => {
  practice = { ...practice, questions: [question] };
  results = { [question.id]: result };
  await start();
  await answer();
  await button('Check answer').click();
  await expect.element(button('Check answer')).not.toBeInTheDocument();
  expect(wordsIn(page.getByRole('main'))).toMatch(words);
});

test('keeps the answer where it cannot be checked, and says why', async () => {
  await start();
  await page.getByRole('radio', { name: 'nine' }).click();
  await button('Check answer').click();
  await expect.element(page.getByText('The answer could not be checked')).toBeVisible();
  await expect.element(page.getByRole('radio', { name: 'nine' })).toBeChecked();
});

test('ends when its time is up, without points that were not earned', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  practice = { ...practice, questions: practice.questions.map(({ points: _, ...one }) => one) };
  await start();
  vi.advanceTimersByTime(20 * 60_000 + 500);
  await expect.element(page.getByRole('heading', { name: 'Your time is up' })).toBeVisible();
  expect(wordsIn(page.getByRole('main'))).toContain('0 of 2 right');
});

test('tries the camera out on this page alone, and says what an assessment would notice', async () => {
  const requests: string[] = [];
  const serve = globalThis.fetch;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    requests.push(url);
    return serve(url, init);
  });
  const tracks: MediaStreamTrack[] = [];
  vi.spyOn(navigator.mediaDevices, 'getUserMedia').mockImplementation(async () => {
    const canvas = document.createElement('canvas');
    canvas.getContext('2d')?.fillRect(0, 0, 1, 1);
    const stream = canvas.captureStream();
    tracks.push(...stream.getTracks());
    return stream;
  });
  practice = { ...practice, policy: { ...OFF, camera: true } };
  await open();
  await button('Start with the camera').click();
  await expect.element(page.getByLabelText('Your camera picture')).toBeVisible();
  // The context menu is switched off, as in the test.
  document.body.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }));
  await expect.element(page.getByText('The context menu is switched off here')).toBeVisible();
  await expect.element(page.getByText(/Here it has no consequence/)).toBeVisible();
  await button('End practice').first().click();
  await expect
    .element(page.getByRole('heading', { name: 'You finished the practice' }))
    .toBeVisible();
  expect(tracks.map(({ readyState }) => readyState)).toEqual(['ended']);
  expect(requests.every((url) => url.includes('/api/practice/'))).toBe(true);
});
