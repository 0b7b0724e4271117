import { zodResolver } from '@hookform/resolvers/zod';
import type { BodyOf } from '@invigil/core/contract/definition/endpoint';
import { type Person, updatePerson } from '@invigil/core/contract/invitations/people';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { listText } from '@invigil/core/domain/locale';
import { groupsIn, type PersonField } from '@invigil/core/domain/people';
import { t } from '@invigil/core/texts/i18n';
import { Controller, type UseFormReturn, useForm } from 'react-hook-form';
import type { z } from 'zod';
import { fillForm } from '../../../lib/typed-since.ts';
import { Button } from '../../../ui/button.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TagField } from '../../../ui/fields/tag-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/page.tsx';
import { toast } from '../../../ui/toast.ts';
import { useMay } from '../../data/own-rights.ts';
import { useGroups, usePersonFields, useUpdatePerson } from '../../data/people.ts';
import { undoBy } from '../../data/show-failure.ts';
import { fieldIn, useSubmit } from '../../parts/dialogs.tsx';
import { Line } from '../../parts/line.tsx';
import { WhoMay } from '../../parts/permitted.tsx';
import { StaleVersions, useRead } from '../../parts/stale-notice.tsx';

type Details = BodyOf<typeof updatePerson>;

const FIELDS = [
  ...(['givenName', 'familyName', 'email', 'externalId', 'groups', 'language'] as const),
  ...(['extraTime', 'note'] as const),
] as const satisfies readonly (keyof Details)[];

const LABELS: Record<(typeof FIELDS)[number], () => string> = {
  givenName: () => t('people.field.givenName', 'Given name'),
  familyName: () => t('people.field.familyName', 'Family name'),
  email: () => t(/* a label: the address */ 'portal.email', 'Email'),
  externalId: () => t(/* of a student or employee */ 'portal.number', 'Number'),
  groups: () => t(/* of people */ 'people.field.groups', 'Groups'),
  language: () => t('people.field.language', 'Language'),
  extraTime: () => t('portal.extraTime', 'Extra time'),
  note: () => t(/* a label: remarks on a person */ 'people.field.note', 'Note'),
};

const detailsOf = (
  { givenName, familyName, externalId, groups, language, fields, extraTime, note }: Person,
  email: string,
): Details => ({
  ...{ givenName, familyName, email, externalId, groups, language, fields, extraTime, note },
});

const withPart = (whole: Details, { fields, ...part }: Details): Details => ({
  ...{ ...whole, ...part },
  fields: { ...whole.fields, ...fields },
});

