import {
  countKeyReaders,
  type Elsewhere,
  getReleases,
  listElsewhere,
  type Releases,
} from '@invigil/core/contract/review/releases';
import { getQuizStatistics } from '@invigil/core/contract/review/statistics';
import { latePartsOf, type ReleasedPart } from '@invigil/core/domain/results/release';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { zoneName } from '../../lib/format.ts';
import { momentText } from '../../lib/moment-text.ts';
import { endpointQuery } from '../../net/endpoint-query.ts';
import { AlertDialog } from '../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Trans } from '../../ui/trans.tsx';
import { editorOf } from '../data/questions.ts';
import { useRelease } from '../data/releases.ts';

/*
 * The consequences of a release, and of letting someone start after right answers were shown, said before it is
 * done.
 */

export const keyAfterEnd = (): string =>
  t(
    /* when answers are shown */ 'parts.release.keyAfterEnd',
    'Only after the end: once no one can start or is under way',
  );

/** Says who could learn answers from others; null: no one can start, and no one is under way. */
function openText({ open, timeZone }: Pick<Releases, 'open' | 'timeZone'>): string | null {
  const { canStart: people, running } = open;
  if (open.until === null) {
    if (people > 0 && running > 0) {
      return t(
        'parts.release.open.both',
        '{people, plural, one {# person can still start} other {# people can still start}} and {running, plural, one {# attempt is under way} other {# attempts are under way}}.',
        { people, running },
      );
    }
    if (people > 0) {
      return t(
        'parts.release.open.people',
        '{people, plural, one {# person can still start.} other {# people can still start.}}',
        { people },
      );
    }
    return running === 0 ? null : runningText(running);
  }
  const until = momentText(open.until, timeZone, zoneName());
  if (people > 0 && running > 0) {
    return t(
      'parts.release.open.bothUntil',
      '{people, plural, one {# person can still start} other {# people can still start}} and {running, plural, one {# attempt is under way} other {# attempts are under way}}, until {until}.',
      { people, running, until },
    );
  }
  if (people > 0) {
    return t(
      'parts.release.open.peopleUntil',
      '{people, plural, one {# person can still start, until {until}.} other {# people can still start, until {until}.}}',
      { people, until },
    );
  }
  return running === 0
    ? null
    : t(
        'parts.release.open.runningUntil',
        '{running, plural, one {# attempt is under way, until {until}.} other {# attempts are under way, until {until}.}}',
        { running, until },
      );
}

const runningText = (running: number): string =>
  t(
    'parts.release.open.running',
    '{running, plural, one {# attempt is under way.} other {# attempts are under way.}}',
    { running },
  );

/** '2 people have not started and 1 attempt is under way.'; null: no one. */
function unfinishedText(people: number, running: number): string | null {
  if (people > 0 && running > 0) {
    return t(
      'parts.release.unfinished.both',
      '{people, plural, one {# person has not started} other {# people have not started}} and {running, plural, one {# attempt is under way} other {# attempts are under way}}.',
      { people, running },
    );
  }
  if (people > 0) {
    return t(
      'parts.release.unfinished.people',
      '{people, plural, one {# person has not started.} other {# people have not started.}}',
      { people },
    );
  }
  return running === 0 ? null : runningText(running);
}

/** Warns that people who can still start could learn answers from those who read them. */
export function KeyRisk({ releases }: { releases: Pick<Releases, 'open' | 'timeZone'> }) {
  const open = openText(releases);
  if (open === null) return null;
  return (
    <Notice tone="warn" icon={<TriangleAlert />} title={open}>
      {t(
        /* they: candidates who can still start */ 'parts.release.risk',
        'They could learn questions and answers from candidates who read them.',
      )}
    </Notice>
  );
}

