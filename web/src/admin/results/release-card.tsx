import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { listParticipants } from '@invigil/core/contract/review/participants';
import {
  getReleases,
  getResult,
  NewReleaseRules,
  type Releases,
  setReleaseRules,
} from '@invigil/core/contract/review/releases';
import { listText } from '@invigil/core/domain/locale';
import {
  latePartsOf,
  type ReleasedPart,
  type ReleaseHold,
  type ReleaseRules as Rules,
  takesBack,
} from '@invigil/core/domain/results/release';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
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
import { morePeopleText } from '../data/people.ts';
import { FormDialog, fieldIn } from '../parts/dialogs.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { KeyRisk, keyAfterEnd, ReleaseDialog } from '../parts/release-follows.tsx';
import { useRead } from '../parts/stale-notice.tsx';

const PARTS: Record<ReleasedPart, () => string> = {
  outcome: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.outcome',
      'Passed or not',
    ),
  grade: () =>
    t(/* what candidates see of their results; they: candidates */ 'results.part.grade', 'Grade'),
  score: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.score',
      'Points and percent',
    ),
  sections: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.sections',
      'Points by section',
    ),
  answers: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.answers',
      'Their own answers',
    ),
  key: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.key',
      'Right answers, and with points what each question earned',
    ),
  explanations: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.explanations',
      'Explanations, and feedback on what they selected',
    ),
  statistics: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.statistics',
      'Everyone’s results as a distribution',
    ),
  certificate: () =>
    t(
      /* what candidates see of their results; they: candidates */ 'results.part.certificate',
      'A certificate, for those who passed',
    ),
};
const ALL_PARTS = Object.keys(PARTS) as ReleasedPart[];

/** The same in the middle of a sentence. */
const PARTS_INSIDE: Record<ReleasedPart, () => string> = {
  outcome: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.outcome',
      'passed or not',
    ),
  grade: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.grade',
      'grade',
    ),
  score: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.score',
      'points and percent',
    ),
  sections: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.sections',
      'points by section',
    ),
  answers: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.answers',
      'their own answers',
    ),
  key: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.key',
      'right answers, and with points what each question earned',
    ),
  explanations: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.explanations',
      'explanations, and feedback on what they selected',
    ),
  statistics: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.statistics',
      'everyone’s results as a distribution',
    ),
  certificate: () =>
    t(
      /* in a list: what candidates see of their results; they: candidates */ 'results.seen.certificate',
      'a certificate, for those who passed',
    ),
};

const WHEN: Record<Rules['when']['kind'], () => string> = {
  by_hand: () =>
    t(/* when candidates see their results */ 'results.when.byHand', 'When you release them'),
  at_once: () =>
    t(
      /* when candidates see their results */ 'results.when.atOnce',
      'At once, after the end of each attempt',
    ),
  at: () =>
    t(/* when candidates see their results: at a date and time */ 'results.when.at', 'At a time'),
  reviewed: () =>
    t(
      /* when candidates see their results */ 'results.when.reviewed',
      'When each attempt is reviewed',
    ),
};

