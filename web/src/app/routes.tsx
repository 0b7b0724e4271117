import { Suspense, useDeferredValue } from 'react';
import { Route, Router, Switch } from 'wouter';
import { useBrowserLocation } from 'wouter/use-browser-location';
import { needTexts, withTexts } from '../lib/language.ts';
import { AttemptOnly, ExpiredOnly, Home, SignedOutOnly } from './guards.tsx';
import { NotFoundScreen } from './not-found-screen.tsx';
import { screen, screenInRegion } from './screen.ts';
import { LateScreen, ScreenLoading } from './session-notices.tsx';

/** A screen beside the test. */
const beside: typeof screen = (load, name) => screen(withTexts(load), name);

const LoginScreen = beside(() => import('../public/login/login-screen.tsx'), 'LoginScreen');

const ResetPasswordScreen = beside(
  () => import('../public/login/reset-password-screen.tsx'),
  'ResetPasswordScreen',
);

const fetchDeviceCheck = () => import('../candidate/device-check/permissions-screen.tsx');

const fetchAssessment = () => import('../candidate/test/assessment-screen.tsx');

const quiz = {
  AttemptLayout: screen(async () => {
    // The first question is shown as soon as the paper is here.
    fetchAssessment().catch(() => undefined);
    return import('../candidate/test/attempt-layout.tsx');
  }, 'AttemptLayout'),
  Instructions: beside(async () => {
    // It comes while the instructions are read: when they are left, the connection may be down.
    fetchDeviceCheck().catch(() => undefined);
    return import('../candidate/entry/instructions-screen.tsx');
  }, 'InstructionsScreen'),
  Permissions: beside(fetchDeviceCheck, 'PermissionsScreen'),
  Assessment: screenInRegion(fetchAssessment, 'AssessmentScreen'),
  Review: screenInRegion(
    withTexts(() => import('../candidate/test/review-screen.tsx')),
    'ReviewScreen',
  ),
  Preview: beside(() => import('../candidate/preview-screen.tsx'), 'PreviewScreen'),
  ThankYou: beside(() => import('../candidate/outcome/thank-you-screen.tsx'), 'ThankYouScreen'),
  Dismissed: beside(() => import('../candidate/outcome/dismissed-screen.tsx'), 'DismissedScreen'),
  Expired: beside(() => import('../candidate/outcome/expired-screen.tsx'), 'ExpiredScreen'),
  Result: beside(() => import('../candidate/outcome/result-screen.tsx'), 'ResultScreen'),
  CompletedNotice: beside(
    () => import('../candidate/outcome/completed-notice-screen.tsx'),
    'CompletedNoticeScreen',
  ),
};

const ReceiptScreen = beside(() => import('../public/receipt-screen.tsx'), 'ReceiptScreen');

const VerifyScreen = beside(() => import('../public/verify-screen.tsx'), 'VerifyScreen');

const CheckScreen = beside(
  () => import('../candidate/device-check/check-screen.tsx'),
  'CheckScreen',
);

const AdminRoutes = screen(async () => {
  const [{ AdminRoutes: Routes }] = await Promise.all([
    import('./admin-routes.tsx'),
    needTexts('candidate', 'portal'),
  ]);
  return { AdminRoutes: Routes };
}, 'AdminRoutes');

const PracticeScreen = beside(
  () => import('../candidate/practice/practice-screen.tsx'),
  'PracticeScreen',
);

const IN_ATTEMPT =
  /^\/quiz\/(?:instructions|permissions|assessment|review|thankyou|dismissed|result)\/?$/i;

/**
 * The route table (specification 2), lazy per area: a candidate never loads an administrator's code, nor the
 * list of its files, nor its router. The administrator's side has one of 30 KB that can hold a navigation back
 * (`useBlocker`); this one has 2 KB.
 */
export function AppRoutes() {
  return (
    <Router hook={useDeferredLocation}>
      <LateScreen />
      <Suspense fallback={<ScreenLoading />}>
        <Switch>
          <Route path="/" component={Home} />
          <Route path="/login">
            <SignedOutOnly>
              <LoginScreen />
            </SignedOutOnly>
          </Route>
          <Route path="/assessment-completed" component={quiz.CompletedNotice} />
          <Route path="/check" component={CheckScreen} />
          <Route path="/practice/:token" component={PracticeScreen} />
          <Route path="/receipt" component={ReceiptScreen} />
          <Route path="/verify" component={VerifyScreen} />
          <Route path="/reset-password" component={ResetPasswordScreen} />
          <Route path="/quiz/expired">
            <ExpiredOnly>
              <quiz.Expired />
            </ExpiredOnly>
          </Route>
          <Route path="/quiz/preview" component={quiz.Preview} />
          <Route path={IN_ATTEMPT}>
            <AttemptOnly>
              <Switch>
                <Route path="/quiz/instructions" component={quiz.Instructions} />
                <Route path="/quiz/permissions" component={quiz.Permissions} />
                <Route path="/quiz/thankyou" component={quiz.ThankYou} />
                <Route path="/quiz/dismissed" component={quiz.Dismissed} />
                <Route path="/quiz/result" component={quiz.Result} />
                <Route>
                  <quiz.AttemptLayout>
                    <Switch>
                      <Route path="/quiz/assessment" component={quiz.Assessment} />
                      <Route path="/quiz/review" component={quiz.Review} />
                    </Switch>
                  </quiz.AttemptLayout>
                </Route>
              </Switch>
            </AttemptOnly>
          </Route>
          <Route path="/admin/*?" component={AdminRoutes} />
          <Route component={NotFoundScreen} />
        </Switch>
      </Suspense>
    </Router>
  );
}

/** A screen stays until the code of the next one is here. */
function useDeferredLocation(): ReturnType<typeof useBrowserLocation> {
  const [path, navigate] = useBrowserLocation();
  return [useDeferredValue(path), navigate];
}
