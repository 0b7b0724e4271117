import type { PaperQuestion } from '@invigil/core/contract/assessments/question-list';
import { getPreviewPaper } from '@invigil/core/contract/assessments/quizzes';
import { t } from '@invigil/core/texts/i18n';
import { LogOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { useSession } from '../lib/person/session.tsx';
import { callEndpoint, sentenceOf } from '../net/api.ts';
import { PreviewBar, PreviewPaper } from '../question-view/preview-paper.tsx';
import { Button } from '../ui/button.tsx';
import { FailureNotice } from '../ui/failure-notice.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';

/** /quiz/preview: a paper, for an administrator who signed in with a test invitation. */
export function PreviewScreen() {
  const { account, signOut } = useSession();
  const [, navigate] = useLocation();
  const [paper, setPaper] = useState<readonly PaperQuestion[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [tries, setTries] = useState(0);
  const isPreview = account?.preview === true;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads again
  useEffect(() => {
    if (!isPreview) return;
    setProblem(null);
    callEndpoint(getPreviewPaper, {}).then(setPaper, (error) => setProblem(sentenceOf(error)));
  }, [isPreview, tries]);
  if (!isPreview || account.quiz === null) return <Redirect to="/" replace />;
  const leave = () => void signOut().then(() => navigate('/login'));
  return (
    <>
      <title>{`${t(/* title of the page */ 'preview.page', 'Preview')} · Invigil`}</title>
      <PreviewBar quiz={account.quiz}>
        <Button size="dense" icon={<LogOut />} onClick={leave}>
          {t(/* a button */ 'preview.signOut', 'Sign out')}
        </Button>
      </PreviewBar>
      {problem !== null ? (
        <main className="mx-auto max-w-192 p-5">
          <FailureNotice
            title={t('preview.none', 'No preview')}
            onRetry={() => setTries(tries + 1)}
            retrying={false}
          >
            {problem}
          </FailureNotice>
        </main>
      ) : paper === null ? (
        <main className="mx-auto max-w-192 p-5">
          <SkeletonRows>{t('preview.loading', 'Loading questions...')}</SkeletonRows>
        </main>
      ) : (
        <PreviewPaper paper={paper} negativeMarks={account.quiz.negativeMarks} onClose={leave} />
      )}
    </>
  );
}
