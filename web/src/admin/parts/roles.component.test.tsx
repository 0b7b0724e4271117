import type { Grant, Role } from '@invigil/core/domain/rights';
import { Route, Routes } from 'react-router';
import { expect, test } from 'vitest';
import { AdminNav } from '../../app/frame/admin-nav.tsx';
import { ADMIN } from '../../testing/fixtures.ts';
import { wordsOf } from '../../testing/shown.tsx';
import { grantLines } from '../data/role-words.ts';
import { Permitted } from './permitted.tsx';

const as = (...grants: Grant[]) => ({ account: { ...ADMIN, grants } });

test.each<[Role, string]>([
  ['owner', 'Dashboard Assessments Questions Participants People Categories Settings'],
  ['author', 'Dashboard Assessments Questions Categories'],
  ['invigilator', 'Dashboard Assessments People'],
  ['reviewer', 'Dashboard Assessments Participants People'],
  ['analyst', 'Dashboard Assessments'],
  ['support', 'Dashboard Assessments People Settings'],
])('the navigation of an %s', async (role, words) => {
  expect(await wordsOf(<AdminNav />, as({ role }))).toBe(words);
});

test('a role in one assessment opens its pages, but not the settings', async () => {
  const account = as({ role: 'reviewer', quizId: 'q' }, { role: 'owner', quizId: 'q' });
  expect(await wordsOf(<AdminNav />, account)).toBe(
    'Dashboard Assessments Questions Participants People Categories',
  );
});

test('a page of others says whose it is and who can help', async () => {
  const routes = (
    <Routes>
      <Route element={<Permitted page="participants" />}>
        <Route path="/" element={<p>Every attempt</p>} />
      </Route>
    </Routes>
  );
  expect(await wordsOf(routes, as({ role: 'author' }))).toBe(
    'Participants This page is not part of your roles ' +
      'Only owners and reviewers may read attempts. An owner can give you a role. See your roles',
  );
  expect(await wordsOf(routes, as({ role: 'reviewer', quizId: 'q' }))).toBe('Every attempt');
});

test('roles in words, those with one place together', () => {
  const names = { quizzes: new Map([['q', 'Networks']]), categories: new Map([['c', 'Law']]) };
  const grants: Grant[] = [
    { role: 'support', categoryId: 'c' },
    { role: 'author', categoryId: 'c' },
    { role: 'reviewer' },
    { role: 'analyst', quizId: 'q' },
    { role: 'analyst', quizId: 'gone' },
  ];
  expect(grantLines(grants, names)).toEqual([
    'Author and Support in the category Law',
    'Reviewer everywhere',
    'Analyst in Networks',
    'Analyst in another assessment',
  ]);
  // Names are in isolates, or the words around them would change places.
  const law = { ...names, categories: new Map([['c', 'قانون']]) };
  const line = 'Support in the category \u2068قانون\u2069';
  expect(grantLines([{ role: 'support', categoryId: 'c' }], law)).toEqual([line]);
});
