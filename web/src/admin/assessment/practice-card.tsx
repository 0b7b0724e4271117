import { type PracticeSetting, setPractice } from '@invigil/core/contract/assessments/practice';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { checkInviting } from '@invigil/core/contract/invitations/invitations';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { callEndpoint } from '../../net/api.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.ts';
import { quizQuery, storeQuiz, useMayOnQuiz, useQuizzes } from '../data/assessments.ts';
import { showFailure } from '../data/show-failure.ts';
import { ConfirmAction } from '../parts/dialogs.tsx';

export const practiceText = () =>
  t(/* noun: an assessment to practice with; a badge and a heading */ 'practice.title', 'Practice');

/** The address of a practice assessment; for others, the one that they name, and how to become one. */
export function PracticeCard({ quiz }: { quiz: Quiz }) {
  const mayEdit = useMayOnQuiz(quiz)('quizzes.edit');
  return (
    <Card title={practiceText()}>
      <div className="grid gap-4 px-5 py-4">
        {quiz.asPractice === undefined ? (
          <OrdinaryAssessment quiz={quiz} />
        ) : (
          <PracticeAssessment quiz={quiz} token={quiz.asPractice.token} mayEdit={mayEdit} />
        )}
      </div>
    </Card>
  );
}

/** Changes the setting; a dry run says only what follows. */
function useSetPractice(quiz: Quiz) {
  const client = useQueryClient();
  const before = { isPractice: quiz.asPractice !== undefined, practiceQuizId: namedBy(quiz) };
  return useMutation({
    mutationFn: (wanted: PracticeSetting & { dryRun?: true }) =>
      callEndpoint(setPractice, {
        params: { id: quiz.id },
        body: { dryRun: false, ...wanted, before },
      }),
    onSuccess: (done, { dryRun }) => (dryRun ? undefined : storeQuiz(client, done.quiz)),
    // Someone else may have changed it.
    onError: () => client.invalidateQueries({ queryKey: quizQuery(quiz.id).queryKey }),
  });
}

const namedBy = ({ practice }: Quiz) => practice?.quizId ?? null;

function OrdinaryAssessment({ quiz }: { quiz: Quiz }) {
  const [isAsking, setAsking] = useState(false);
  const [askedBy, setAskedBy] = useState(0);
  const set = useSetPractice(quiz);
  const ask = () =>
    set.mutate(MARKED, {
      onSuccess: (follows) => {
        setAskedBy(follows.askedBy);
        setAsking(true);
      },
      onError: (error) => showFailure(markFailedText(), error),
    });
  return (
    <>
      <PracticeChoice quiz={quiz} />
      <p className="text-ink-2">
        {t(
          /* this: an assessment */ 'assessment.practice.about',
          'Or make this one a practice assessment: anyone with its address can answer its questions as often as they like, and sees at once what is right. Nothing of it is stored.',
        )}
      </p>
      <Button className="justify-self-start" onClick={ask}>
        {t(/* a button */ 'assessment.practice.make', 'Make it a practice assessment')}
      </Button>
      {isAsking && (
        <ConfirmAction
          title={t('assessment.practice.make.title', 'Make it a practice assessment?')}
          confirmLabel={t(
            /* questions and right answers; a button (verb) */ 'assessment.practice.publish',
            'Make them public',
          )}
          busyLabel={t('portal.saving', 'Saving…')}
          action={set}
          subject={{ isPractice: true, practiceQuizId: null }}
          done={{ title: t('assessment.practice.made', 'It is a practice assessment now') }}
          failed={markFailedText()}
          onClose={() => setAsking(false)}
        >
          <p>
            {t(
              'assessment.practice.warn',
              'Its questions and right answers become public: anyone with the address can read them. No one can be invited to it, and it has no results.',
            )}
          </p>
          {askedBy > 0 && (
            <p className="mt-2 font-medium">
              {t(
                /* other assessments; its: of this assessment */ 'assessment.practice.askedBy',
                '{askedBy, plural, one {# other assessment can ask some of its questions.} other {# other assessments can ask some of its questions.}}',
                { askedBy },
              )}
            </p>
          )}
        </ConfirmAction>
      )}
    </>
  );
}

const MARKED = { isPractice: true, practiceQuizId: null, dryRun: true } as const;
const markFailedText = () =>
  t('assessment.practice.makeFailed', 'It could not be made a practice assessment');

const NONE = '-';

