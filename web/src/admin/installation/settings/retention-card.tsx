import {
  getRetention,
  putRetention,
  Retention,
} from '@invigil/core/contract/installation/retention';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { keepTypedSince } from '../../../lib/typed-since.ts';
import { ApiError, callEndpoint } from '../../../net/api.ts';
import { endpointQuery, replaceCached } from '../../../net/endpoint-query.ts';
import { Button } from '../../../ui/button.tsx';
import { AlertDialog } from '../../../ui/dialogs/dialog.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { Card } from '../../../ui/page.tsx';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { toast } from '../../../ui/toast.ts';
import { showFailure } from '../../data/show-failure.ts';
import { LoadFailure } from '../../parts/failures.tsx';

const RETENTION = endpointQuery(getRetention, {});
const NOTHING_TYPED: { days: string | null } = { days: null };

export function RetentionCard() {
  const retention = useQuery(RETENTION);
  return (
    <Card title="Retention">
      {retention.isError ? (
        <div className="p-5">
          <LoadFailure title="Failed to load the retention period" read={retention} />
        </div>
      ) : retention.isPending ? (
        <SkeletonRows rows={1}>Loading retention...</SkeletonRows>
      ) : (
        <RetentionForm days={retention.data.days} />
      )}
    </Card>
  );
}

function RetentionForm({ days }: { days: number }) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [problem, setProblem] = useState<string>();
  const [shorter, setShorter] = useState<number | null>(null);
  const value = typed.days ?? String(days);
  const changed = value.trim() !== String(days);
  useUnsaved(changed);

  const save = useMutation({
    mutationFn: (next: number) =>
      callEndpoint(putRetention, { body: { days: next, before: days } }),
    // The value at the time of saving.
    onMutate: () => typed,
    onSuccess: async (saved, _, sent) => {
      await replaceCached<Retention>(client, RETENTION.queryKey, saved);
      setTyped((now) => keepTypedSince(sent, now, NOTHING_TYPED));
      toast({ title: 'Retention saved', description: `${saved.days} days after the attempt.` });
    },
    onError: (error) => {
      if (error instanceof ApiError) setProblem(error.issueAt('days'));
      showFailure('Failed to save the retention period', error);
    },
    onSettled: () => setShorter(null),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!changed) return;
    const validated = Retention.safeParse({
      days: /^\d+$/.test(value.trim()) ? Number(value) : null,
    });
    setProblem(validated.error?.issues[0]?.message);
    if (!validated.success) return;
    // A shorter time deletes existing data irreversibly.
    if (validated.data.days < days) setShorter(validated.data.days);
    else save.mutate(validated.data.days);
  };

  return (
    <form noValidate onSubmit={submit} className="grid gap-3 px-5 py-4">
      <TextField
        label="Keep monitoring data for (days)"
        inputMode="numeric"
        required
        autoComplete="off"
        inputClassName="max-w-32"
        value={value}
        hint="Counted from the end of the attempt. Results and consent stay."
        error={problem}
        onChange={(event) => setTyped({ days: event.target.value })}
      />
      <div className="flex flex-wrap justify-end gap-3">
        <Button
          type="submit"
          aria-disabled={!changed}
          busy={save.isPending && shorter === null && 'Saving…'}
        >
          Save retention
        </Button>
      </div>
      <AlertDialog
        open={shorter !== null}
        onCancel={() => setShorter(null)}
        title="Keep monitoring data for a shorter time?"
        confirmLabel="Shorten retention"
        busy={save.isPending && 'Saving…'}
        onConfirm={() => shorter !== null && save.mutate(shorter)}
      >
        {`Monitoring data of attempts that ended more than ${shorter ?? days} days ago is deleted within the hour. This cannot be undone.`}
      </AlertDialog>
    </form>
  );
}
