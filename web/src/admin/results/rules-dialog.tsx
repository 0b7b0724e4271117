import { zodResolver } from '@hookform/resolvers/zod';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import { MarkPercent, ResultRules } from '@invigil/core/contract/assessments/result-rules';
import type { ResponseOf } from '@invigil/core/contract/definition/endpoint';
import { type QuizResults, setResultRules } from '@invigil/core/contract/review/results';
import { listText, numberText } from '@invigil/core/domain/locale';
import { sectionIdOf } from '@invigil/core/domain/questions/quiz-structure';
import { GRADE_SCALES, type ResultRules as Rules } from '@invigil/core/domain/results/outcome';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { type FieldError, get, type UseFormReturn, useFieldArray, useForm } from 'react-hook-form';
import { z } from 'zod';
import { callEndpoint } from '../../net/api.ts';
import { RetryPause } from '../../net/retry.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { morePeopleText, unknownText } from '../data/people.ts';
import { FormDialog, FormSelect, fieldIn } from '../parts/dialogs.tsx';
import { LoadFailure } from '../parts/failures.tsx';
import { OutcomeOf } from '../parts/outcome.tsx';
import { useRead } from '../parts/stale-notice.tsx';

const numberIn = (text: string): number =>
  text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));

/** The typed values; read into the rules, with each problem at its field. */
const Typed = z
  .object({
    kind: z.enum(['none', 'percent', 'points']),
    mark: z.string(),
    sections: z.array(z.object({ id: z.string(), title: z.string(), percent: z.string() })),
    grades: z.array(z.object({ name: z.string(), from: z.string() })),
  })
  .transform(({ kind, mark, sections, grades }, ctx): Rules | null => {
    const rules = {
      passMark: kind === 'none' ? null : { [kind]: numberIn(mark) },
      sectionMarks: sections.flatMap(({ percent, ...section }, i) => {
        if (kind === 'none' || percent.trim() === '') return [];
        const read = MarkPercent.safeParse(numberIn(percent));
        if (read.success) return { ...section, percent: read.data };
        const message =
          read.error.issues[0]?.message ??
          t(/* which percentages may be entered */ 'results.rules.range', 'From 0 to 100');
        ctx.addIssue({ code: 'custom', path: ['sections', i, 'percent'], message });
        return [];
      }),
      grades: grades.map(({ name, from }) => ({ name, from: numberIn(from) })),
    };
    if (rules.passMark === null && grades.length === 0) return null;
    const read = ResultRules.safeParse(rules);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) {
      const [at, ...rest] = path;
      ctx.addIssue({
        code: 'custom',
        path: at === 'passMark' ? ['mark'] : at === undefined ? [] : [at, ...rest],
        message,
      });
    }
    return z.NEVER;
  });

type Values = z.input<typeof Typed>;
type RulesForm = UseFormReturn<Values, unknown, Rules | null>;

function valuesOf({ rules, sections, figures }: QuizResults): Values {
  const mark = rules?.passMark ?? null;
  const known = rules?.sectionMarks ?? [];
  const all = [...sections, ...known, ...figures.sections];
  const titles = new Map(all.map((one) => [sectionIdOf(one), one.title]));
  return {
    kind: mark === null ? 'none' : 'percent' in mark ? 'percent' : 'points',
    mark: mark === null ? '' : String('percent' in mark ? mark.percent : mark.points),
    sections: [...titles].map(([id, title]) => ({
      ...{ id, title },
      percent: String(known.find((one) => sectionIdOf(one) === id)?.percent ?? ''),
    })),
    grades: gradesOf(rules?.grades ?? []),
  };
}

const gradesOf = (grades: Rules['grades']) =>
  grades.map(({ name, from }) => ({ name, from: String(from) }));

const isOfPapersOnly = ({ sections, figures }: QuizResults, wanted: string): boolean =>
  !sections.some(({ id }) => id === wanted) && figures.sections.some(({ id }) => id === wanted);

/** A mark as it was typed: “12.5 points”. */
const pointsMarkText = (mark: string) =>
  t('results.rules.markPoints', '{count, plural, one {{mark} point} other {{mark} points}}', {
    mark,
    count: numberIn(mark),
  });

/** Rules as people read them, to compare two versions. */
const wordsOf = ({ kind, mark, sections, grades }: Values): Record<string, string> => ({
  [t('results.passMark', 'Pass mark')]:
    kind === 'none'
      ? ''
      : kind === 'percent'
        ? t(/* a percentage as it was typed */ 'results.rules.markPercent', '{mark} %', { mark })
        : pointsMarkText(mark),
  ...Object.fromEntries(sections.map(({ title, percent }) => [title, percent])),
  [t('results.grades', 'Grades')]: listText(
    grades.map(({ name, from }) =>
      t(
        /* the name of a grade and the percentage from which it is given */ 'results.rules.gradeFrom',
        '{name} from {percent} %',
        { name, percent: from },
      ),
    ),
    'unit',
  ),
});

