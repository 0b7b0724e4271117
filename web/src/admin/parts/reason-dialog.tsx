import { zodResolver } from '@hookform/resolvers/zod';
import { endParticipant } from '@invigil/core/contract/review/participants';
import { t } from '@invigil/core/texts/i18n';
import type { ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { TextArea } from '../../ui/fields/text-area.tsx';
import { TextField, type TextFieldProps } from '../../ui/fields/text-field.tsx';
import { FormDialog, fieldIn } from './dialogs.tsx';

export function ReasonField(field: ReturnType<typeof fieldIn>) {
  return (
    <TextArea
      label={t(/* a label: why something is done */ 'parts.reason', 'Reason')}
      required
      hint={t(
        /* it: the reason */ 'parts.reason.hint',
        'Recorded in the audit log. The candidate does not see it.',
      )}
      {...field}
    />
  );
}

interface ExtraField extends Pick<TextFieldProps, 'label' | 'inputMode' | 'required'> {
  hint?: (typed: string) => string;
  problem(typed: string): string | undefined;
}

export function ReasonDialog({
  title,
  consequence,
  confirmLabel,
  busyLabel,
  doneTitle,
  failTitle,
  danger = false,
  extra,
  onConfirm,
  onClose,
}: {
  title: string;
  consequence: ReactNode;
  confirmLabel: string;
  busyLabel: string;
  doneTitle: string;
  failTitle: string;
  danger?: boolean;
  extra?: ExtraField;
  onConfirm(reason: string, extra: string): Promise<unknown>;
  onClose(): void;
}) {
  const form = useForm({
    resolver: zodResolver(
      z.object({
        extra: z.string().superRefine((typed, ctx) => {
          const problem = extra?.problem(typed);
          if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
        }),
        reason: endParticipant.body.shape.reason,
      }),
    ),
    defaultValues: { extra: '', reason: '' },
  });
  return (
    <FormDialog
      form={form}
      title={title}
      submitLabel={confirmLabel}
      busyLabel={busyLabel}
      danger={danger}
      failed={failTitle}
      onClose={onClose}
      onSubmit={async (body) => {
        await onConfirm(body.reason, body.extra);
        return { title: doneTitle };
      }}
    >
      <div className="grid gap-2 text-ink-2">{consequence}</div>
      {extra !== undefined && (
        <TextField
          label={extra.label}
          inputMode={extra.inputMode}
          required={extra.required}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          hint={extra.hint?.(form.watch('extra'))}
          {...fieldIn(form, 'extra')}
        />
      )}
      <ReasonField {...fieldIn(form, 'reason')} />
    </FormDialog>
  );
}
