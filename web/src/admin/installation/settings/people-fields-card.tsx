import { zodResolver } from '@hookform/resolvers/zod';
import { setPersonFields } from '@invigil/core/contract/invitations/people';
import { PEOPLE_LIMITS } from '@invigil/core/domain/limits';
import { listText } from '@invigil/core/domain/locale';
import type { PersonField } from '@invigil/core/domain/people';
import { isolated } from '@invigil/core/domain/typed-text';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Controller, type UseFormReturn, useFieldArray, useForm } from 'react-hook-form';
import { z } from 'zod';
import { callEndpoint } from '../../../net/api.ts';
import { replaceCached } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialogs/dialog.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { toast } from '../../../ui/toast.ts';
import { PERSON_FIELDS } from '../../data/people.ts';
import { showFailure } from '../../data/show-failure.ts';
import { fieldIn } from '../../parts/dialogs.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';

const kinds = (): { value: PersonField['kind']; label: string }[] => [
  { value: 'text', label: t(/* the kind of a field of people */ 'settings.fields.text', 'Text') },
  {
    value: 'number',
    label: t(/* the kind of a field of people */ 'settings.fields.number', 'Number'),
  },
  { value: 'date', label: t(/* the kind of a field of people */ 'settings.fields.date', 'Date') },
  {
    value: 'choice',
    label: t(
      /* the kind of a field of people: one of several */ 'settings.fields.choice',
      'Choice',
    ),
  },
];

/** The installation's own fields of people. */
export function PeopleFieldsCard() {
  const fields = useQuery(PERSON_FIELDS);
  return (
    <LoadedCard
      title={t(
        /* heading of a card: what is kept of people */ 'settings.fields.title',
        'Fields of people',
      )}
      read={fields}
      failure={t('settings.fields.loadFailed', 'Failed to load the fields')}
      loading={t('settings.fields.loading', 'Loading fields...')}
      rows={2}
      keeps
    >
      {/* A new form for what someone else has stored. */}
      {(stored) => <FieldsForm key={JSON.stringify(stored)} stored={stored} />}
    </LoadedCard>
  );
}

/** The choices are typed in one line. */
const Typed = z
  .object({ fields: z.array(z.custom<FieldTyped>()) })
  .transform(({ fields }) => ({
    fields: fields.map(({ choices, ...field }) => ({
      ...field,
      choices: field.kind === 'choice' ? listOf(choices) : [],
    })),
  }))
  .pipe(setPersonFields.body);

const listOf = (text: string) => [
  ...new Set(text.split(/[;,\n]/).flatMap((one) => one.trim() || [])),
];

type FieldTyped = Omit<PersonField, 'choices'> & { choices: string };
type Values = { fields: FieldTyped[] };
type FieldsFormReturn = UseFormReturn<Values, unknown, z.output<typeof Typed>>;