const HELD: Record<ReleaseHold, (count: number) => string> = {
  running: (count) =>
    t(
      /* attempts */ 'results.held.running',
      '{count, plural, one {# still runs} other {# still run}}',
      { count },
    ),
  revoked: (count) =>
    t(
      /* attempts; they: candidates */ 'results.held.revoked',
      '{count, plural, one {# whose invitation was revoked: they cannot sign in to read it} other {# whose invitation was revoked: they cannot sign in to read it}}',
      { count },
    ),
  breach: (count) =>
    t(
      /* attempts */ 'results.held.breach',
      '{count, plural, one {# with the verdict “Breach of the rules”: release it in its record} other {# with the verdict “Breach of the rules”: release each in its record}}',
      { count },
    ),
  undecided: (count) =>
    t(
      /* attempts */ 'results.held.undecided',
      '{count, plural, one {# dismissed and not reviewed} other {# dismissed and not reviewed}}',
      { count },
    ),
  mail: (count) =>
    t(
      /* results that are not released yet */ 'results.held.mail',
      '{count, plural, one {# waits for a mail server, so that candidates learn of it} other {# wait for a mail server, so that candidates learn of it}}',
      { count },
    ),
  by_hand: (count) =>
    t(
      /* results that are not released yet */ 'results.held.byHand',
      '{count, plural, one {# waits for you} other {# wait for you}}',
      { count },
    ),
  review: (count) =>
    t(
      /* results that are not released yet */ 'results.held.review',
      '{count, plural, one {# waits for a reviewer} other {# wait for a reviewer}}',
      { count },
    ),
  time: (count) =>
    t(
      /* results that are not released yet */ 'results.held.time',
      '{count, plural, one {# waits for that time} other {# wait for that time}}',
      { count },
    ),
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
    <Card
      title={t(
        /* title, a noun: what candidates see of their results */ 'results.release',
        'Release',
      )}
    >
      {releases.isError ? (
        <div className="p-5">
          <LoadFailure
            title={t('results.release.loadFailed', 'Failed to load the release')}
            read={releases}
          />
        </div>
      ) : data === undefined ? (
        <SkeletonRows rows={2}>
          {t('results.release.loading', 'Loading the release...')}
        </SkeletonRows>
      ) : (
        <div className="grid gap-3 px-5 py-4 text-ink-2">
          <State releases={data} />
          {mayRelease && (
            <div className="flex flex-wrap gap-2">
              {data.rules !== null && dueIn(data) > 0 && (
                <Button variant="primary" onClick={() => setOpen('release')}>
                  {data.changed > 0
                    ? t(/* a button */ 'results.releaseAgain', 'Release again')
                    : t(/* a button */ 'results.releaseNow', 'Release now')}
                </Button>
              )}
              <Button onClick={() => setOpen('rules')}>
                {data.rules === null
                  ? t(/* a button */ 'results.release.setUp', 'Set up the release')
                  : t('results.change', 'Change')}
              </Button>
              <Button onClick={() => setOpen('preview')}>
                {t(/* a noun */ 'results.preview', 'Preview')}
              </Button>
            </div>
          )}
        </div>
      )}
      {open === 'rules' && data !== undefined && (
        <ReleaseRulesDialog quiz={quiz} releases={data} onClose={close} />
      )}
      {open === 'release' && data !== undefined && (
        <ReleaseDialog
          quizId={quiz.id}
          ids="all"
          title={t('results.releaseNow.title', 'Release results now?')}
          onClose={close}
        >
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
        {t(
          /* “Under Review” is what candidates read */ 'results.release.none',
          'Candidates see no result: they read “Under Review”, and that results are communicated separately.',
        )}
      </p>
    );
  }
  const at = rules.when.kind === 'at' ? momentText(rules.when.at, timeZone, zoneName()) : null;
  const parts = rules.parts.map((part) => PARTS_INSIDE[part]()).join('; ');
  return (
    <>
      <p>
        {[
          at === null
            ? t(
                /* when: “At once, after the end of each attempt” or the like; parts: “points and percent” and the like */ 'results.released.when',
                '{when}. Candidates see: {parts}.',
                { when: WHEN[rules.when.kind](), parts },
              )
            : t(
                /* time: with its date; parts: “points and percent” and the like */ 'results.released.on',
                'On {time}. Candidates see: {parts}.',
                { time: at, parts },
              ),
          ...(rules.keyAfterEnd
            ? [
                t(
                  'results.released.keyAfterEnd',
                  'Answers and explanations come once no one can start or is under way.',
                ),
              ]
            : []),
          t(
            'results.released.openDays',
            '{count, plural, one {The one-time password opens the result for # day.} other {The one-time password opens the result for # days.}}',
            { count: rules.openDays },
          ),
        ].join(' ')}
      </p>
      <ul className="grid gap-1">
        <li>
          {t(
            /* how many results */ 'results.released',
            '{count, plural, one {# released} other {# released}}',
            { count: released },
          )}
        </li>
        {changed > 0 && (
          <li className="font-medium text-warn-ink">
            {t(
              /* of the released results */ 'results.released.changed',
              '{count, plural, one {# of them changed since: release again to tell these candidates} other {# of them changed since: release again to tell these candidates}}',
              { count: changed },
            )}
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
      aria-label={t(
        /* a list of people */ 'results.release.changedList',
        'Changed since their release',
      )}
      className="mt-1 grid max-h-44 gap-1 overflow-y-auto font-normal text-ink-2"
    >
      {seen.map(({ participantId, userName, userEmail }) => (
        <li key={participantId} className="wrap-anywhere">
          {isolated(userName ?? userEmail ?? '')}
        </li>
      ))}
      {n > seen.length && <li>{morePeopleText(n - seen.length)}</li>}
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

const KEY_FROM: Record<Values['keyFrom'], () => string> = {
  end: keyAfterEnd,
  result: () =>
    t(/* when answers and explanations are shown */ 'results.keyFrom.result', 'With the result'),
};

/** A release in words, to compare two versions. */
const wordsOf = ({ kind, at, openDays, parts, keyFrom }: Values): Record<string, string> => ({
  [t(/* a field: when candidates see their results */ 'results.when', 'When')]:
    kind === 'never'
      ? t(/* when results are released */ 'results.when.never', 'not at all')
      : kind === 'at'
        ? at.replace('T', ' ')
        : WHEN[kind](),
  [t(/* a field: what candidates see of their results */ 'results.what', 'What')]:
    kind === 'never'
      ? ''
      : listText(
          parts.map((part) => PARTS[part]()),
          'unit',
        ),
  [t('results.keyFrom', 'Answers and explanations')]:
    kind === 'never' || latePartsOf({ parts }).length === 0 ? '' : KEY_FROM[keyFrom](),
  [t(/* it: the result */ 'results.openDays', 'Days in which it can be read')]:
    kind === 'never' ? '' : openDays,
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
        const said =
          at === 'at' ? t('results.release.enterTime', 'Enter a date and time') : message;
        return [
          at,
          {
            message:
              at === 'openDays'
                ? t(/* what may be entered */ 'results.openDays.range', 'From 1 to 365 days')
                : said,
          },
        ];
      }),
    );
  };
  return (
    <FormDialog
      form={form}
      stale={{ what: 'release', read, valuesIn: storedIn, wordsOf }}
      title={t('results.release.title', 'Release of results')}
      description={t(
        /* they: candidates */ 'results.release.description',
        'What candidates see of their results, and when. They sign in again with the same one-time password.',
      )}
      submitLabel={t(/* a button */ 'portal.save', 'Save')}
      busyLabel={t('portal.saving', 'Saving…')}
      failed={t('results.release.failed', 'Failed to save the release')}
      onClose={onClose}
      onSubmit={async (all) => {
        const problems = Object.entries(check(all));
        for (const [name, problem] of problems) form.setError(name as keyof Values, problem);
        if (problems.length > 0) return undefined;
        const rulesNow = bodyOf(all) as Rules | null;
        const body = { rules: rulesNow, before: read.before };
        const saved = await callEndpoint(setReleaseRules, { params, body });
        await replaceCached(client, endpointKey(getReleases, { params }), saved);
        return {
          title: t(/* a noun */ 'results.release.saved', 'Release saved'),
          description: quiz.title,
        };
      }}
    >
      <SelectField
        label={t(/* a field: when candidates see their results */ 'results.when', 'When')}
        options={[
          ...Object.entries(WHEN).map(([value, label]) => ({ value, label: label() })),
          {
            value: 'never',
            label: t(
              /* when candidates see their results */ 'results.when.notAtAll',
              'Not at all: results are communicated separately',
            ),
          },
        ]}
        value={values.kind}
        onChange={(kind) => form.setValue('kind', kind as Values['kind'], { shouldDirty: true })}
      />
      <TakenBack releases={releases} after={bodyOf(values) as Rules | null} />
      {values.kind === 'at' && (
        <TextField
          type="datetime-local"
          label={t(/* zone: a time zone */ 'results.dateTime', 'Date and time ({zone})', {
            zone: zoneName(),
          })}
          {...fieldIn(form, 'at')}
        />
      )}
      {values.kind !== 'never' && (
        <>
          <fieldset className="grid gap-2">
            <legend className="mb-1 font-medium">
              {t(/* a field: what candidates see of their results */ 'results.what', 'What')}
            </legend>
            {ALL_PARTS.map((part) => (
              <Checkbox key={part} label={PARTS[part]()} value={part} {...form.register('parts')} />
            ))}
            {form.formState.errors.parts && (
              <p role="alert" className="text-sm text-bad-ink">
                {form.formState.errors.parts.message}
              </p>
            )}
          </fieldset>
          {tellsAnswers && (
            <SelectField
              label={t('results.keyFrom', 'Answers and explanations')}
              options={Object.entries(KEY_FROM).map(([value, label]) => ({
                value,
                label: label(),
              }))}
              value={values.keyFrom}
              onChange={(keyFrom) =>
                form.setValue('keyFrom', keyFrom as Values['keyFrom'], { shouldDirty: true })
              }
            />
          )}
          {tellsAnswers && values.keyFrom === 'result' && <KeyRisk releases={releases} />}
          {tellsAnswers && values.keyFrom === 'end' && quiz.endDate === null && (
            <p className="text-sm text-ink-3">
              {t(
                /* they: answers and explanations */ 'results.keyFrom.noEnd',
                'This assessment has no end date: they are shown once you deactivate it, and only within the days below.',
              )}
            </p>
          )}
          {(values.kind === 'at_once' || values.kind === 'at') && releases.toReview > 0 && (
            <p className="text-ink-2">
              {t(
                'results.toReview',
                '{count, plural, one {# attempt has events that no one has reviewed, and is released all the same.} other {# attempts have events that no one has reviewed, and are released all the same.}}',
                { count: releases.toReview },
              )}
            </p>
          )}
          <TextField
            label={t(/* it: the result */ 'results.openDays', 'Days in which it can be read')}
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
  const title =
    after === null
      ? t(
          'results.takenBack',
          '{count, plural, one {# released result is taken back until you release results again.} other {# released results are taken back until you release results again.}}',
          { count: released },
        )
      : t(
          /* that time: when results are released */ 'results.takenBack.untilThen',
          '{count, plural, one {# released result is taken back until that time.} other {# released results are taken back until that time.}}',
          { count: released },
        );
  return (
    <Notice tone="warn" icon={<TriangleAlert />} title={title}>
      {seen === 0
        ? t(
            /* them: released results */ 'results.takenBack.unopened',
            'The emails about them were sent, and none was opened yet: that cannot be undone.',
          )
        : t(
            /* them: released results; count: how many were opened */ 'results.takenBack.opened',
            '{count, plural, one {The emails about them were sent, and # was opened: that cannot be undone.} other {The emails about them were sent, and # were opened: that cannot be undone.}}',
            { count: seen },
          )}
      {rules.parts.includes('certificate') &&
        ` ${t('results.takenBack.certificates', 'Certificates that were issued say “under correction” until then.')}`}
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
  const reached = t(
    'results.releaseNow.reached',
    '{count, plural, one {# candidate gets an email and can see the result at once.} other {# candidates get an email and can see the result at once.}}',
    { count: due },
  );
  if (stays === 0) return reached;
  const back = t(
    /* results that are not released, and why */ 'results.releaseNow.stays',
    '{count, plural, one {# stays back: running, revoked, or a breach is in question.} other {# stay back: running, revoked, or a breach is in question.}}',
    { count: stays },
  );
  return `${reached} ${back}`;
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
      title={t(/* a noun */ 'results.preview', 'Preview')}
      description={t(
        'results.preview.description',
        'The newest submitted attempt, as its candidate would see it.',
      )}
    >
      {result.data !== undefined ? (
        <ResultView result={result.data} />
      ) : newest.data?.length === 0 ? (
        <p>{t('results.preview.none', 'No attempt was submitted yet.')}</p>
      ) : newest.isError || result.isError ? (
        <LoadFailure
          title={t('results.preview.loadFailed', 'Failed to load the preview')}
          read={newest.isError ? newest : result}
        />
      ) : (
        <SkeletonRows>{t('results.preview.loading', 'Loading the preview...')}</SkeletonRows>
      )}
    </Dialog>
  );
}
