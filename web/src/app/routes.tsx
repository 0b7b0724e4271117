import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { AdminOnly, Home, QuizMoment, SignedOutOnly } from './guards.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';
import { ScreenLoading } from './session-notices.tsx';

/** A screen in its own chunk, by export name. */
function screen<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazy(async () => ({ default: (await load())[name] }));
}

const LoginScreen = screen(() => import('../public/login/login-screen.tsx'), 'LoginScreen');

const ResetPasswordScreen = screen(
  () => import('../public/login/reset-password-screen.tsx'),
  'ResetPasswordScreen',
);

const quiz = {
  AttemptLayout: screen(() => import('../candidate/test/attempt-layout.tsx'), 'AttemptLayout'),
  Instructions: screen(
    () => import('../candidate/entry/instructions-screen.tsx'),
    'InstructionsScreen',
  ),
  Permissions: screen(
    () => import('../candidate/device-check/permissions-screen.tsx'),
    'PermissionsScreen',
  ),
  Assessment: screen(() => import('../candidate/test/assessment-screen.tsx'), 'AssessmentScreen'),
  Review: screen(() => import('../candidate/test/review-screen.tsx'), 'ReviewScreen'),
  ThankYou: screen(() => import('../candidate/outcome/thank-you-screen.tsx'), 'ThankYouScreen'),
  Dismissed: screen(() => import('../candidate/outcome/dismissed-screen.tsx'), 'DismissedScreen'),
  Expired: screen(() => import('../candidate/outcome/expired-screen.tsx'), 'ExpiredScreen'),
  CompletedNotice: screen(
    () => import('../candidate/outcome/completed-notice-screen.tsx'),
    'CompletedNoticeScreen',
  ),
};

const ReceiptScreen = screen(() => import('../public/receipt/receipt-screen.tsx'), 'ReceiptScreen');

const admin = {
  Layout: screen(() => import('./frame/admin-layout.tsx'), 'AdminLayout'),
  Dashboard: screen(() => import('../admin/dashboard/dashboard-screen.tsx'), 'DashboardScreen'),
  Quizzes: screen(() => import('../admin/assessments/list/quizzes-screen.tsx'), 'QuizzesScreen'),
  Bank: screen(() => import('../admin/bank/bank-screen.tsx'), 'BankScreen'),
  Import: screen(() => import('../admin/bank/import/import-screen.tsx'), 'ImportScreen'),
  Sections: screen(
    () => import('../admin/assessments/sections/sections-screen.tsx'),
    'SectionsScreen',
  ),
  Invitations: screen(
    () => import('../admin/invitations/page/invitations-screen.tsx'),
    'InvitationsScreen',
  ),
  QuestionEditor: screen(
    () => import('../admin/questions/editor/editor-screen.tsx'),
    'QuestionEditorScreen',
  ),
  Participants: screen(
    () => import('../admin/participants/participants-screen.tsx'),
    'ParticipantsScreen',
  ),
  ParticipantRecord: screen(
    () => import('../admin/record/screen/participant-record-screen.tsx'),
    'ParticipantRecordScreen',
  ),
  Live: screen(() => import('../admin/live/live-screen.tsx'), 'LiveScreen'),
  Categories: screen(() => import('../admin/categories/categories-screen.tsx'), 'CategoriesScreen'),
  Settings: screen(() => import('../admin/settings/settings-screen.tsx'), 'SettingsScreen'),
  SetUpTotp: screen(
    () => import('../admin/settings/two-step/set-up-totp-screen.tsx'),
    'SetUpTotpScreen',
  ),
};

/** The whole route table (seed 2), lazy per area: a candidate never loads an administrator's code. */
export function AppRoutes() {
  return (
    <Suspense fallback={<ScreenLoading />}>
      <Routes>
        <Route index element={<Home />} />
        <Route element={<SignedOutOnly />}>
          <Route path="login" element={<LoginScreen />} />
        </Route>
        <Route path="assessment-completed" element={<quiz.CompletedNotice />} />
        <Route path="receipt" element={<ReceiptScreen />} />
        <Route path="reset-password" element={<ResetPasswordScreen />} />
        <Route path="quiz/expired" element={<quiz.Expired />} />
        <Route element={<QuizMoment />}>
          <Route path="quiz/instructions" element={<quiz.Instructions />} />
          <Route path="quiz/permissions" element={<quiz.Permissions />} />
          <Route element={<quiz.AttemptLayout />}>
            <Route path="quiz/assessment" element={<quiz.Assessment />} />
            <Route path="quiz/review" element={<quiz.Review />} />
          </Route>
          <Route path="quiz/thankyou" element={<quiz.ThankYou />} />
          <Route path="quiz/dismissed" element={<quiz.Dismissed />} />
        </Route>
        <Route path="admin" element={<AdminOnly setUpTotp={<admin.SetUpTotp />} />}>
          <Route element={<admin.Layout />}>
            <Route index element={<admin.Dashboard />} />
            <Route path="dashboard" element={<admin.Dashboard />} />
            <Route path="quizzes" element={<admin.Quizzes />} />
            <Route path="quizzes/:id/invitations" element={<admin.Invitations />} />
            <Route path="quizzes/:id/sections" element={<admin.Sections />} />
            <Route path="questions" element={<admin.Bank />} />
            <Route path="questions/:id" element={<admin.QuestionEditor />} />
            <Route path="questions/import" element={<admin.Import />} />
            <Route path="participants" element={<admin.Participants />} />
            <Route path="participants/:id" element={<admin.ParticipantRecord />} />
            <Route path="live" element={<admin.Live />} />
            <Route path="categories" element={<admin.Categories />} />
            <Route path="settings/:tab?" element={<admin.Settings />} />
          </Route>
        </Route>
        <Route path="*" element={<NotFoundScreen />} />
      </Routes>
    </Suspense>
  );
}
