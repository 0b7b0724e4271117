import { plainDefinition } from '@invigil/core/domain/questions/question-definition';
import { useState } from 'react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router';
import { expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react/pure';
import { SessionContext } from '../../lib/person/session.tsx';
import { ADMIN, PERSON, QUIZ, sessionOf } from '../../testing/fixtures.ts';
import { bankQuestion } from '../../testing/question-server.ts';
import { wordsIn } from '../../testing/shown.tsx';
import { Cell, Row, Table } from '../../ui/tables/table.tsx';
import { AdminLayout } from './admin-layout.tsx';
import { letterKeys } from './frame-keys.ts';

const QUIZZES = [
  { ...QUIZ, id: 'q1', title: 'Réseaux et protocoles' },
  { ...QUIZ, id: 'q2', title: 'Statistics, summer' },
];

/** A server with two assessments, a person and a question; returns what was searched. */
function served() {
  const searched: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const list = (rows: unknown[]) => {
      searched.push(`${pathname} ${searchParams.get('search')}`);
      return Response.json(rows, { headers: { 'x-total-count': String(rows.length) } });
    };
    if (pathname === '/api/quizzes') return Response.json(QUIZZES);
    if (pathname === '/api/people') return list([{ ...PERSON, id: 'ada' }]);
    if (pathname === '/api/questions') {
      return list([bankQuestion(plainDefinition('What is ada?', ['x', 'y'], 'x'), { id: 'b' })]);
    }
    return Response.json({ writing: 0 });
  });
  return searched;
}

function Place() {
  const { pathname, search, state } = useLocation();
  const [edited, setEdited] = useState('');
  return (
    <>
      <p data-testid="place">{`${pathname}${search} ${JSON.stringify(state)} ${edited}`}</p>
      <input type="search" aria-label="Search rows" />
      <Table label="Rows">
        <tbody>
          {['One', 'Two'].map((name) => (
            <Row key={name}>
              <Cell>
                <input type="checkbox" aria-label={`Select ${name}`} />
                <button
                  type="button"
                  data-edit=""
                  aria-label={`Edit ${name}`}
                  onClick={() => setEdited(name)}
                >
                  Edit
                </button>
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </>
  );
}

async function showFrame(account = ADMIN) {
  const routes = [
    { path: '*', element: <AdminLayout />, children: [{ path: '*', Component: Place }] },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/admin/quizzes'] });
  return render(
    <SessionContext value={sessionOf(account)}>
      <RouterProvider router={router} />
    </SessionContext>,
  );
}

const place = () => page.getByTestId('place').element().textContent;
const options = () =>
  page
    .getByRole('option')
    .elements()
    .map((option) => wordsIn(option));

test('finds assessments without accents and in any order, people and questions, and opens one', async () => {
  const searched = served();
  await showFrame();
  await userEvent.keyboard('{Control>}k{/Control}');
  const box = page.getByRole('combobox', { name: 'Search and commands' });
  await expect.element(box).toHaveFocus();
  await box.fill('protocoles reseaux');
  await expect.poll(() => options()[0]).toContain('Réseaux et protocoles');
  expect(options().join()).not.toContain('Statistics');
  await box.fill('ada');
  await expect.poll(options).toEqual(['Ada Lovelace ada@example.org', 'What is ada?']);
  expect(searched).toContain('/api/people ada');
  expect(searched).toContain('/api/questions ada');
  await userEvent.keyboard('{Enter}');
  await expect.poll(place).toMatch(/^.admin.people.ada /);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('offers pages and actions, and no one more than they may do', async () => {
  served();
  const { unmount } = await showFrame();
  await page.getByRole('button', { name: 'Search and commands' }).first().click();
  await expect.poll(() => options().join()).toContain('Create an assessment');
  const all = options();
  expect(all).toContain('Audit log Settings');
  expect(all).toContain('Import people');
  await page.getByRole('combobox').fill('create');
  await userEvent.keyboard('{Enter}');
  await expect.poll(place).toMatch(/create/);
  await unmount();

  await showFrame({ ...ADMIN, grants: [{ role: 'reviewer', quizId: 'q1' }] });
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.poll(() => options().join()).toContain('Your account');
  expect(options().join()).not.toMatch(/Create an|Import|Audit log|Categories|Write a question/);
});

test('letters go to pages, rows and the search, but not while something is typed or switched off', async () => {
  served();
  await showFrame();
  await userEvent.keyboard('j');
  await expect.element(page.getByRole('checkbox', { name: 'Select One' })).toHaveFocus();
  await userEvent.keyboard('jx');
  await expect.element(page.getByRole('checkbox', { name: 'Select Two' })).toBeChecked();
  await userEvent.keyboard('e');
  await expect.poll(place).toMatch(/Two$/);
  await userEvent.keyboard('k/');
  const search = page.getByRole('searchbox');
  await expect.element(search).toHaveFocus();
  await userEvent.keyboard('gp?');
  await expect.element(search).toHaveValue('gp?');
  await expect.poll(place).toMatch(/^.admin.quizzes /);
  (document.activeElement as HTMLElement).blur();
  await userEvent.keyboard('gp');
  await expect.poll(place).toMatch(/^.admin.people /);

  await userEvent.keyboard('?');
  const letters = page.getByRole('checkbox', { name: /^Use keys that are letters/ });
  await expect.element(letters).toBeChecked();
  expect(wordsIn(page.getByRole('dialog'))).toContain('g a Go to Assessments');
  await letters.click();
  await userEvent.keyboard('{Escape}ga');
  await expect.poll(place).toMatch(/^.admin.people /);
  letterKeys.remove();
});