/** A form for the details of a person; only changed ones are sent. */
export function PersonDetails({ person, email }: { person: Person; email: string }) {
  const update = useUpdatePerson(person.id);
  const groups = useGroups();
  const ownFields = usePersonFields();
  const isOfAll = useMay()('people.invite');
  const form = useForm({
    resolver: zodResolver(updatePerson.body),
    // A reload shows what others have changed, but for what is being changed here.
    values: detailsOf(person, email),
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty, isSubmitting, dirtyFields } = form.formState;
  useUnsaved(isDirty);
  const read = useRead<Details>({});
  const { theirs } = read;
  const wordsOf = (of: Details): Record<string, string> =>
    Object.fromEntries([
      ...FIELDS.map((field) => [
        LABELS[field](),
        listText([of[field] ?? ''].flat().map(String), 'unit'),
      ]),
      ...ownFields.map(({ id, name }) => [name, of.fields?.[id] ?? '']),
    ]);
  const save = useSubmit(form, {
    failed: t('people.details.failed', 'Failed to save the details'),
    read,
    fields: [...FIELDS, ...ownFields.map(({ id }) => `fields.${id}` as const)],
    onSubmit: async (typed) => {
      const changed = FIELDS.filter((field) => dirtyFields[field] !== undefined);
      const own = Object.keys(dirtyFields.fields ?? {}).map((id) => [id, typed.fields?.[id] ?? '']);
      const sent = structuredClone(form.getValues());
      const opened = form.formState.defaultValues;
      const ownIn = (of: typeof opened) => own.map(([id = '']) => [id, of?.fields?.[id] ?? '']);
      const part = (of: typeof opened, fields: (string | undefined)[][]) => ({
        ...Object.fromEntries(changed.map((field) => [field, of?.[field]])),
        ...(own.length === 0 ? {} : { fields: Object.fromEntries(fields) }),
      });
      const before = { ...part(opened, ownIn(opened)), ...theirs?.stored };
      const saved = await update.mutateAsync({ ...part(typed, own), before });
      read.settle();
      const now = detailsOf(saved, saved.email ?? email);
      fillForm(form, sent, now);
      const undo = undoBy(() => update.mutateAsync({ ...before, before: part(now, ownIn(now)) }));
      // A former address stays known: taking it back is a change of its own.
      toast({
        title: t('people.details.saved', 'Details saved'),
        undo: changed.includes('email') ? undefined : undo,
      });
    },
  });
  return (
    <Card title={t(/* of a person */ 'people.details.title', 'Details')}>
      <form
        noValidate
        onSubmit={(event) => void save(event)}
        className="grid grid-cols-[minmax(0,1fr)] gap-4 px-5 py-4"
      >
        <StaleVersions
          {...{ form, what: 'person', read, wordsOf }}
          valuesIn={(stored) => withPart(form.getValues(), stored)}
          onTakeTheirs={() => {
            const stored = theirs?.stored ?? {};
            const typed = form.getValues();
            // Not as at a reload, which keeps what is typed.
            const all = { keepDirtyValues: false };
            form.reset(withPart(detailsOf(person, email), stored), all);
            form.reset(withPart(typed, stored), { ...all, keepDefaultValues: true });
          }}
          onKeepMine={() => void save()}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={LABELS.givenName()}
            autoComplete="off"
            {...fieldIn(form, 'givenName')}
          />
          <TextField
            label={LABELS.familyName()}
            autoComplete="off"
            {...fieldIn(form, 'familyName')}
          />
        </div>
        <EmailField {...{ form, person, isOfAll }} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={LABELS.externalId()}
            autoComplete="off"
            hint={t('people.details.number', 'Student or employee number.')}
            {...fieldIn(form, 'externalId')}
          />
          <TextField
            label={LABELS.language()}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            hint={t(
              /* said of a language */ 'people.details.language',
              'A code such as en or pt-BR.',
            )}
            {...fieldIn(form, 'language')}
          />
        </div>
        <Controller
          control={form.control}
          name="groups"
          render={({ field, fieldState: { error } }) => (
            <TagField
              label={LABELS.groups()}
              hint={t('people.details.groups', 'Press Enter after each group.')}
              tags={field.value ?? []}
              known={(groups.data ?? []).map(({ group }) => group)}
              maxLength={PEOPLE_LIMITS.textMaxCharacters}
              withTyped={(tags, typed) => [...new Set([...tags, ...groupsIn(typed)])]}
              error={error?.message}
              onChange={field.onChange}
            />
          )}
        />
        {ownFields.length > 0 && (
          <div className="grid gap-4 sm:grid-cols-2">
            {ownFields.map((field) => (
              <OwnField key={field.id} field={field} form={form} />
            ))}
          </div>
        )}
        {isOfAll ? (
          <ForAllAssessments form={form} />
        ) : (
          <p className="text-sm text-ink-3">
            {t('people.details.ownAssessments', 'What you change is shown in your assessments.')}
          </p>
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span role="status" className="text-sm text-ink-3">
            {isDirty ? t('people.details.unsaved', 'Not saved yet') : ''}
          </span>
          <Button
            type="submit"
            busy={isSubmitting && t('portal.saving', 'Saving…')}
            aria-disabled={!isDirty}
          >
            {t(/* a button */ 'people.details.save', 'Save details')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

type DetailsForm = UseFormReturn<Details, unknown, z.output<typeof updatePerson.body>>;

function EmailField({
  form,
  person,
  isOfAll,
}: {
  form: DetailsForm;
  person: Person;
  /** Whether the reader may change all people. */
  isOfAll: boolean;
}) {
  return (
    <TextField
      label={LABELS.email()}
      type="email"
      autoComplete="off"
      readOnly={!isOfAll}
      hint={
        !isOfAll
          ? t(
              'people.details.emailLocked',
              'Only someone who manages all people can change the address.',
            )
          : person.formerEmails.length === 0
            ? t(/* it: the email address */ 'people.details.email', 'This person signs in with it.')
            : t(
                /* it: the email address */ 'people.details.emails',
                'This person signs in with it. Former addresses: {addresses}',
                { addresses: listText(person.formerEmails, 'unit') },
              )
      }
      {...fieldIn(form, 'email')}
    />
  );
}

/** Details that count in every assessment, for those who may change all people. */
function ForAllAssessments({ form }: { form: DetailsForm }) {
  return (
    <>
      <TextField
        label={t('people.field.extraTimePercent', 'Extra time in percent')}
        type="number"
        inputMode="numeric"
        min={0}
        max={PEOPLE_LIMITS.extraTimeMaxPercent}
        autoComplete="off"
        hint={t(
          /* it: extra time */ 'people.details.extraTime',
          'New invitations start with it. Earlier ones keep theirs: change them on the Candidates tab.',
        )}
        {...fieldIn(form, 'extraTime')}
        {...form.register('extraTime', { valueAsNumber: true })}
      />
      <TextArea
        label={LABELS.note()}
        rows={3}
        hint={t(
          /* it: a note */ 'people.details.note',
          'Read by administrators who see all people. The candidate does not see it.',
        )}
        {...fieldIn(form, 'note')}
      />
    </>
  );
}

const NONE = 'none';

function OwnField({ field, form }: { field: PersonField; form: DetailsForm }) {
  const path = `fields.${field.id}` as const;
  if (field.kind !== 'choice') {
    return (
      <TextField
        label={field.name}
        autoComplete="off"
        type={field.kind === 'date' ? 'date' : 'text'}
        {...fieldIn(form, path)}
      />
    );
  }
  const choices = [
    { value: NONE, label: t(/* no choice is selected */ 'people.details.none', 'None') },
    ...field.choices.map((choice) => ({ value: `=${choice}`, label: choice })),
  ];
  return (
    <Controller
      control={form.control}
      name={path}
      defaultValue=""
      render={({ field: { value, onChange } }) => (
        <SelectField
          label={field.name}
          options={choices}
          value={value ? `=${value}` : NONE}
          onChange={(next) => onChange(next === NONE ? '' : next.slice(1))}
        />
      )}
    />
  );
}

/** The same for those who may not change it. */
export function KnownDetails({ person }: { person: Person }) {
  const ownFields = usePersonFields();
  const lines: [label: string, text: string][] = [
    [LABELS.givenName(), person.givenName],
    [LABELS.familyName(), person.familyName],
    [LABELS.email(), person.email ?? ''],
    [t('people.field.formerAddresses', 'Former addresses'), listText(person.formerEmails, 'unit')],
    [LABELS.externalId(), person.externalId],
    [LABELS.groups(), listText(person.groups, 'unit')],
    [LABELS.language(), person.language],
    ...ownFields.map(({ id, name }): [string, string] => [name, person.fields[id] ?? '']),
    [
      LABELS.extraTime(),
      person.extraTime === 0
        ? ''
        : t(/* extra time */ 'people.extraTime.percent', '+{percent} %', {
            percent: person.extraTime,
          }),
    ],
    [LABELS.note(), person.note],
  ];
  return (
    <>
      <Card title={t(/* of a person */ 'people.details.title', 'Details')}>
        <dl className="px-5 py-1.5">
          {lines.map(
            ([label, text]) =>
              text !== '' && (
                <Line key={label} label={label}>
                  {text}
                </Line>
              ),
          )}
        </dl>
      </Card>
      <WhoMay permissions={['people.invite']} what="changeDetails" />
    </>
  );
}