function FieldsForm({ stored }: { stored: PersonField[] }) {
  const client = useQueryClient();
  const form: FieldsFormReturn = useForm({
    resolver: zodResolver(Typed),
    defaultValues: {
      fields: stored.map((field) => ({ ...field, choices: field.choices.join(', ') })),
    },
  });
  const list = useFieldArray({ control: form.control, name: 'fields', keyName: 'key' });
  const { isDirty, errors } = form.formState;
  useUnsaved(isDirty);
  const [asked, setAsked] = useState<z.output<typeof Typed> | null>(null);
  const save = useMutation({
    mutationFn: (body: z.output<typeof Typed>) =>
      callEndpoint(setPersonFields, { body: { ...body, before: stored } }),
    onSuccess: async (saved) => {
      await replaceCached(client, PERSON_FIELDS.queryKey, saved);
      toast({ title: t('settings.fields.saved', 'Fields saved') });
    },
    onError: (error) =>
      showFailure(t('settings.fields.saveFailed', 'Failed to save the fields'), error),
    onSettled: () => setAsked(null),
  });
  const removed = (fields: readonly { id: string }[]) =>
    stored.filter(({ id }) => !fields.some((field) => field.id === id));
  const submit = form.handleSubmit((body) => {
    // Removing a field deletes the values that people have in it.
    if (removed(body.fields).length > 0) setAsked(body);
    else save.mutate(body);
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4 px-5 py-4">
      <p className="text-sm text-ink-2">
        {t(
          'settings.fields.explanation',
          'What you keep of people beside name, number, groups and language. A column of a list with the same name fills it.',
        )}
      </p>
      {list.fields.map(({ key, kind }, i) => (
        <fieldset key={key} className="grid gap-3 border-t border-line pt-4">
          <legend className="sr-only">
            {t('settings.fields.field', 'Field {number}', { number: i + 1 })}
          </legend>
          <div className="flex items-end gap-3">
            <TextField
              label={t(/* a field: of a field of people */ 'portal.nameOfThing', 'Name')}
              className="min-w-0 flex-1"
              autoComplete="off"
              {...fieldIn(form, `fields.${i}.name`)}
            />
            <Controller
              control={form.control}
              name={`fields.${i}.kind`}
              render={({ field }) => (
                <SelectField
                  label={t(
                    /* a field: text, number, date or choice */ 'settings.fields.kind',
                    'Kind',
                  )}
                  className="w-32"
                  options={kinds()}
                  value={field.value}
                  onChange={(value) => {
                    field.onChange(value);
                    list.update(i, { ...form.getValues(`fields.${i}`), kind: value });
                  }}
                />
              )}
            />
            <IconButton
              label={t(/* a button */ 'settings.fields.removeOne', 'Remove field {number}', {
                number: i + 1,
              })}
              onClick={() => list.remove(i)}
            >
              <Trash2 />
            </IconButton>
          </div>
          {kind === 'choice' && (
            <TextField
              label={t(/* a field: what can be chosen */ 'settings.fields.choices', 'Choices')}
              autoComplete="off"
              hint={t(/* choices */ 'settings.fields.choicesHint', 'Separated by commas.')}
              {...fieldIn(form, `fields.${i}.choices`)}
            />
          )}
          <Checkbox
            label={t(
              /* a choice: a field of people says who someone is */ 'settings.fields.personal',
              'Personal',
            )}
            hint={t(
              /* a field of people */ 'settings.fields.personalHint',
              'Says who someone is: it is left out of reports without names.',
            )}
            {...form.register(`fields.${i}.isPersonal`)}
          />
        </fieldset>
      ))}
      {typeof errors.fields?.message === 'string' && (
        <p role="alert" className="text-sm text-bad-ink">
          {errors.fields.message}
        </p>
      )}
      <div className="flex flex-wrap justify-between gap-3">
        <Button
          icon={<Plus />}
          aria-disabled={list.fields.length >= PEOPLE_LIMITS.fieldsMax}
          onClick={() =>
            list.append({
              ...{ id: crypto.randomUUID(), name: '', kind: 'text' },
              ...{ choices: '', isPersonal: true },
            })
          }
        >
          {t(/* a button */ 'settings.fields.add', 'Add a field')}
        </Button>
        <Button
          type="submit"
          aria-disabled={!isDirty}
          busy={save.isPending && t(/* on a button */ 'portal.saving', 'Saving…')}
        >
          {t(/* a button */ 'settings.fields.save', 'Save fields')}
        </Button>
      </div>
      <AlertDialog
        open={asked !== null}
        title={t('settings.fields.removeTitle', 'Remove fields?')}
        confirmLabel={t(/* a button: fields of people */ 'portal.remove', 'Remove')}
        busy={save.isPending && t(/* on a button */ 'settings.fields.removing', 'Removing…')}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked !== null && save.mutate(asked)}
      >
        {t(
          /* {fields} is a list of the names of fields */ 'settings.fields.deleted',
          'What people have in {fields} is deleted.',
          {
            fields: listText(
              removed(asked?.fields ?? []).map(({ name }) =>
                t(
                  /* the name of a field, in quotation marks */ 'settings.fields.quoted',
                  '“{name}”',
                  {
                    name: isolated(name),
                  },
                ),
              ),
              'unit',
            ),
          },
        )}
      </AlertDialog>
    </form>
  );
}
