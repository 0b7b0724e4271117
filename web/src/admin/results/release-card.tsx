import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { listParticipants } from '@invigil/core/contract/review/participants';
import {
  getReleases,
  getResult,
  NewReleaseRules,
  type Releases,
  setReleaseRules,
} from '@invigil/core/contract/review/releases';
import { numberText } from '@invigil/core/domain/locale';
import {
  latePartsOf,
  type ReleasedPart,
  type ReleaseHold,
  type ReleaseRules as Rules,
  takesBack,
} from '@invigil/core/domain/results/release';
import { isolated } from '@invigil/core/domain/typed-text';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { zoneName } from '../../lib/format.ts';
import { instantOf, localInputOf } from '../../lib/local-input.ts';
import { momentText } from '../../lib/moment-text.ts';
import { callEndpoint } from '../../net/api.ts';
import { endpointKey, endpointQuery, replaceCached } from '../../net/endpoint-query.ts';
import { ResultView } from '../../question-view/result-view.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { Checkbox } from '../../ui/fields/checkbox.tsx';
import { SelectField } from '../../ui/fields/select-field.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/skeleton.tsx';
import { useMayOnQuiz } from '../data/assessments.ts';
import { FormDialog, fieldIn } from '../parts/dialogs.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { KEY_AFTER_END, KeyRisk, ReleaseDialog } from '../parts/release-follows.tsx';
import { useRead } from '../parts/stale-notice.tsx';

const PARTS: Record<ReleasedPart, string> = {
  outcome: 'Passed or not',
  grade: 'Grade',
  score: 'Points and percent',
  sections: 'Points by section',
  answers: 'Their own answers',
  key: 'Right answers, and with points what each question earned',
  explanations: 'Explanations, and feedback on what they selected',
  statistics: 'Everyone’s results as a distribution',
  certificate: 'A certificate, for those who passed',
};
const ALL_PARTS = Object.keys(PARTS) as ReleasedPart[];

const WHEN: Record<Rules['when']['kind'], string> = {
  by_hand: 'When you release them',
  at_once: 'At once, after the end of each attempt',
  at: 'At a time',
  reviewed: 'When each attempt is reviewed',
};

const HELD: Record<ReleaseHold, (n: number) => string> = {
  running: (n) => `${n} still ${n === 1 ? 'runs' : 'run'}`,
  revoked: (n) => `${n} whose invitation was revoked: they cannot sign in to read it`,
  breach: (n) =>
    `${n} with the verdict “Breach of the rules”: release ${n === 1 ? 'it' : 'each'} in its record`,
  undecided: (n) => `${n} dismissed and not reviewed`,
  mail: (n) =>
    `${n} ${n === 1 ? 'waits' : 'wait'} for a mail server, so that candidates learn of it`,
  by_hand: (n) => `${n} ${n === 1 ? 'waits' : 'wait'} for you`,
  review: (n) => `${n} ${n === 1 ? 'waits' : 'wait'} for a reviewer`,
  time: (n) => `${n} ${n === 1 ? 'waits' : 'wait'} for that time`,
};

/** Shows what candidates see of their results, and when; how many have them, and why others have not. */
export function ReleaseCard({ quiz }: { quiz: Quiz }) {
  const read = endpointQuery(getReleases, { params: { id: quiz.id } });
  const releases = useQuery(read);
  const mayRelease = useMayOnQuiz(quiz)('scores.correct');
  const [open, setOpen] = useState<'rules' | 'release' | 'preview' | null>(null);
  const { data } = releases;
  const close = () => setOpen(null);
  return (
    <Card title="Release">
      {releases.isError ? (
        <div className="p-5">
          <LoadFailure title="Failed to load the release" read={releases} />
        </div>
      ) : data === undefined ? (
        <SkeletonRows rows={2}>Loading the release...</SkeletonRows>
      ) : (
        <div className="grid gap-3 px-5 py-4 text-ink-2">
          <State releases={data} />
          {mayRelease && (
            <div className="flex flex-wrap gap-2">
              {data.rules !== null && dueIn(data) > 0 && (
                <Button variant="primary" onClick={() => setOpen('release')}>
                  {data.changed > 0 ? 'Release again' : 'Release now'}
                </Button>
              )}
              <Button onClick={() => setOpen('rules')}>
                {data.rules === null ? 'Set up the release' : 'Change'}
              </Button>
              <Button onClick={() => setOpen('preview')}>Preview</Button>
            </div>
          )}
        </div>
      )}
      {open === 'rules' && data !== undefined && (
        <ReleaseRulesDialog quiz={quiz} releases={data} onClose={close} />
      )}
      {open === 'release' && data !== undefined && (
        <ReleaseDialog quizId={quiz.id} ids="all" title="Release results now?" onClose={close}>
          {releaseText(data)}
        </ReleaseDialog>
      )}
      {open === 'preview' && <Preview quiz={quiz} onClose={close} />}
    </Card>
  );
}

