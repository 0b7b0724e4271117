import { zodResolver } from '@hookform/resolvers/zod';
import {
  getRetention,
  putRetention,
  Retention,
} from '@invigil/core/contract/installation/retention';
import { t } from '@invigil/core/texts/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { fillForm } from '../../../lib/typed-since.ts';
import { callEndpoint } from '../../../net/api.ts';
import { endpointQuery, replaceCached } from '../../../net/endpoint-query.ts';
import { showIssues } from '../../../net/form-refusal.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialogs/dialog.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import { fieldIn } from '../../parts/dialogs.tsx';
import { LoadedCard } from '../../parts/loaded.tsx';

const RETENTION = endpointQuery(getRetention, {});

/** Typed as text; anything but a whole number is refused with the sentence of the contract. */
const Typed = z
  .object({
    days: z.string().transform((days) => (/^\s*\d+\s*$/.test(days) ? Number(days) : null)),
  })
  .pipe(Retention);

export function RetentionCard() {
  const retention = useQuery(RETENTION);
  return (
    <LoadedCard
      title={t(
        /* heading of a card: how long monitoring data is kept */ 'settings.retention.title',
        'Retention',
      )}
      read={retention}
      failure={t('settings.retention.loadFailed', 'Failed to load the retention period')}
      loading={t('settings.retention.loading', 'Loading retention...')}
      rows={1}
    >
      {({ days }) => <RetentionForm days={days} />}
    </LoadedCard>
  );
}

const daysAfterText = (days: number) =>
  t(
    /* how long monitoring data is kept */ 'settings.retention.daysAfter',
    '{days, plural, one {# days after the attempt.} other {# days after the attempt.}}',
    { days },
  );

const shorterText = (days: number) =>
  t(
    'settings.retention.shorterText',
    '{days, plural, one {Monitoring data of attempts that ended more than # days ago is deleted within the hour. This cannot be undone.} other {Monitoring data of attempts that ended more than # days ago is deleted within the hour. This cannot be undone.}}',
    { days },
  );

function RetentionForm({ days }: { days: number }) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(Typed),
    defaultValues: { days: String(days) },
  });
  const [shorter, setShorter] = useState<number | null>(null);
  const { isDirty } = form.formState;
  useUnsaved(isDirty);

  const save = useMutation({
    mutationFn: (next: number) =>
      callEndpoint(putRetention, { body: { days: next, before: days } }),
    // The values at the time of saving.
    onMutate: () => form.getValues(),
    onSuccess: async (saved, _, sent) => {
      await replaceCached<Retention>(client, RETENTION.queryKey, saved);
      fillForm(form, sent, { days: String(saved.days) });
      toast({
        title: t('settings.retention.saved', 'Retention saved'),
        description: daysAfterText(saved.days),
      });
    },
    onError: (error) => {
      showIssues(error, form.setError, ['days']);
      showFailure(t('settings.retention.saveFailed', 'Failed to save the retention period'), error);
    },
    onSettled: () => setShorter(null),
  });

  const submit = form.handleSubmit(({ days: next }) => {
    if (!isDirty) return;
    // A shorter time deletes existing data irreversibly.
    if (next < days) setShorter(next);
    else save.mutate(next);
  });

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3 px-5 py-4">
      <TextField
        label={t(/* a field */ 'settings.retention.days', 'Keep monitoring data for (days)')}
        inputMode="numeric"
        required
        autoComplete="off"
        inputClassName="max-w-32"
        hint={t(
          /* under a field: the days are counted */ 'settings.retention.daysHint',
          'Counted from the end of the attempt. Results and consent stay.',
        )}
        {...fieldIn(form, 'days')}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button
          type="submit"
          aria-disabled={!isDirty}
          busy={
            save.isPending && shorter === null && t(/* on a button */ 'portal.saving', 'Saving…')
          }
        >
          {t(/* a button */ 'settings.retention.save', 'Save retention')}
        </Button>
      </div>
      <AlertDialog
        open={shorter !== null}
        onCancel={() => setShorter(null)}
        title={t('settings.retention.shorterTitle', 'Keep monitoring data for a shorter time?')}
        confirmLabel={t(/* a button */ 'settings.retention.shorten', 'Shorten retention')}
        busy={save.isPending && t(/* on a button */ 'portal.saving', 'Saving…')}
        onConfirm={() => shorter !== null && save.mutate(shorter)}
      >
        {shorterText(shorter ?? days)}
      </AlertDialog>
    </form>
  );
}
