import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { QUIZ, refusal } from '../../../testing/fixtures.ts';
import { bankQuestion } from '../../../testing/question-server.ts';
import { showWithToasts } from '../../../testing/shown.tsx';
import { SectionsEditor } from './sections-editor.tsx';

const question = (id: string) =>
  bankQuestion(plainDefinition(`Question ${id}?`, ['x', 'y'], 'x'), { id });

const STORED = {
  structure: {
    sections: [
      {
        id: 'basics',
        title: 'Basics',
        isShuffled: true,
        items: [{ questionId: 'a' }, { count: 5, from: { tags: ['week 1'] } }],
      },
    ],
  },
  negativeMarks: null,
  check: { qualified: [[1, 12]], problems: [] },
};

interface Check {
  qualified: number[][];
  problems: { path: string; message: string }[];
}

/** The editor with a server that checks like this; returns what was saved. */
async function opened(check: Check, write?: () => Response) {
  const saved: { structure: unknown; negativeMarks: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit) => {
    if (method === 'PUT') {
      saved.push(JSON.parse(String(body)));
      return write?.() ?? Response.json({ ...saved.at(-1), check });
    }
    if (url.endsWith('/check')) return Response.json(check);
    if (url.startsWith('/api/questions?')) {
      const archived = { ...question('a'), archivedAt: '2026-05-14T08:00:00.000Z' };
      return Response.json([archived, question('b')]);
    }
    return Response.json([]);
  });
  await showWithToasts(
    <SectionsEditor quiz={QUIZ} stored={STORED}>
      {null}
    </SectionsEditor>,
  );
  return saved;
}

const save = () => page.getByRole('button', { name: 'Save' }).click();
const PROBLEM = { path: 'structure.sections.0.items.1', message: 'Only 3 of 5 questions qualify' };

test('shows how many questions qualify, which is archived, and a problem at its entry', async () => {
  const saved = await opened({ qualified: [[1, 3]], problems: [PROBLEM] });
  const named = page.getByRole('listitem').filter({ hasText: 'Question a?' }).first();
  await expect.element(named.getByText('Archived')).toBeVisible();
  const entry = page.getByRole('listitem').filter({ hasText: 'Draw' }).first();
  await expect.element(entry.getByText('3 questions qualify')).toBeVisible();
  await expect.element(entry.getByRole('alert')).toHaveTextContent(PROBLEM.message);
  await page.getByLabelText('Title of section 1').fill('Introduction');
  await save();
  await expect.element(page.getByText('Not saved')).toBeVisible();
  expect(saved).toEqual([]);
});

test('shows a refusal of the server at its entry', async () => {
  await opened({ qualified: [[1, 5]], problems: [] }, () =>
    refusal(409, 'RULES_UNMET', { message: PROBLEM.message, issues: [PROBLEM] }),
  );
  await page.getByLabelText('Title of section 1').fill('Introduction');
  await expect.element(page.getByText('5 questions qualify')).toBeVisible();
  await save();
  await expect.element(page.getByText(PROBLEM.message).first()).toBeVisible();
  expect(page.getByText(PROBLEM.message).elements()).toHaveLength(2);
});

test('renames a section under its id, and gives a new one an id that stays', async () => {
  const saved = await opened({ qualified: [[1, 12], []], problems: [] });
  await page.getByLabelText('Title of section 1').fill('Introduction');
  await page.getByRole('button', { name: 'Add section' }).click();
  await save();
  await expect.poll(() => saved).toHaveLength(1);
  await page.getByLabelText('Title of section 2').fill('Law');
  await save();
  await expect.poll(() => saved).toHaveLength(2);
  const named = saved.map(({ structure }) =>
    (structure as typeof STORED.structure).sections.map(({ id, title }) => [id, title]),
  );
  const id = named[0]?.[1]?.[0];
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(named).toEqual([
    [
      ['basics', 'Introduction'],
      [id, 'Section 2'],
    ],
    [
      ['basics', 'Introduction'],
      [id, 'Law'],
    ],
  ]);
});

test('moves an entry by keyboard and keeps the focus on it', async () => {
  const saved = await opened({ qualified: [[12, 1]], problems: [] });
  const handle = page.getByRole('button', { name: 'Move entry 1 of Basics' });
  handle.element().focus();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(page.getByRole('button', { name: 'Move entry 2 of Basics' })).toHaveFocus();
  await save();
  await expect.poll(() => saved).toHaveLength(1);
  expect(saved[0]?.structure).toEqual({
    sections: [
      {
        id: 'basics',
        title: 'Basics',
        isShuffled: true,
        items: [{ count: 5, from: { tags: ['week 1'] } }, { questionId: 'a' }],
      },
    ],
  });
});

test('removes an entry and a section, and takes the last removal back', async () => {
  await opened({ qualified: [[12, 1]], problems: [] });
  const entry = page.getByRole('button', { name: 'Move entry 2 of Basics' });
  await page.getByRole('button', { name: 'Remove entry 1 of Basics' }).click();
  await expect.element(entry).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(entry).toBeVisible();
  await page.getByRole('button', { name: 'Remove Basics' }).click();
  await expect.element(page.getByRole('region', { name: 'Basics' })).not.toBeInTheDocument();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.element(entry).toBeVisible();
});

test('adds questions that are not in a section yet', async () => {
  await opened({ qualified: [[1, 12, 1]], problems: [] });
  await expect.element(page.getByText('Each paper has 6 questions.')).toBeVisible();
  await page.getByRole('button', { name: 'Add questions' }).click();
  await expect.element(page.getByRole('checkbox', { name: 'Question a?' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Question b?' }).click();
  await page.getByRole('button', { name: 'Add 1 question' }).click();
  await expect.element(page.getByText('Each paper has 7 questions.')).toBeVisible();
});

test('explains negative marks, and switches sections off', async () => {
  const saved = await opened({ qualified: [[1, 12]], problems: [] });
  await page.getByRole('checkbox', { name: 'Take points off for wrong answers' }).click();
  await page.getByLabelText('Percent of the question’s points').fill('');
  await save();
  await expect.element(page.getByText('Not saved')).toBeVisible();
  await page.getByLabelText('Percent of the question’s points').fill('12,5');
  await expect.element(page.getByText(/takes 0.5 points off the total/)).toBeVisible();
  await expect.element(page.getByText(/“Right minus wrong” .* charged twice/)).toBeVisible();
  await page.getByRole('checkbox', { name: 'Use sections' }).click();
  await save();
  const { check: _, ...before } = STORED;
  const first = { structure: null, negativeMarks: { percent: 12.5, floor: 'total' } };
  await expect.poll(() => saved).toEqual([{ ...first, before }]);
  await page.getByRole('checkbox', { name: 'Take points off for wrong answers' }).click();
  await save();
  await expect
    .poll(() => saved[1])
    .toEqual({ structure: null, negativeMarks: null, before: first });
});
