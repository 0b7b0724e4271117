import {
  type Correction,
  rescoreBankQuestion,
  rescoreQuestion,
} from '@invigil/core/contract/assessments/questions';
import type { BodyOf, ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { sentenceOf } from '@invigil/core/contract/definition/errors';
import { listWorks, type Work } from '@invigil/core/contract/installation/works';
import type {
  QuestionDefinition,
  TextFormat,
} from '@invigil/core/domain/questions/question-definition';
import type { SameOption } from '@invigil/core/domain/questions/question-versions';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { newId } from '../../lib/new-id.ts';
import { changeText } from '../../lib/question-labels.ts';
import { ConnectionError, callEndpoint } from '../../net/api.ts';
import { endpointKey } from '../../net/endpoint-query.ts';
import { Content } from '../../question-view/content.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogClose } from '../../ui/dialogs/dialog.tsx';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { toast } from '../../ui/toast.ts';
import { Trans } from '../../ui/trans.tsx';
import { useMayOn } from '../data/assessments.ts';
import { useMay } from '../data/own-rights.ts';
import { unknownText } from '../data/people.ts';
import { showFailure } from '../data/show-failure.ts';
import { BEGINS_WORK, progressOf, useForgetWork, useWorks } from '../data/works.ts';
import { LoadFailure } from './failures.tsx';
import { OutcomeOf } from './outcome.tsx';
import { WhoMay } from './permitted.tsx';
import { WorkUnderWay } from './work-under-way.tsx';

/**
 * Dry run of a changed key: who has the question, and whose score would change. After an edit it is
 * hidden if no one has the question; `asked`: opened on request.
 */
export function RescoreDialog(props: RescoreProps) {
  const mayOn = useMayOn(props.quizId ?? '');
  if (mayOn('scores.correct')) return <Rescoring {...props} />;
  return (
    props.asked && (
      <Dialog
        open
        onClose={props.onClose}
        title={t(/* a title: score again */ 'portal.rescore', 'Rescore')}
      >
        <WhoMay permissions={['scores.correct']} what="rescore" />
      </Dialog>
    )
  );
}

interface RescoreProps {
  question: { id: string; version: number };
  definition: QuestionDefinition;
  /** The assessment that it was opened from: there an owner of it alone may rescore as well. */
  quizId?: string | undefined;
  asked: boolean;
  onClose(): void;
}

function Rescoring({ question, definition, quizId, asked, onClose }: RescoreProps) {
  const mayAll = useMay()('scores.correct');
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  /** null: as it is stored. */
  const [given, setGiven] = useState<Correction | null>(null);
  const [decided, setDecided] = useState<readonly SameOption[]>([]);
  const call = (body: BodyOf<typeof rescoreBankQuestion>, signal?: AbortSignal) =>
    mayAll || quizId === undefined
      ? callEndpoint(rescoreBankQuestion, { params: { id: question.id }, body, signal })
      : callEndpoint(rescoreQuestion, {
          params: { id: quizId, questionId: question.id },
          ...{ body, signal },
        });
  const { rescore, underWay, found, forget } = useRescoreWork(question.id, call);
  const how = {
    ...(given === null ? {} : { correction: given }),
    ...(decided.length === 0 ? {} : { options: [...decided] }),
  };
  const needsOption = given?.kind === 'also_right' && given.options.length === 0;
  const trial = useQuery({
    queryKey: ['rescore', question.id, question.version, how],
    queryFn: ({ signal }) => rescore({ dryRun: true, ...how }, signal),
    enabled: !needsOption && found === undefined,
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const isKept = given === null && trial.data?.isMixed === true;
  const correction = isKept ? KEPT : (given ?? trial.data?.correction ?? { kind: 'key' });
  const apply = useMutation({
    mutationKey: BEGINS_WORK,
    mutationFn: () =>
      rescore({
        ...{ dryRun: false, ...how },
        ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
      }),
    onSuccess: ({ participants, changes }) => {
      toast({
        title: t(
          'parts.rescore.done',
          '{count, plural, one {# candidate rescored} other {# candidates rescored}}',
          { count: participants },
        ),
        description: changedText(changes.length),
      });
      void invalidateScores(client);
    },
    onError: (error) => showFailure(t('parts.rescore.failed', 'Failed to rescore'), error),
  });
  if (found !== undefined) {
    const onEnd = () => {
      forget(found.id);
      // Otherwise its dry run follows.
      if (found.state === 'running' || isApplied(found)) onClose();
      if (isApplied(found)) void invalidateScores(client);
    };
    return <FoundRescoring {...{ found, onClose, onEnd }} />;
  }
  const isLong = typeof underWay?.total === 'number' && underWay.total > 0;
  if (!asked && (trial.isPending ? !isLong : trial.data?.participants === 0)) return null;
  const participants = trial.data?.participants ?? 0;
  const decide = ({ before, now, isSame }: SameOption) =>
    setDecided([
      ...decided.filter((pair) => pair.before !== before || pair.now !== now),
      { before, now, isSame },
    ]);

  return (
    <Dialog
      open
      onClose={onClose}
      title={
        asked
          ? t(/* a title: score again */ 'portal.rescore', 'Rescore')
          : t('parts.rescore.keyChanged', 'The correct answer changed')
      }
      description={
        apply.isPending
          ? goesOn()
          : asked
            ? t(
                'parts.rescore.asked',
                'Finished attempts that have this question are scored again.',
              )
            : t(
                /* key: the right answers */ 'parts.rescore.afterEdit',
                'New attempts use the new key. Existing papers keep the old one unless you rescore.',
              )
      }
      unsaved={reason.trim() !== ''}
      footer={
        <>
          <DialogClose>
            <Button>
              {t(/* a button: changes nothing */ 'parts.rescore.keep', 'Keep scores')}
            </Button>
          </DialogClose>
          {participants > 0 && !needsOption && (
            <Button
              variant="primary"
              busy={apply.isPending && t('parts.rescore.busy', 'Rescoring…')}
              aria-disabled={trial.isPlaceholderData}
              // Only while the dialog is open: another may be by then.
              onClick={() => apply.mutate(undefined, { onSuccess: onClose })}
            >
              {t(
                /* a button */ 'parts.rescore.confirm',
                '{count, plural, one {Rescore # candidate} other {Rescore # candidates}}',
                { count: participants },
              )}
            </Button>
          )}
        </>
      }
    >
      {underWay !== undefined && (
        <div className="mb-4">
          <WorkUnderWay {...underWay}>{progressOf(underWay)}</WorkUnderWay>
        </div>
      )}
      {trial.isError ? (
        <LoadFailure
          title={t('parts.rescore.checkFailed', 'Could not check which scores would change')}
          read={trial}
        />
      ) : trial.isPending ? (
        underWay === undefined && (
          <SkeletonRows rows={3}>{t('parts.rescore.checking', 'Checking papers...')}</SkeletonRows>
        )
      ) : participants === 0 ? (
        <p>{t('parts.rescore.noOne', 'No one has this question on their paper.')}</p>
      ) : (
        <div className="grid gap-4" aria-busy={trial.isPlaceholderData}>
          <HowItCounts {...{ correction, definition }} onChange={setGiven} />
          <SameOptions options={trial.data.options} format={definition.format} onDecide={decide} />
          <Effect trial={trial.data} needsOption={needsOption} />
          <TextField
            label={t(/* a label: why something is done */ 'parts.reason', 'Reason')}
            optional
            maxLength={500}
            hint={t(
              /* said of the reason */ 'parts.rescore.reasonHint',
              'Recorded in the audit log.',
            )}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </div>
      )}
    </Dialog>
  );
}

type Trial = ResponseOf<typeof rescoreBankQuestion>;

/**
 * Dry runs and rescorings as long work. `underWay` is this dialog's own, `found` one that another page began, or
 * whose answer was lost. A dry run ends with its dialog or by another choice, which cancels it, and nothing else
 * does: not a page that is loaded again.
 */
function useRescoreWork(
  questionId: string,
  call: (body: BodyOf<typeof rescoreBankQuestion>, signal?: AbortSignal) => Promise<Trial>,
) {
  const client = useQueryClient();
  const { mutate: forget } = useForgetWork();
  const [own, setOwn] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState<string | null>(null);
  const works = useWorks(current !== null).filter((work) => work.questionId === questionId);
  const rescore: typeof call = async (body, signal) => {
    const id = newId();
    setOwn((ids) => [...ids, id]);
    setCurrent(id);
    try {
      const answer = await call({ ...body, work: id }, signal);
      forget(id);
      return answer;
    } catch (error) {
      // It may go on where no answer came.
      if (error instanceof ConnectionError) {
        setOwn((ids) => ids.filter((one) => one !== id));
        void client.invalidateQueries({ queryKey: endpointKey(listWorks) });
      } else forget(id);
      throw error;
    } finally {
      setCurrent((latest) => (latest === id ? null : latest));
    }
  };
  return {
    ...{ rescore, forget },
    underWay: works.find(({ id, state }) => id === current && state === 'running'),
    found: works.find(({ id }) => !own.includes(id)),
  };
}

/** Results, statistics and releases of each assessment that has the question. */
async function invalidateScores(client: QueryClient): Promise<void> {
  for (const kind of ['quizzes', 'participants', 'stats']) {
    await client.invalidateQueries({ queryKey: ['api', kind] });
  }
}

const goesOn = (): string =>
  t(
    /* it: long work under way */ 'parts.rescore.goesOn',
    'It goes on when you leave this page, and the navigation leads back to it.',
  );

const isApplied = ({ kind, state }: Work) => kind === 'scores.correct' && state === 'done';

/** A dry run or rescoring that this dialog did not begin. Of its result there are counts. */
function FoundRescoring({
  found,
  onClose,
  onEnd,
}: {
  found: Work;
  onClose(): void;
  /** Cancels what is under way, and takes the rest off the list. */
  onEnd(): void;
}) {
  const { kind, state, result, failure } = found;
  const isCheck = kind === 'scores.check';
  const isRunning = state === 'running';
  const label = isRunning
    ? t(/* it: a check or a rescoring */ 'parts.rescore.cancel', 'Cancel it')
    : isApplied(found)
      ? t(/* a button: closes */ 'parts.rescore.close', 'Done')
      : t(/* a button: list is a verb */ 'parts.rescore.list', 'List what would change');
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        isCheck
          ? t('parts.rescore.checkTitle', 'Check of scores')
          : t(/* a title: scoring again */ 'parts.rescore.workTitle', 'Rescoring')
      }
      description={isRunning ? goesOn() : undefined}
      footer={
        <>
          <DialogClose>
            <Button>{t('ui.close', 'Close')}</Button>
          </DialogClose>
          <Button variant={isRunning ? 'secondary' : 'primary'} onClick={onEnd}>
            {label}
          </Button>
        </>
      }
    >
      {isRunning ? (
        <WorkUnderWay {...found}>{progressOf(found)}</WorkUnderWay>
      ) : result !== null && 'changed' in result ? (
        <p>{isCheck ? checkedText(result) : rescoredText(result)}</p>
      ) : (
        <FailureNotice
          title={
            isCheck
              ? t('parts.rescore.checkLost', 'The check did not end')
              : t('parts.rescore.nothingChanged', 'No score was changed')
          }
        >
          {failure === null
            ? t('parts.rescore.stopped', 'The server stopped meanwhile. Begin again.')
            : `${sentenceOf(failure)}.`}
        </FailureNotice>
      )}
    </Dialog>
  );
}

/** Options whose text changed: the administrator says which are the same answer. */
function SameOptions({
  options = [],
  format,
  onDecide,
}: {
  options: Trial['options'] | undefined;
  format: TextFormat;
  onDecide(pair: SameOption): void;
}) {
  if (options.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend would not flow with the text
    <div
      role="group"
      aria-label={t(
        /* an option before and after its text was changed */ 'parts.rescore.sameAnswer',
        'The same answer, spelled right?',
      )}
      className="grid gap-1.5"
    >
      <p className="font-medium">
        {t(
          /* an option before and after its text was changed */ 'parts.rescore.sameAnswer',
          'The same answer, spelled right?',
        )}
      </p>
      {options.map((pair) => (
        <Checkbox
          key={`${pair.before} ${pair.now}`}
          label={
            <Trans
              id="parts.rescore.isNow"
              comment="before, now: the text of an answer"
              message="{before} is now {now}"
              values={{
                before: <Quoted text={pair.before} format={format} />,
                now: <Quoted text={pair.now} format={format} />,
              }}
            />
          }
          hint={t(
            'parts.rescore.onPapers',
            '{count, plural, one {On the paper of # candidate} other {On the papers of # candidates}}',
            { count: pair.participants },
          )}
          checked={pair.isSame}
          onChange={({ target }) => onDecide({ ...pair, isSame: target.checked })}
        />
      ))}
    </div>
  );
}

/** The number of candidates who are scored again, and of scores that would change. */
function Effect({ trial, needsOption }: { trial: Trial; needsOption: boolean }) {
  const { participants, changes, unchanged = 0, withoutPoints = 0 } = trial;
  // Whoever now passes or fails stands first.
  const ordered = changes.toSorted((a, b) => Number(isTurned(b)) - Number(isTurned(a)));

  return (
    <>
      {/* The numbers come before the reason. */}
      <p tabIndex={-1} data-autofocus="" className="outline-none">
        {t(
          'parts.rescore.haveQuestion',
          '{count, plural, one {# candidate has this question.} other {# candidates have this question.}}',
          { count: participants },
        )}{' '}
        {needsOption
          ? t(/* accept as right */ 'parts.rescore.selectAnswers', 'Select the answers to accept.')
          : changes.length === 0
            ? t('parts.rescore.noChange', 'No finished score would change.')
            : t(
                'parts.rescore.wouldChange',
                '{count, plural, one {# finished score would change:} other {# finished scores would change:}}',
                { count: changes.length },
              )}
        {!needsOption && outcomeSentence(changes)}
      </p>
      {!needsOption && changes.length > 0 && (
        <ul
          aria-label={t('parts.rescore.changes', 'Score changes')}
          className="rounded-lg border border-line tabular-nums"
        >
          {ordered.map(({ participantId, userEmail, userName, ...change }) => (
            <li
              key={participantId}
              className="flex flex-wrap justify-between gap-x-4 border-b border-line px-4 py-2 last:border-b-0"
            >
              <span className="min-w-0 wrap-anywhere">
                {isolated(userName ?? userEmail ?? unknownText())}
              </span>
              <span className="ms-auto flex flex-none flex-wrap items-center gap-x-3 font-medium">
                {isTurned(change) && (
                  <>
                    <OutcomeOf outcome={change.outcomeBefore} />
                    <span className="font-normal text-ink-2">
                      {t(/* between “Failed” and “Passed” */ 'parts.rescore.becomes', 'becomes')}
                    </span>
                  </>
                )}
                <OutcomeOf outcome={change.outcomeAfter} />
                {changeText(change)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {!needsOption && changes.length > 0 && (
        <p className="text-ink-2">
          {t(
            'parts.rescore.released',
            'Results that were released stay as they are until you release again. Until then the certificates of those who change say “under correction”.',
          )}
        </p>
      )}
      {!needsOption && unchanged > 0 && (
        <p className="text-ink-2">
          {t(
            'parts.rescore.unchanged',
            '{count, plural, one {# candidate had a version without the new answer.} other {# candidates had a version without the new answer.}}',
            { count: unchanged },
          )}
        </p>
      )}
      {!needsOption && withoutPoints > 0 && (
        <p className="text-ink-2">
          {t(
            'parts.rescore.withoutPoints',
            '{count, plural, one {# candidate began without points and stays without: a fully right answer counts as one mark.} other {# candidates began without points and stay without: a fully right answer counts as one mark.}}',
            { count: withoutPoints },
          )}
        </p>
      )}
    </>
  );
}

/** Whether someone would now pass who failed, or the other way round. */
const isTurned = ({
  outcomeBefore,
  outcomeAfter,
}: Pick<Trial['changes'][number], 'outcomeBefore' | 'outcomeAfter'>): boolean =>
  outcomeBefore?.result !== outcomeAfter?.result;

/**
 * The numbers of those who would now pass and of those who would now fail, if the assessment has a pass mark.
 */
function outcomeSentence(changes: Trial['changes']): string {
  const now = (result: 'passed' | 'failed') =>
    changes.filter(
      ({ outcomeBefore, outcomeAfter }) =>
        outcomeAfter?.result === result && outcomeBefore?.result !== result,
    ).length;
  const [passed, failed] = [now('passed'), now('failed')];
  const sentences = [
    passed > 0 &&
      t(
        'parts.rescore.nowPass',
        '{count, plural, one {# candidate would now pass.} other {# candidates would now pass.}}',
        { count: passed },
      ),
    failed > 0 &&
      t(
        'parts.rescore.nowFail',
        '{count, plural, one {# candidate would now fail.} other {# candidates would now fail.}}',
        { count: failed },
      ),
  ];
  return sentences.map((sentence) => (sentence === false ? '' : ` ${sentence}`)).join('');
}

/** A formatted text has lines of its own, which need no quotation marks. */
function Quoted({ text, format }: { text: string; format: TextFormat }) {
  return format === 'markdown' ? <Content text={text} format={format} inline /> : `“${text}”`;
}

const changedText = (count: number): string =>
  t('parts.rescore.changed', '{count, plural, one {# score changed.} other {# scores changed.}}', {
    count,
  });

interface Counts {
  participants: number;
  changed: number;
}

const checkedText = ({ participants: candidates, changed: scores }: Counts): string =>
  t(
    'parts.rescore.checked',
    '{candidates, plural, one {# candidate checked.} other {# candidates checked.}} {scores, plural, one {# score would change.} other {# scores would change.}}',
    { candidates, scores },
  );

const rescoredText = ({ participants: candidates, changed: scores }: Counts): string =>
  t(
    'parts.rescore.rescored',
    '{candidates, plural, one {# candidate rescored.} other {# candidates rescored.}} {scores, plural, one {# score changed.} other {# scores changed.}}',
    { candidates, scores },
  );

/** Keeps different decisions for earlier versions: each keeps its own until one is selected for all. */
const KEPT = { kind: 'kept' } as const;
type Selected = Correction | typeof KEPT;

const HINTS: Record<Selected['kind'], () => string> = {
  kept: () =>
    t(
      /* versions of a question */ 'parts.rescore.hint.kept',
      'Different things were decided for the versions on papers. Each keeps its own.',
    ),
  key: () =>
    t(
      /* key: the right answers */ 'parts.rescore.hint.key',
      'An answer earns what the current key gives it.',
    ),
  also_right: () =>
    t('parts.rescore.hint.alsoRight', 'Each of these answers alone earns the full points.'),
  full_points: () =>
    t(
      'parts.rescore.hint.fullPoints',
      'Everyone who has the question earns its points, also with a blank answer.',
    ),
  left_out: () =>
    t(
      /* it: a question */ 'parts.rescore.hint.leftOut',
      'It counts for no one, and results are out of the other questions.',
    ),
};

function HowItCounts({
  correction,
  definition,
  onChange,
}: {
  correction: Selected;
  definition: QuestionDefinition;
  onChange(correction: Correction): void;
}) {
  const { kind } = correction;
  const others = othersOf(definition);
  const accepted = kind === 'also_right' ? correction.options : [];
  const words: [Selected['kind'], string][] = [
    ...(kind === 'kept'
      ? [
          [
            'kept',
            t(/* versions of a question */ 'parts.rescore.kept', 'As decided for each version'),
          ] as [typeof kind, string],
        ]
      : []),
    ['key', t(/* how a question counts: by its right answers */ 'parts.rescore.key', 'By its key')],
    ...(others.length > 0 || kind === 'also_right'
      ? [
          ['also_right', t('parts.rescore.alsoRight', 'Accept another answer')] as [
            Correction['kind'],
            string,
          ],
        ]
      : []),
    ['full_points', t('parts.rescore.fullPoints', 'Give the points to all')],
    ['left_out', t('parts.rescore.leftOut', 'Leave this question out')],
  ];
  return (
    <div className="grid gap-2">
      <SelectField
        label={t(/* a label; it: a question */ 'parts.rescore.howItCounts', 'How it counts')}
        hint={HINTS[kind]()}
        options={words.map(([value, label]) => ({ value, label }))}
        value={kind}
        onChange={(value) => {
          const next = words.find(([each]) => each === value)?.[0] ?? 'kept';
          if (next === 'kept') return;
          onChange(next === 'also_right' ? { kind: next, options: accepted } : { kind: next });
        }}
      />
      {kind === 'also_right' && (
        <fieldset className="grid gap-1.5">
          <legend className="sr-only">
            {t(/* accept as right */ 'parts.rescore.answers', 'Answers to accept')}
          </legend>
          {others.map((text) => (
            <Checkbox
              key={text}
              label={<Content text={text} format={definition.format} inline />}
              checked={accepted.includes(text)}
              onChange={({ target }) =>
                onChange({
                  kind,
                  options: others.filter((other) =>
                    other === text ? target.checked : accepted.includes(other),
                  ),
                })
              }
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** The options that `also_right` may name: the wrong ones of an all-or-nothing question with one right. */
function othersOf({ rule, options }: Pick<QuestionDefinition, 'rule' | 'options'>): string[] {
  const wrong = options.filter((option) => !option.isCorrect);
  const isOne = rule === 'all_or_nothing' && wrong.length === options.length - 1;
  return isOne ? wrong.map((option) => option.text) : [];
}
