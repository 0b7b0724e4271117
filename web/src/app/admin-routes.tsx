import { valueProblemText } from '@invigil/core/contract/definition/value-problems';
import { type ReactNode, useEffect, useState } from 'react';
import { createBrowserRouter, createRoutesFromElements, Route, RouterProvider } from 'react-router';
import { config } from 'zod';
import { Permitted } from '../admin/parts/permitted.tsx';
import { useLanguage } from '../lib/language.ts';
import { AdminOnly } from './guards.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';
import { screen as lateScreen } from './screen.ts';

// Forms of candidates' screens have a sentence for each of their problems.
config({ customError: valueProblemText });

/** Routes are made once: nothing above a screen draws it again in another language. */
const screen: typeof lateScreen = (load, name) => {
  const Late = lateScreen(load, name);
  return ({ children }) => <InLanguage draw={() => <Late>{children}</Late>} />;
};

function InLanguage({ draw }: { draw(): ReactNode }) {
  useLanguage();
  return draw();
}

const admin = {
  Layout: screen(() => import('./frame/admin-layout.tsx'), 'AdminLayout'),
  Dashboard: screen(() => import('../admin/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
  Quizzes: screen(() => import('../admin/quizzes-screen.tsx'), 'QuizzesScreen'),
  Bank: screen(() => import('../admin/questions/bank/bank-screen.tsx'), 'BankScreen'),
  Import: screen(() => import('../admin/questions/import/import-screen.tsx'), 'ImportScreen'),
  Quiz: screen(() => import('../admin/quiz-screen.tsx'), 'QuizScreen'),
  QuestionEditor: screen(
    () => import('../admin/questions/editor/question-editor-screen.tsx'),
    'QuestionEditorScreen',
  ),
  Participants: screen(
    () => import('../admin/attempts/list/participants-screen.tsx'),
    'ParticipantsScreen',
  ),
  ParticipantRecord: screen(
    () => import('../admin/attempts/record/screen/participant-record-screen.tsx'),
    'ParticipantRecordScreen',
  ),
  People: screen(() => import('../admin/people/roster/people-screen.tsx'), 'PeopleScreen'),
  ImportPeople: screen(
    () => import('../admin/people/roster/import-people-screen.tsx'),
    'ImportPeopleScreen',
  ),
  Person: screen(() => import('../admin/people/roster/person-screen.tsx'), 'PersonScreen'),
  Live: screen(() => import('../admin/attempts/live/live-screen.tsx'), 'LiveScreen'),
  Categories: screen(
    () => import('../admin/installation/categories-screen.tsx'),
    'CategoriesScreen',
  ),
  Guide: screen(() => import('../admin/dashboard/guide-screen.tsx'), 'GuideScreen'),
  Account: screen(
    () => import('../admin/installation/account/account-screen.tsx'),
    'AccountScreen',
  ),
  Settings: screen(
    () => import('../admin/installation/settings/settings-screen.tsx'),
    'SettingsScreen',
  ),
  SetUpTotp: screen(
    () => import('../admin/installation/account/totp-set-up.tsx'),
    'SetUpTotpScreen',
  ),
};

const ROUTES = createRoutesFromElements(
  <>
    <Route
      path="/admin"
      element={
        <AdminOnly setUpTotp={<admin.SetUpTotp />}>
          <admin.Layout />
        </AdminOnly>
      }
    >
      <Route index element={<admin.Dashboard />} />
      <Route path="dashboard" element={<admin.Dashboard />} />
      <Route path="quizzes" element={<admin.Quizzes />} />
      <Route path="quizzes/:id/:tab?" element={<admin.Quiz />} />
      <Route element={<Permitted page="questions" />}>
        <Route path="questions" element={<admin.Bank />} />
        <Route path="questions/:id" element={<admin.QuestionEditor />} />
        <Route path="questions/import" element={<admin.Import />} />
      </Route>
      <Route element={<Permitted page="participants" />}>
        <Route path="participants" element={<admin.Participants />} />
        <Route path="participants/:id" element={<admin.ParticipantRecord />} />
      </Route>
      <Route element={<Permitted page="people" />}>
        <Route path="people" element={<admin.People />} />
        <Route path="people/:id" element={<admin.Person />} />
      </Route>
      <Route element={<Permitted page="peopleImport" />}>
        <Route path="people/import" element={<admin.ImportPeople />} />
      </Route>
      <Route element={<Permitted page="live" />}>
        <Route path="live" element={<admin.Live />} />
      </Route>
      <Route element={<Permitted page="categories" />}>
        <Route path="categories" element={<admin.Categories />} />
      </Route>
      <Route path="guide/:name?" element={<admin.Guide />} />
      <Route path="account" element={<admin.Account />} />
      <Route element={<Permitted page="settings" />}>
        <Route path="settings/:tab?" element={<admin.Settings />} />
      </Route>
    </Route>
    <Route path="*" element={<NotFoundScreen />} />
  </>,
);

/** Everything under /admin. */
export function AdminRoutes() {
  const [router, setRouter] = useState<ReturnType<typeof createBrowserRouter> | null>(null);
  useEffect(() => {
    const created = createBrowserRouter(ROUTES);
    setRouter(created);
    return () => created.dispose();
  }, []);
  return router && <RouterProvider router={router} />;
}