/** The practice assessment that candidates are told of. */
function PracticeChoice({ quiz }: { quiz: Quiz }) {
  const set = useSetPractice(quiz);
  const quizzes = useQuizzes().data ?? [];
  const options = quizzes
    .filter((one) => one.asPractice !== undefined || one.id === quiz.practice?.quizId)
    .map(({ id, title }) => ({ value: id, label: title }));
  return (
    <SelectField
      label={t(
        /* before an assessment; a field */ 'assessment.practice.first',
        'Practice assessment for its candidates',
      )}
      hint={
        quiz.practice !== undefined && quiz.practice.token === undefined
          ? t(
              /* a practice assessment */ 'assessment.practice.unavailable',
              'It is inactive, deleted or no practice assessment any more, so candidates do not see it.',
            )
          : t(
              'assessment.practice.hint',
              'Its address is in their invitation and on the instructions.',
            )
      }
      value={quiz.practice?.quizId ?? NONE}
      onChange={(id) =>
        set.mutate(
          { isPractice: false, practiceQuizId: id === NONE ? null : id },
          {
            onSuccess: () => toast({ title: t('assessment.practice.saved', 'Practice saved') }),
            onError: (error) =>
              showFailure(
                t('assessment.practice.saveFailed', 'Failed to save the practice'),
                error,
              ),
          },
        )
      }
      options={[
        { value: NONE, label: t(/* no practice assessment */ 'assessment.practice.none', 'None') },
        ...options,
      ]}
    />
  );
}

function PracticeAssessment({
  quiz,
  token,
  mayEdit,
}: {
  quiz: Quiz;
  token: string;
  mayEdit: boolean;
}) {
  const set = useSetPractice(quiz);
  const [asking, setAsking] = useState<'new' | 'end' | null>(null);
  // The institution's public address may differ from the one used here.
  const institution = useQuery({
    ...endpointQuery(checkInviting, { params: { id: quiz.id } }),
    enabled: mayEdit,
  });
  const { origin } = new URL(institution.data?.signInUrl ?? location.href);
  const address = `${origin}/practice/${token}`;
  const { namedBy: names = 0 } = quiz.asPractice ?? {};
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => toast({ title: t('assessment.practice.copied', 'Address copied') }),
      (error) => showFailure(t('assessment.practice.copyFailed', 'Failed to copy'), error),
    );
  const close = () => setAsking(null);
  return (
    <>
      <p className="text-ink-2">
        {t(
          'assessment.practice.is',
          'Anyone with this address can practice, and read its questions and right answers. It has no candidates and no results, because nothing is stored.',
        )}
      </p>
      <p className="code wrap-anywhere select-all">{address}</p>
      {!quiz.isOpen && (
        <Notice tone="warn">
          {t(
            'assessment.practice.closed',
            'No one can use it now: it is inactive, or its end date has passed.',
          )}
        </Notice>
      )}
      {names > 0 && <p className="text-ink-2">{namedText(names)}</p>}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          {t(/* a button */ 'assessment.practice.copy', 'Copy address')}
        </Button>
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className={buttonClasses('secondary', 'admin')}
        >
          <ExternalLink className="size-4" />
          {t(/* the page of a practice assessment; a link */ 'assessment.practice.open', 'Open')}
        </a>
        {mayEdit && (
          <>
            <Button onClick={() => setAsking('new')}>
              {t(/* a button: replaces the address */ 'assessment.practice.renew', 'New address')}
            </Button>
            <Button onClick={() => setAsking('end')}>
              {t(/* a button: ends the practice */ 'practice.end', 'End practice')}
            </Button>
          </>
        )}
      </div>
      {asking === 'new' && (
        <ConfirmAction
          title={t('assessment.practice.renew.title', 'Make a new address?')}
          confirmLabel={t(
            /* a button: replaces the address */ 'assessment.practice.renew',
            'New address',
          )}
          busyLabel={t('portal.saving', 'Saving…')}
          action={set}
          subject={{ isPractice: true, practiceQuizId: null }}
          done={{ title: t('assessment.practice.renewed', 'It has a new address') }}
          failed={t('assessment.practice.saveFailed', 'Failed to save the practice')}
          onClose={close}
        >
          {t(
            /* addresses of a practice assessment; those: invitations */ 'assessment.practice.renew.text',
            'The present one stops working, also in invitations that were sent. Pages of assessments that name it link to the new one.',
          )}
        </ConfirmAction>
      )}
      {asking === 'end' && (
        <ConfirmAction
          title={t('assessment.practice.end.title', 'End practice with this assessment?')}
          confirmLabel={t(/* a button: ends the practice */ 'practice.end', 'End practice')}
          busyLabel={t('portal.saving', 'Saving…')}
          action={set}
          subject={{ isPractice: false, practiceQuizId: null }}
          done={{ title: t('assessment.practice.ended', 'It is an ordinary assessment now') }}
          failed={t('assessment.practice.saveFailed', 'Failed to save the practice')}
          onClose={close}
        >
          <p>
            {t(
              'assessment.practice.end.text',
              'Its address stops working. It becomes an ordinary assessment, whose questions and right answers people may know.',
            )}
          </p>
          {names > 0 && <p className="mt-2 font-medium">{namedText(names)}</p>}
        </ConfirmAction>
      )}
    </>
  );
}

/** How many assessments link to a practice assessment. */
export const namedText = (count: number) =>
  t(
    /* it: a practice assessment */ 'assessment.practice.named',
    '{count, plural, one {# assessment tells its candidates of it.} other {# assessments tell their candidates of it.}}',
    { count },
  );