/** Pass mark and grades of an assessment, and, before they are saved, whose outcome they change. */
export function RulesDialog({
  quiz,
  results,
  onClose,
}: {
  quiz: Quiz;
  results: QuizResults;
  onClose(): void;
}) {
  const client = useQueryClient();
  const params = { id: quiz.id };
  const form: RulesForm = useForm({
    resolver: zodResolver(Typed),
    defaultValues: valuesOf(results),
    mode: 'onBlur',
  });
  const values = form.watch();
  const valuesIn = (rules: QuizResults['rules']) => valuesOf({ ...results, rules });
  const read = useRead(results.rules);
  const { before } = read;
  const { trial, isValid } = useTrial(quiz.id, values, before);
  const isChecked = trial.isSuccess && !trial.isPlaceholderData;
  return (
    <FormDialog
      form={form}
      stale={{ what: 'passMark', read, valuesIn, wordsOf }}
      title={t('results.rules', 'Pass mark and grades')}
      description={t(
        /* they: the pass mark and the grades */ 'results.rules.description',
        'They apply to every attempt at this assessment, also to those that have ended.',
      )}
      submitLabel={t(/* a button */ 'portal.save', 'Save')}
      busyLabel={t('portal.saving', 'Saving…')}
      failed={t('results.rules.failed', 'Failed to save pass mark and grades')}
      // Problems with the rules are shown at their fields.
      unavailable={
        isChecked || !isValid
          ? undefined
          : trial.isError
            ? notChecked()
            : t(
                /* why a button cannot be used */ 'results.rules.checkingShort',
                'Checking who would change',
              )
      }
      onClose={onClose}
      onSubmit={async (rules) => {
        await callEndpoint(setResultRules, { params, body: { rules, dryRun: false, before } });
        // Results, statistics and releases of the assessment.
        void client.invalidateQueries({ queryKey: ['api', 'quizzes', quiz.id] });
        void client.invalidateQueries({ queryKey: ['api', 'participants'] });
        return {
          title: t('results.rules.saved', 'Pass mark and grades saved'),
          description: quiz.title,
        };
      }}
    >
      <div className="flex flex-wrap items-start gap-3">
        <FormSelect
          form={form}
          name="kind"
          label={t('results.passMark', 'Pass mark')}
          className="w-44"
          options={[
            { value: 'none', label: t(/* there is no pass mark */ 'results.rules.none', 'None') },
            {
              value: 'percent',
              label: t(/* the unit of the pass mark */ 'results.rules.inPercent', 'In percent'),
            },
            {
              value: 'points',
              label: t(/* the unit of the pass mark */ 'results.rules.inPoints', 'In points'),
            },
          ]}
        />
        {values.kind !== 'none' && (
          <TextField
            label={
              values.kind === 'percent'
                ? t(/* a field: the pass mark */ 'portal.percent', 'Percent')
                : t(/* a field: the pass mark */ 'portal.points', 'Points')
            }
            className="w-32"
            inputMode="decimal"
            autoComplete="off"
            {...fieldIn(form, 'mark')}
          />
        )}
      </div>
      {values.kind !== 'none' && values.sections.length > 0 && (
        <fieldset className="grid gap-2">
          <legend className="mb-1 font-medium">
            {t('results.rules.minimum', 'Minimum in sections')}
          </legend>
          {values.sections.map(({ id, title }, i) => (
            <TextField
              key={id}
              label={title}
              hint={
                isOfPapersOnly(results, id)
                  ? t(
                      'results.rules.minimum.earlierPapers',
                      'Percent of the points of this section. Only earlier papers have it.',
                    )
                  : t('results.rules.minimum.hint', 'Percent of the points of this section.')
              }
              optional
              className="max-w-80"
              inputMode="decimal"
              autoComplete="off"
              {...fieldIn(form, `sections.${i}.percent`)}
            />
          ))}
        </fieldset>
      )}
      {isValid && <Effect trial={trial} />}
      <Grades form={form} />
    </FormDialog>
  );
}

const SCALES = Object.entries(GRADE_SCALES);

function Grades({ form }: { form: RulesForm }) {
  const list = useFieldArray({ control: form.control, name: 'grades' });
  const whole: FieldError | undefined = get(form.formState.errors, 'grades');
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1 font-medium">{t('results.grades', 'Grades')}</legend>
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-sm text-ink-2">
          {t(/* buttons follow: scales of grades */ 'results.rules.beginWith', 'Begin with')}
        </span>
        {SCALES.map(([key, { name, grades }]) => (
          <Button key={key} size="dense" onClick={() => list.replace(gradesOf(grades()))}>
            {name()}
          </Button>
        ))}
        {list.fields.length > 0 && (
          <Button size="dense" onClick={() => list.replace([])}>
            {t(/* a button: removes all grades */ 'results.rules.noGrades', 'No grades')}
          </Button>
        )}
      </div>
      {list.fields.map(({ id }, i) => (
        <div key={id} className="flex items-end gap-3">
          <TextField
            label={t(/* a field: the name of a grade */ 'results.rules.grade', 'Grade {number}', {
              number: i + 1,
            })}
            className="min-w-0 flex-1"
            autoComplete="off"
            {...fieldIn(form, `grades.${i}.name`)}
          />
          <TextField
            label={t(
              /* a field: the percentage from which a grade is given */ 'results.rules.fromPercent',
              'From percent',
            )}
            className="w-32"
            inputMode="decimal"
            autoComplete="off"
            {...fieldIn(form, `grades.${i}.from`)}
          />
          <IconButton
            label={t('results.rules.removeGrade', 'Remove grade {number}', { number: i + 1 })}
            onClick={() => list.remove(i)}
          >
            <Trash2 />
          </IconButton>
        </div>
      ))}
      {list.fields.length > 0 && (
        <Button
          className="w-fit"
          icon={<Plus />}
          onClick={() => list.append({ name: '', from: '0' })}
        >
          {t(/* a button */ 'results.rules.addGrade', 'Add a grade')}
        </Button>
      )}
      {typeof whole?.message === 'string' && (
        <p role="alert" className="text-sm text-bad-ink">
          {whole.message}
        </p>
      )}
    </fieldset>
  );
}