/** Releases results: of all that nothing is open about, or of some attempts, with what follows from it. */
export function ReleaseDialog({
  quizId,
  ids,
  title,
  onClose,
  onDone,
  children,
}: {
  quizId: string;
  ids: readonly string[] | 'all';
  title: string;
  onClose(): void;
  onDone?(): void;
  children: ReactNode;
}) {
  const read = useQuery(endpointQuery(getReleases, { params: { id: quizId } }));
  const elsewhere = useQuery(endpointQuery(listElsewhere, { params: { id: quizId } }));
  const release = useRelease(quizId);
  const [holdsKey, setHoldsKey] = useState(true);
  const { data } = read;
  const rules = data?.rules ?? null;
  const tellsAnswers = rules !== null && latePartsOf(rules).length > 0;
  const open = data === undefined ? null : openText(data);
  const asks = tellsAnswers && !rules.keyAfterEnd && open !== null;
  const holdKeyIn = asks && holdsKey ? rules : undefined;
  return (
    <AlertDialog
      open
      title={title}
      confirmLabel={t(/* a button: releases results */ 'parts.release.confirm', 'Release')}
      confirmVariant="primary"
      busy={
        release.isPending
          ? t('parts.release.busy', 'Releasing…')
          : (read.isPending || elsewhere.isPending) && t('portal.checking', 'Checking…')
      }
      onCancel={onClose}
      onConfirm={() =>
        release.mutate({ ids, holdKeyIn }, { onSuccess: () => onDone?.(), onSettled: onClose })
      }
    >
      <div className="grid gap-3">
        <p>{children}</p>
        {data !== undefined && ids === 'all' && data.toReview > 0 && (
          <p>
            {t(
              'parts.release.toReview',
              '{count, plural, one {# of these attempts has events that no one has reviewed.} other {# of these attempts have events that no one has reviewed.}}',
              { count: data.toReview },
            )}
          </p>
        )}
        {data?.certificates && <CertificateProblems {...data.certificates} />}
        {(read.isError || elsewhere.isError) && (
          <p>
            {t(
              'parts.release.riskFailed',
              'It could not be checked who could still learn answers from others.',
            )}
          </p>
        )}
        {asks && data !== undefined && (
          <>
            <KeyRisk releases={data} />
            <Checkbox
              label={t('parts.release.holdKey', 'Show answers and explanations only after the end')}
              hint={t(
                'parts.release.holdKeyHint',
                'Once no one can start or is under way. Candidates are told when.',
              )}
              checked={holdsKey}
              onChange={(event) => setHoldsKey(event.target.checked)}
            />
          </>
        )}
        {elsewhere.data !== undefined && <OtherAssessments {...elsewhere.data} />}
        {rules !== null && <DoubtfulKeys quizId={quizId} parts={rules.parts} />}
        {tellsAnswers && rules.keyAfterEnd && (
          <p>{`${open === null ? '' : `${open} `}${t('parts.release.keyFollows', 'Answers and explanations follow once no one can start or is under way.')}`}</p>
        )}
      </div>
    </AlertDialog>
  );
}

/** Names other assessments that can still be started, and whose papers can have questions of this one. */
function OtherAssessments({ named, others }: Elsewhere) {
  const count = named.length + others;
  if (count === 0) return null;
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert />}
      title={t(
        'parts.release.others',
        '{count, plural, one {# other assessment that can still be started has questions of this one.} other {# other assessments that can still be started have questions of this one.}}',
        { count },
      )}
    >
      <ul className="my-1 grid max-h-32 gap-1 overflow-y-auto">
        {named.map(({ quizId, title, questions }) => (
          <li key={quizId} className="wrap-anywhere">
            <Trans
              id="parts.release.other"
              comment="title: of an assessment"
              message="{count, plural, one {<quiz>{title}</quiz>: # question} other {<quiz>{title}</quiz>: # questions}}"
              values={{ title: isolated(title), count: questions }}
              components={{
                quiz: (
                  <Link to={`/admin/quizzes/${quizId}`} className="underline underline-offset-4" />
                ),
              }}
            />
          </li>
        ))}
        {others > 0 && (
          <li>
            {t(
              'parts.release.othersUnseen',
              '{count, plural, one {# assessment that you cannot see} other {# assessments that you cannot see}}',
              { count: others },
            )}
          </li>
        )}
      </ul>
      {t(
        'parts.release.othersRisk',
        'Their candidates could learn the right answers from those who read them here.',
      )}
    </Notice>
  );
}