function State({ releases }: { releases: Releases }) {
  const { rules, released, changed, changes = [], held, timeZone } = releases;
  if (rules === null) {
    return (
      <p>
        Candidates see no result: they read “Under Review”, and that results are communicated
        separately.
      </p>
    );
  }
  const at = rules.when.kind === 'at' ? momentText(rules.when.at, timeZone, zoneName()) : null;
  return (
    <>
      <p>
        {`${at === null ? WHEN[rules.when.kind] : `On ${at}`}. Candidates see: ${rules.parts.map((part) => PARTS[part].toLowerCase()).join('; ')}.${rules.keyAfterEnd ? ' Answers and explanations come once no one can start or is under way.' : ''} The one-time password opens the result for ${rules.openDays} ${rules.openDays === 1 ? 'day' : 'days'}.`}
      </p>
      <ul className="grid gap-1">
        <li>{`${numberText(released)} released`}</li>
        {changed > 0 && (
          <li className="font-medium text-warn-ink">
            {`${numberText(changed)} of them changed since: release again to tell these candidates`}
            <Changed changes={changes} n={changed} />
          </li>
        )}
        {(Object.entries(held) as [ReleaseHold, number][]).map(([hold, n]) => (
          <li key={hold}>{HELD[hold](n)}</li>
        ))}
      </ul>
    </>
  );
}

/** The candidates who have to be informed, for readers who may see people. */
function Changed({ changes, n }: { changes: NonNullable<Releases['changes']>; n: number }) {
  const seen = changes.filter(({ userEmail }) => userEmail !== null);
  if (seen.length === 0) return null;
  return (
    <ul
      aria-label="Changed since their release"
      className="mt-1 grid max-h-44 gap-1 overflow-y-auto font-normal text-ink-2"
    >
      {seen.map(({ participantId, userName, userEmail }) => (
        <li key={participantId} className="wrap-anywhere">
          {isolated(userName ?? userEmail ?? '')}
        </li>
      ))}
      {n > seen.length && <li>{`And ${numberText(n - seen.length)} more.`}</li>}
    </ul>
  );
}

interface Values {
  kind: Rules['when']['kind'] | 'never';
  at: string;
  openDays: string;
  parts: ReleasedPart[];
  /** When answers and explanations are shown. */
  keyFrom: 'end' | 'result';
}

const valuesOf = (rules: Rules | null): Values => ({
  kind: rules?.when.kind ?? 'by_hand',
  at: rules?.when.kind === 'at' ? localInputOf(rules.when.at) : '',
  openDays: String(rules?.openDays ?? 30),
  parts: rules?.parts ?? ['outcome', 'grade', 'score'],
  // The default tells no one too early.
  keyFrom: rules && latePartsOf(rules).length > 0 && !rules.keyAfterEnd ? 'result' : 'end',
});

/** The same of rules that someone has stored: without any, nothing is released. */
const storedIn = (rules: Rules | null): Values => ({
  ...valuesOf(rules),
  ...(rules === null ? { kind: 'never' } : {}),
});

const KEY_FROM: Record<Values['keyFrom'], string> = {
  end: KEY_AFTER_END,
  result: 'With the result',
};

