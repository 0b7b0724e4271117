import type { CandidateResult } from '@invigil/core/contract/review/releases';
import { expect, test } from 'vitest';
import { show, wordsIn } from '../testing/shown.tsx';
import { ResultView } from './result-view.tsx';

type Question = NonNullable<CandidateResult['questions']>[number];

const moment = '2026-01-01T00:00:00.000Z';
async function shown(change: Partial<Question>): Promise<string> {
  const question: Question = {
    ...{ number: 1, question: 'Q?', format: 'plain', options: [] },
    ...change,
  };
  const moments = { submittedAt: moment, releasedAt: moment, until: moment };
  const result = { participantId: 'p', title: 't', isChanging: false, questions: [question] };
  const { container } = await show(<ResultView result={{ ...result, ...moments }} />);
  return wordsIn(container).replace(/^.*Q\? /s, '');
}

const PAIRS = [
  { item: 'France', given: 'Paris', right: 'Paris' },
  { item: 'Spain', given: 'Rome', right: 'Madrid' },
  { item: 'Italy', given: '', right: 'Rome' },
];

test('a result to match shows what was given and what is right', async () => {
  expect(await shown({ rows: PAIRS })).toBe(
    'France → : Paris Right Spain → : Rome Right: Madrid Not right Italy → : no answer Right: Rome',
  );
});

test('a result to match without the key shows only what was given', async () => {
  const rows = PAIRS.map(({ item, given }) => ({ item, given }));
  expect(await shown({ rows })).toBe('France → : Paris Spain → : Rome Italy → : no answer');
});

test('a result to order has the places, and says where it was left blank', async () => {
  const rows = [
    { item: 'Pour', given: '1', right: '2' },
    { item: 'Wait', given: '3', right: '3' },
  ];
  expect(await shown({ rows, isOrder: true })).toBe(
    '1. Pour Right place: 2 Not right 3. Wait Right',
  );
  const blank = rows.map((row) => ({ ...row, given: '' }));
  expect(await shown({ rows: blank, isOrder: true })).toContain('You left this question blank.');
});
