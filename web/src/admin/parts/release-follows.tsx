import {
  countKeyReaders,
  type Elsewhere,
  getReleases,
  listElsewhere,
  type Releases,
} from '@invigil/core/contract/review/releases';
import { getQuizStatistics } from '@invigil/core/contract/review/statistics';
import { numberText } from '@invigil/core/domain/locale';
import { latePartsOf, type ReleasedPart } from '@invigil/core/domain/results/release';
import { isolated } from '@invigil/core/domain/typed-text';
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
import { editorOf } from '../data/questions.ts';
import { useRelease } from '../data/releases.ts';

/*
 * The consequences of a release, and of letting someone start after right answers were shown, said before it is
 * done.
 */

export const KEY_AFTER_END = 'Only after the end: once no one can start or is under way';

const counted = (n: number, one: string, many: string) =>
  `${numberText(n)} ${n === 1 ? one : many}`;

/** Says who could learn answers from others; null: no one can start, and no one is under way. */
function openText({ open, timeZone }: Pick<Releases, 'open' | 'timeZone'>): string | null {
  const { canStart, running, until } = open;
  const some = unfinishedText(canStart, 'can still start', 'can still start', running);
  if (some === null) return null;
  const end = until === null ? '' : `, until ${momentText(until, timeZone, zoneName())}`;
  return `${some}${end}.`;
}

/** '2 people can still start and 1 attempt is under way'; null: no one. */
function unfinishedText(people: number, one: string, many: string, running: number): string | null {
  const some = [
    ...(people > 0 ? [counted(people, `person ${one}`, `people ${many}`)] : []),
    ...(running > 0 ? [counted(running, 'attempt is under way', 'attempts are under way')] : []),
  ];
  return some.length === 0 ? null : some.join(' and ');
}

/** Warns that people who can still start could learn answers from those who read them. */
export function KeyRisk({ releases }: { releases: Pick<Releases, 'open' | 'timeZone'> }) {
  const open = openText(releases);
  if (open === null) return null;
  return (
    <Notice tone="warn" icon={<TriangleAlert />} title={open}>
      They could learn questions and answers from candidates who read them.
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
      confirmLabel="Release"
      confirmVariant="primary"
      busy={
        release.isPending ? 'Releasing…' : (read.isPending || elsewhere.isPending) && 'Checking…'
      }
      onCancel={onClose}
      onConfirm={() =>
        release.mutate({ ids, holdKeyIn }, { onSuccess: () => onDone?.(), onSettled: onClose })
      }
    >
      <div className="grid gap-3">
        <p>{children}</p>
        {data !== undefined && ids === 'all' && data.toReview > 0 && (
          <p>{`${counted(data.toReview, 'of these attempts has', 'of these attempts have')} events that no one has reviewed.`}</p>
        )}
        {data?.certificates && <CertificateProblems {...data.certificates} />}
        {(read.isError || elsewhere.isError) && (
          <p>It could not be checked who could still learn answers from others.</p>
        )}
        {asks && data !== undefined && (
          <>
            <KeyRisk releases={data} />
            <Checkbox
              label="Show answers and explanations only after the end"
              hint="Once no one can start or is under way. Candidates are told when."
              checked={holdsKey}
              onChange={(event) => setHoldsKey(event.target.checked)}
            />
          </>
        )}
        {elsewhere.data !== undefined && <OtherAssessments {...elsewhere.data} />}
        {rules !== null && <DoubtfulKeys quizId={quizId} parts={rules.parts} />}
        {tellsAnswers && rules.keyAfterEnd && (
          <p>{`${open === null ? '' : `${open} `}Answers and explanations follow once no one can start or is under way.`}</p>
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
      title={`${counted(count, 'other assessment', 'other assessments')} that can still be started ${count === 1 ? 'has' : 'have'} questions of this one.`}
    >
      <ul className="my-1 grid max-h-32 gap-1 overflow-y-auto">
        {named.map(({ quizId, title, questions }) => (
          <li key={quizId} className="wrap-anywhere">
            <Link to={`/admin/quizzes/${quizId}`} className="underline underline-offset-4">
              {isolated(title)}
            </Link>
            {`: ${counted(questions, 'question', 'questions')}`}
          </li>
        ))}
        {others > 0 && (
          <li>{`${counted(others, 'assessment', 'assessments')} that you cannot see`}</li>
        )}
      </ul>
      Their candidates could learn the right answers from those who read them here.
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
  if (statistics.isPending) return <p role="status">Computing what statistics say of the keys…</p>;
  if (doubtful.length === 0) return null;
  const isShown = parts.includes('key');
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert />}
      title={`The key of ${counted(doubtful.length, 'question', 'questions')} may be wrong.`}
    >
      <p className="flex flex-wrap gap-x-3">
        {doubtful.map(({ questionId, number }) => (
          <Link
            key={questionId}
            to={editorOf({ id: questionId, quizId })}
            className="underline underline-offset-4"
          >
            {`Question ${number}`}
          </Link>
        ))}
      </p>
      {isShown
        ? 'Candidates would read it as the right answer. Check it in the statistics first.'
        : 'The scores count it as right. Check it in the statistics first.'}
    </Notice>
  );
}

/** Names, before certificates are issued, those without a name, and letters that cannot be printed. */
function CertificateProblems({ letters, count, problems }: NonNullable<Releases['certificates']>) {
  if (letters.length === 0 && count === 0) return null;
  const seen = problems.filter(({ userEmail }) => userEmail !== null);
  const title =
    count === 0
      ? 'Certificates have letters that cannot be printed.'
      : `${counted(count, 'certificate lacks a name or letters of it', 'certificates lack a name or letters of it')}.`;
  return (
    <Notice tone="warn" icon={<TriangleAlert />} title={title}>
      {letters.length > 0 && (
        <p>{`The title or the name of the institution has letters that cannot be printed: ${letters.join(' ')}. Boxes take their place.`}</p>
      )}
      {seen.length > 0 && (
        <ul className="my-1 grid max-h-32 gap-1 overflow-y-auto">
          {seen.map(({ participantId, userId, userEmail, userName, hasName, letters: own }) => (
            <li key={participantId} className="wrap-anywhere">
              <Link to={`/admin/people/${userId}`} className="underline underline-offset-4">
                {isolated(userName ?? userEmail ?? '')}
              </Link>
              {hasName
                ? `: the name has letters that cannot be printed${own.length === 0 ? '' : `: ${own.join(' ')}`}`
                : ': no name, so the certificate has the email address'}
            </li>
          ))}
          {count > seen.length && <li>{`And ${numberText(count - seen.length)} more.`}</li>}
        </ul>
      )}
      {count > 0 && 'Set the name on the page of the person before you release.'}
    </Notice>
  );
}

/** Says, before someone starts or goes on for longer, how many have right answers of an assessment. */
export function KeyReaders({ quizId, children }: { quizId: string; children?: ReactNode }) {
  const read = useQuery(endpointQuery(countKeyReaders, { params: { id: quizId } }));
  if (read.isError) return <p>It could not be checked who has the right answers.</p>;
  if (!read.data || read.data.people === 0) return null;
  const others = unfinishedText(
    read.data.notStarted,
    'has not started',
    'have not started',
    read.data.running,
  );
  return (
    <Notice
      tone="warn"
      icon={<TriangleAlert />}
      title={`${counted(read.data.people, 'candidate has', 'candidates have')} right answers of this assessment, or can read them.`}
    >
      {others !== null && `${others}. `}
      {children}
    </Notice>
  );
}