/** A release in words, to compare two versions. */
const wordsOf = ({ kind, at, openDays, parts, keyFrom }: Values): Record<string, string> => ({
  When: kind === 'never' ? 'not at all' : kind === 'at' ? at.replace('T', ' ') : WHEN[kind],
  What: kind === 'never' ? '' : parts.map((part) => PARTS[part]).join(', '),
  'Answers and explanations':
    kind === 'never' || latePartsOf({ parts }).length === 0 ? '' : KEY_FROM[keyFrom],
  'Days in which it can be read': kind === 'never' ? '' : openDays,
});

function ReleaseRulesDialog({
  quiz,
  releases,
  onClose,
}: {
  quiz: Quiz;
  releases: Releases;
  onClose(): void;
}) {
  const client = useQueryClient();
  const params = { id: quiz.id };
  const { rules } = releases;
  const read = useRead(rules);
  const form = useForm<Values>({ defaultValues: valuesOf(rules) });
  const values = form.watch();
  const tellsAnswers = latePartsOf(values).length > 0;
  const bodyOf = ({ kind, at, openDays, parts, keyFrom }: Values) =>
    kind === 'never'
      ? null
      : {
          parts,
          openDays: Number(openDays.trim() || Number.NaN),
          when: kind === 'at' ? { kind, at: instantOf(at) ?? '' } : { kind },
          ...(latePartsOf({ parts }).length > 0 && keyFrom === 'end' ? { keyAfterEnd: true } : {}),
        };
  const check = (all: Values): Record<string, { message: string }> => {
    const read = NewReleaseRules.nullable().safeParse(bodyOf(all));
    const issues = read.success ? [] : read.error.issues;
    return Object.fromEntries(
      issues.map(({ path, message }) => {
        const at = path[0] === 'when' ? 'at' : String(path[0]);
        const said = at === 'at' ? 'Enter a date and time' : message;
        return [at, { message: at === 'openDays' ? 'From 1 to 365 days' : said }];
      }),
    );
  };
  return (
    <FormDialog
      form={form}
      stale={{ what: 'release', read, valuesIn: storedIn, wordsOf }}
      title="Release of results"
      description="What candidates see of their results, and when. They sign in again with the same one-time password."
      submitLabel="Save"
      busyLabel="Saving…"
      failed="Failed to save the release"
      onClose={onClose}
      onSubmit={async (all) => {
        const problems = Object.entries(check(all));
        for (const [name, problem] of problems) form.setError(name as keyof Values, problem);
        if (problems.length > 0) return undefined;
        const rulesNow = bodyOf(all) as Rules | null;
        const body = { rules: rulesNow, before: read.before };
        const saved = await callEndpoint(setReleaseRules, { params, body });
        await replaceCached(client, endpointKey(getReleases, { params }), saved);
        return { title: 'Release saved', description: quiz.title };
      }}
    >
      <SelectField
        label="When"
        options={[
          ...Object.entries(WHEN).map(([value, label]) => ({ value, label })),
          { value: 'never', label: 'Not at all: results are communicated separately' },
        ]}
        value={values.kind}
        onChange={(kind) => form.setValue('kind', kind as Values['kind'], { shouldDirty: true })}
      />
      <TakenBack releases={releases} after={bodyOf(values) as Rules | null} />
      {values.kind === 'at' && (
        <TextField
          type="datetime-local"
          label={`Date and time (${zoneName()})`}
          {...fieldIn(form, 'at')}
        />
      )}
      {values.kind !== 'never' && (
        <>
          <fieldset className="grid gap-2">
            <legend className="mb-1 font-medium">What</legend>
            {ALL_PARTS.map((part) => (
              <Checkbox key={part} label={PARTS[part]} value={part} {...form.register('parts')} />
            ))}
            {form.formState.errors.parts && (
              <p role="alert" className="text-sm text-bad-ink">
                {form.formState.errors.parts.message}
              </p>
            )}
          </fieldset>
          {tellsAnswers && (
            <SelectField
              label="Answers and explanations"
              options={Object.entries(KEY_FROM).map(([value, label]) => ({ value, label }))}
              value={values.keyFrom}
              onChange={(keyFrom) =>
                form.setValue('keyFrom', keyFrom as Values['keyFrom'], { shouldDirty: true })
              }
            />
          )}
          {tellsAnswers && values.keyFrom === 'result' && <KeyRisk releases={releases} />}
          {tellsAnswers && values.keyFrom === 'end' && quiz.endDate === null && (
            <p className="text-sm text-ink-3">
              This assessment has no end date: they are shown once you deactivate it, and only
              within the days below.
            </p>
          )}
          {(values.kind === 'at_once' || values.kind === 'at') && releases.toReview > 0 && (
            <p className="text-ink-2">
              {`${numberText(releases.toReview)} ${releases.toReview === 1 ? 'attempt has' : 'attempts have'} events that no one has reviewed, and ${releases.toReview === 1 ? 'is' : 'are'} released all the same.`}
            </p>
          )}
          <TextField
            label="Days in which it can be read"
            className="w-56"
            inputMode="numeric"
            autoComplete="off"
            {...fieldIn(form, 'openDays')}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Says, before it is saved, that released results are held again, and what that cannot undo. */
function TakenBack({ releases, after }: { releases: Releases; after: Rules | null }) {
  const { rules, released, seen } = releases;
  if (released === 0 || rules === null || !takesBack(rules, after, new Date())) return null;
  const until = after === null ? 'until you release results again' : 'until that time';
  const results = `${numberText(released)} released ${released === 1 ? 'result is' : 'results are'} taken back`;
  const opened =
    seen === 0
      ? 'none was opened yet'
      : `${numberText(seen)} ${seen === 1 ? 'was' : 'were'} opened`;
  return (
    <Notice tone="warn" icon={<TriangleAlert />} title={`${results} ${until}.`}>
      {`The emails about them were sent, and ${opened}: that cannot be undone.`}
      {rules.parts.includes('certificate') &&
        ' Certificates that were issued say “under correction” until then.'}
    </Notice>
  );
}

/**
 * The number of results that are released only by name: the attempt runs, no one could read it, or a breach
 * is in question.
 */
const staysIn = ({ held }: Releases): number =>
  (held.revoked ?? 0) + (held.breach ?? 0) + (held.undecided ?? 0) + (held.running ?? 0);

/** How many a release by hand would reach. */
const dueIn = (releases: Releases): number =>
  Object.values(releases.held).reduce((sum, n) => sum + n, 0) -
  staysIn(releases) +
  releases.changed;

function releaseText(releases: Releases): string {
  const [stays, due] = [staysIn(releases), dueIn(releases)];
  const reached = `${numberText(due)} ${due === 1 ? 'candidate gets' : 'candidates get'} an email and can see the result at once.`;
  if (stays === 0) return reached;
  return `${reached} ${numberText(stays)} ${stays === 1 ? 'stays' : 'stay'} back: running, revoked, or a breach is in question.`;
}

/** The result of the newest submitted attempt, as its candidate would see it. */
function Preview({ quiz, onClose }: { quiz: Quiz; onClose(): void }) {
  const newest = useQuery(
    endpointQuery(listParticipants, {
      query: { quizId: quiz.id, status: 'completed', limit: 1, sort: 'startedAt', order: 'desc' },
    }),
  );
  const id = newest.data?.[0]?.id;
  const result = useQuery({
    ...endpointQuery(getResult, { params: { id: id ?? quiz.id } }),
    enabled: id !== undefined,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Preview"
      description="The newest submitted attempt, as its candidate would see it."
    >
      {result.data !== undefined ? (
        <ResultView result={result.data} />
      ) : newest.data?.length === 0 ? (
        <p>No attempt was submitted yet.</p>
      ) : newest.isError || result.isError ? (
        <LoadFailure title="Failed to load the preview" read={newest.isError ? newest : result} />
      ) : (
        <SkeletonRows>Loading the preview...</SkeletonRows>
      )}
    </Dialog>
  );
}
