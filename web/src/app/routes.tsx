import { Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { AttemptOnly, Home, SignedOutOnly } from './guards.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';
import { screen } from './screen.ts';
import { ScreenLoading } from './session-notices.tsx';

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

const AdminRoutes = screen(() => import('./admin-routes.tsx'), 'AdminRoutes');

/**
 * The route table (specification 2), lazy per area: a candidate never loads an administrator's code, nor the list
 * of its files.
 */
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
        <Route element={<AttemptOnly />}>
          <Route path="quiz/instructions" element={<quiz.Instructions />} />
          <Route path="quiz/permissions" element={<quiz.Permissions />} />
          <Route element={<quiz.AttemptLayout />}>
            <Route path="quiz/assessment" element={<quiz.Assessment />} />
            <Route path="quiz/review" element={<quiz.Review />} />
          </Route>
          <Route path="quiz/thankyou" element={<quiz.ThankYou />} />
          <Route path="quiz/dismissed" element={<quiz.Dismissed />} />
        </Route>
        <Route path="admin/*" element={<AdminRoutes />} />
        <Route path="*" element={<NotFoundScreen />} />
      </Routes>
    </Suspense>
  );
}