type Trial = ResponseOf<typeof setResultRules>;

const checking = () => t('results.rules.checking', 'Checking who would change…');
const notChecked = () => t('results.rules.notChecked', 'Could not check who would change');
/** Milliseconds since the last key. */
const TYPING_PAUSE_MS = 300;

/** Finds the people whose outcome the typed rules would change. */
function useTrial(quizId: string, values: Values, before: QuizResults['rules']) {
  const rules = Typed.safeParse(values);
  const trial = useQuery({
    queryKey: ['result-rules', quizId, rules.data],
    // The next key aborts the signal: of what is typed at once, only the last is asked.
    queryFn: async ({ signal }) => {
      await new RetryPause().wait(TYPING_PAUSE_MS, signal);
      signal.throwIfAborted();
      return callEndpoint(setResultRules, {
        params: { id: quizId },
        body: { rules: rules.data ?? null, dryRun: true, before },
        signal,
      });
    },
    enabled: rules.success,
    placeholderData: (before) => before,
    gcTime: 0,
  });
  return { trial, isValid: rules.success };
}

function Effect({ trial }: { trial: UseQueryResult<Trial> }) {
  if (trial.isError) return <LoadFailure title={notChecked()} read={trial} />;
  if (trial.isPending) return <p role="status">{checking()}</p>;
  const { changed, changes, before, after } = trial.data;
  return (
    <section
      aria-label={t('results.effect.title', 'What changes')}
      aria-busy={trial.isPlaceholderData}
      className={`grid gap-2 ${trial.isPlaceholderData ? 'opacity-60' : ''}`}
    >
      <p role="status">
        {trial.isPlaceholderData ? checking() : effectSentence(changed, before, after)}
      </p>
      {changes.length > 0 && (
        <ul
          aria-label={t(/* a list of people */ 'results.effect.list', 'Changed outcomes')}
          className="max-h-44 overflow-y-auto rounded-lg border border-line"
        >
          {changes.map(({ participantId, userEmail, userName, ...change }) => (
            <li
              key={participantId}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line px-4 py-2 last:border-b-0"
            >
              <span className="min-w-0 wrap-anywhere">
                {isolated(userName ?? userEmail ?? unknownText())}
              </span>
              <span className="flex flex-none flex-wrap items-center gap-2">
                {change.before && (
                  <>
                    <OutcomeOf outcome={change.before} />
                    <span aria-hidden="true" className="points-on">
                      →
                    </span>
                  </>
                )}
                {change.after === null ? (
                  t(/* neither passed nor failed */ 'results.effect.noOutcome', 'No outcome')
                ) : (
                  <OutcomeOf outcome={change.after} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {changed > changes.length && (
        <p className="text-sm text-ink-3">{morePeopleText(changed - changes.length)}</p>
      )}
    </section>
  );
}

function effectSentence(changed: number, before: Trial['before'], after: Trial['after']): string {
  if (after.ended === 0) return t('results.effect.noneFinished', 'No attempt has finished yet.');
  if (changed === 0) return t('results.effect.none', 'No outcome changes.');
  const counts = { changed, ended: numberText(after.ended) };
  if (after.passed + after.failed === 0) {
    return t(
      /* changed of ended: how many attempts get another outcome, of how many */ 'results.effect',
      '{changed, plural, one {# of {ended} outcomes change.} other {# of {ended} outcomes change.}}',
      counts,
    );
  }
  const passed = { ...counts, changed: numberText(changed), passed: after.passed };
  return before.passed + before.failed === 0
    ? t(
        /* changed of ended: how many attempts get another outcome, of how many; passed: how many pass then */ 'results.effect.passed',
        '{passed, plural, one {{changed} of {ended} outcomes change: # passes.} other {{changed} of {ended} outcomes change: # pass.}}',
        passed,
      )
    : t(
        /* changed of ended: how many attempts get another outcome, of how many; passed: how many pass then; before: how many pass now */ 'results.effect.instead',
        '{passed, plural, one {{changed} of {ended} outcomes change: # passes instead of {before}.} other {{changed} of {ended} outcomes change: # pass instead of {before}.}}',
        { ...passed, before: numberText(before.passed) },
      );
}
