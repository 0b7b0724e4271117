import { zodResolver } from '@hookform/resolvers/zod';
import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import { updateInvitation } from '@invigil/core/contract/invitations/invitations';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { FormDialog } from '../../form-dialog.tsx';
import { factorOf } from '../invitation-words.ts';
import { useAccommodate } from '../invitations-api.ts';

const CUSTOM = 'custom';
const EXTRA_TIMES = [
  { value: '1', label: 'None' },
  { value: '1.25', label: '+25 %' },
  { value: '1.5', label: '+50 %' },
  { value: '2', label: '+100 %' },
  { value: CUSTOM, label: 'Custom' },
];

/** The contract's fields, with the factor as typed. */
const Typed = updateInvitation.body.extend({
  extraTimeFactor: z.string().transform((typed, ctx) => {
    const factor = factorOf(typed);
    if (factor !== null) return factor;
    ctx.addIssue({ code: 'custom', message: 'Enter a factor from 1 to 10' });
    return z.NEVER;
  }),
});

/** Extra time and device accommodations of one person, before the start, with a reason. */
export function InvitationAccommodations({
  invitation,
  quiz,
  onClose,
}: {
  invitation: Invitation;
  quiz: Quiz;
  onClose(): void;
}) {
  const accommodate = useAccommodate(invitation);
  const form = useForm({
    resolver: zodResolver(Typed),
    defaultValues: {
      extraTimeFactor: String(invitation.extraTimeFactor),
      cameraEnabled: invitation.cameraEnabled,
      microphoneEnabled: invitation.microphoneEnabled,
      faceCovered: invitation.faceCovered === true,
      reason: '',
    },
  });
  const { errors } = form.formState;
  const [factor, camera] = form.watch(['extraTimeFactor', 'cameraEnabled']);
  const [isCustom, setIsCustom] = useState(!EXTRA_TIMES.some(({ value }) => value === factor));
  const times = factorOf(factor);
  const minutes =
    times === null
      ? undefined
      : `${Math.round(quiz.duration * times * 100) / 100} minutes instead of ${quiz.duration}.`;

  return (
    <FormDialog
      form={form}
      title="Extra time and devices"
      description={`${invitation.email ?? 'Unknown'}. Applies when this candidate starts.`}
      submitLabel="Save accommodations"
      busyLabel="Saving…"
      failed="Failed to save the accommodations"
      onClose={onClose}
      onSubmit={async (body) => {
        await accommodate.mutateAsync(body);
        toast({ title: 'Accommodations saved', description: invitation.email ?? 'Unknown' });
        onClose();
      }}
    >
      <SelectField
        label="Extra time"
        options={EXTRA_TIMES}
        value={isCustom ? CUSTOM : factor}
        onChange={(value) => {
          setIsCustom(value === CUSTOM);
          if (value !== CUSTOM) form.setValue('extraTimeFactor', value, { shouldDirty: true });
          form.clearErrors('extraTimeFactor');
        }}
        {...(isCustom ? {} : { hint: minutes })}
      />
      {isCustom && (
        <TextField
          label="Extra time factor"
          inputMode="decimal"
          autoComplete="off"
          required
          hint={minutes ?? '1 to 10. 1 is the standard time, 1.25 adds a quarter.'}
          error={errors.extraTimeFactor?.message}
          {...form.register('extraTimeFactor')}
        />
      )}
      <Checkbox
        label="Use the camera"
        hint={quiz.policy.camera ? undefined : 'This assessment uses no camera.'}
        {...form.register('cameraEnabled')}
      />
      <Checkbox
        label="Face may be partly covered"
        hint="For a veil, a medical mask or a breathing aid. An undetected face is then never a violation. Other people and a covered or dark camera are still recorded."
        {...form.register('faceCovered')}
        // Not by register: the value of a disabled field would not be sent.
        disabled={!camera || !quiz.policy.camera}
      />
      <Checkbox
        label="Use the microphone"
        hint={quiz.policy.microphone ? undefined : 'This assessment uses no microphone.'}
        {...form.register('microphoneEnabled')}
      />
      <TextArea
        label="Reason"
        required
        hint="Recorded in the audit log. The candidate does not see it."
        error={errors.reason?.message}
        {...form.register('reason')}
      />
    </FormDialog>
  );
}