/** Names questions whose key the statistics doubt, before what follows from the key is shown. */
function DoubtfulKeys({ quizId, parts }: { quizId: string; parts: readonly ReleasedPart[] }) {
  const statistics = useQuery(
    endpointQuery(getQuizStatistics, { params: { id: quizId }, query: {} }),
  );
  const doubtful = (statistics.data?.questions ?? []).filter(
    ({ suspicions, correction }) => suspicions.includes('key') && correction === undefined,
  );
  if (statistics.isPending)
    return (
      <p role="status">
        {t(
          /* keys: right answers of questions */ 'parts.release.computing',
          'Computing what statistics say of the keys…',
        )}
      </p>
    );
  if (doubtful.length === 0) return null;
  const isShown = parts.includes('key');
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert />}
      title={t(
        /* key: right answers */ 'parts.release.doubtful',
        '{count, plural, one {The key of # question may be wrong.} other {The key of # questions may be wrong.}}',
        { count: doubtful.length },
      )}
    >
      <p className="flex flex-wrap gap-x-3">
        {doubtful.map(({ questionId, number }) => (
          <Link
            key={questionId}
            to={editorOf({ id: questionId, quizId })}
            className="underline underline-offset-4"
          >
            {t(/* the number of a question */ 'parts.release.question', 'Question {number}', {
              number,
            })}
          </Link>
        ))}
      </p>
      {isShown
        ? t(
            /* it: the key of a question */ 'parts.release.doubtfulShown',
            'Candidates would read it as the right answer. Check it in the statistics first.',
          )
        : t(
            /* it: the key of a question */ 'parts.release.doubtfulCounts',
            'The scores count it as right. Check it in the statistics first.',
          )}
    </Notice>
  );
}

/** Names, before certificates are issued, those without a name, and letters that cannot be printed. */
function CertificateProblems({ letters, count, problems }: NonNullable<Releases['certificates']>) {
  if (letters.length === 0 && count === 0) return null;
  const seen = problems.filter(({ userEmail }) => userEmail !== null);
  const title =
    count === 0
      ? t('parts.release.letters', 'Certificates have letters that cannot be printed.')
      : t(
          'parts.release.certificates',
          '{count, plural, one {# certificate lacks a name or letters of it.} other {# certificates lack a name or letters of it.}}',
          { count },
        );
  return (
    <Notice tone="warn" icon={<TriangleAlert />} title={title}>
      {letters.length > 0 && (
        <p>
          {t(
            'parts.release.titleLetters',
            'The title or the name of the institution has letters that cannot be printed: {letters}. Boxes take their place.',
            { letters: letters.join(' ') },
          )}
        </p>
      )}
      {seen.length > 0 && (
        <ul className="my-1 grid max-h-32 gap-1 overflow-y-auto">
          {seen.map((person) => (
            <li key={person.participantId} className="wrap-anywhere">
              <CertificateProblem {...person} />
            </li>
          ))}
          {count > seen.length && (
            <li>
              {t(
                /* further people */ 'parts.release.moreCertificates',
                '{count, plural, one {And # more.} other {And # more.}}',
                { count: count - seen.length },
              )}
            </li>
          )}
        </ul>
      )}
      {count > 0 &&
        t('parts.release.setName', 'Set the name on the page of the person before you release.')}
    </Notice>
  );
}

type CertificateOf = NonNullable<Releases['certificates']>['problems'][number];

function CertificateProblem({ userId, userEmail, userName, hasName, letters }: CertificateOf) {
  const name = isolated(userName ?? userEmail ?? '');
  const person = <Link to={`/admin/people/${userId}`} className="underline underline-offset-4" />;
  if (!hasName) {
    return (
      <Trans
        id="parts.release.noName"
        comment="name: an email address"
        message="<person>{name}</person>: no name, so the certificate has the email address"
        values={{ name }}
        components={{ person }}
      />
    );
  }
  return letters.length === 0 ? (
    <Trans
      id="parts.release.nameLetters"
      message="<person>{name}</person>: the name has letters that cannot be printed"
      values={{ name }}
      components={{ person }}
    />
  ) : (
    <Trans
      id="parts.release.nameTheseLetters"
      message="<person>{name}</person>: the name has letters that cannot be printed: {letters}"
      values={{ name, letters: letters.join(' ') }}
      components={{ person }}
    />
  );
}

/** Says, before someone starts or goes on for longer, how many have right answers of an assessment. */
export function KeyReaders({ quizId, children }: { quizId: string; children?: ReactNode }) {
  const read = useQuery(endpointQuery(countKeyReaders, { params: { id: quizId } }));
  if (read.isError)
    return (
      <p>{t('parts.keyReaders.failed', 'It could not be checked who has the right answers.')}</p>
    );
  if (!read.data || read.data.people === 0) return null;
  const others = unfinishedText(read.data.notStarted, read.data.running);
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert />}
      title={t(
        'parts.keyReaders.title',
        '{count, plural, one {# candidate has right answers of this assessment, or can read them.} other {# candidates have right answers of this assessment, or can read them.}}',
        { count: read.data.people },
      )}
    >
      {others !== null && `${others} `}
      {children}
    </Notice>
  );
}
