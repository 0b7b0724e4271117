import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { previewQuiz } from '@invigil/core/contract/assessments/quizzes';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { RefreshCw, X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { endpointQuery } from '../../../net/endpoint-query.ts';
import { PreviewBar, PreviewPaper } from '../../../question-view/preview-paper.tsx';
import { Button } from '../../../ui/button.tsx';
import { useReturnFocus } from '../../../ui/dialogs/use-return-focus.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { LoadFailure } from '../../parts/failures.tsx';

export function PreviewQuizDialog({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const paper = useQuery({
    ...endpointQuery(previewQuiz, { params: { id: quiz.id } }),
    // Each opening draws another paper.
    gcTime: 0,
  });
  return (
    <FullScreenDialog
      title={t(/* title: of an assessment */ 'assessments.preview.title', 'Preview of {title}', {
        title: isolated(quiz.title),
      })}
      onClose={onClose}
    >
      <PreviewBar quiz={quiz}>
        <Button
          size="dense"
          className="max-sm:hidden"
          icon={<RefreshCw />}
          busy={
            paper.isFetching &&
            t(
              /* a paper, at random; on the button */ 'assessments.preview.generating',
              'Generating…',
            )
          }
          onClick={() => void paper.refetch()}
        >
          {t(
            /* draws other questions; a button */ 'assessments.preview.another',
            'Generate another paper',
          )}
        </Button>
        <IconButton
          label={t(
            /* draws other questions; a button */ 'assessments.preview.another',
            'Generate another paper',
          )}
          side="bottom"
          className="sm:hidden"
          onClick={() => void paper.refetch()}
        >
          <RefreshCw />
        </IconButton>
        <IconButton
          label={t('assessments.preview.close', 'Close preview')}
          side="bottom"
          onClick={onClose}
        >
          <X />
        </IconButton>
      </PreviewBar>
      {paper.isError ? (
        <main className="mx-auto max-w-192 p-5">
          <LoadFailure title={t('assessments.preview.failed', 'No preview')} read={paper} />
        </main>
      ) : paper.isPending ? (
        <main className="mx-auto max-w-192 p-5">
          <SkeletonRows>{t('portal.loadingQuestions', 'Loading questions...')}</SkeletonRows>
        </main>
      ) : (
        // A new draw starts at its first question without answers.
        <PreviewPaper
          key={paper.dataUpdatedAt}
          paper={paper.data}
          negativeMarks={quiz.negativeMarks}
          onClose={onClose}
        />
      )}
    </FullScreenDialog>
  );
}

/** A dialog that fills the page and scrolls like one. Escape closes it. */
function FullScreenDialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose(): void;
  children: ReactNode;
}) {
  const focus = useReturnFocus();
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={focus.remember}
          onCloseAutoFocus={focus.giveBack}
          className="fixed inset-0 z-40 overflow-y-auto bg-canvas outline-none"
        >
          <Radix.Title className="sr-only">{title}</Radix.Title>
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
