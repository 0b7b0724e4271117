import type { Quiz } from '@invigil/core/contract/assessments/quiz';
import type { Invitation } from '@invigil/core/contract/invitations/invitations';
import { type FormEvent, useId, useState } from 'react';
import { ApiError } from '../../../net/api.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { FormFooter } from '../../../ui/dialogs/form-footer.tsx';
import { Checkbox } from '../../../ui/fields/checkbox.tsx';
import { SelectField } from '../../../ui/fields/select-field.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { showFailure } from '../../failures.tsx';
import { factorOf } from '../invitation-words.ts';
import { useAccommodate } from '../invitations-api.ts';

const REASON_MOST = 500;
const FACTOR_PROBLEM = 'Enter a factor from 1 to 10';

const CUSTOM = 'custom';
const EXTRA_TIMES = [
  { value: '1', label: 'None' },
  { value: '1.25', label: '+25 %' },
  { value: '1.5', label: '+50 %' },
  { value: '2', label: '+100 %' },
  { value: CUSTOM, label: 'Custom' },
];

interface Problems {
  factor?: string | undefined;
  reason?: string | undefined;
}

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
  const formId = useId();
  const accommodate = useAccommodate(invitation);
  const [factor, setFactor] = useState(String(invitation.extraTimeFactor));
  const [camera, setCamera] = useState(invitation.cameraEnabled);
  const [microphone, setMicrophone] = useState(invitation.microphoneEnabled);
  const [faceCovered, setFaceCovered] = useState(invitation.faceCovered === true);
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [isCustom, setIsCustom] = useState(!EXTRA_TIMES.some(({ value }) => value === factor));
  const times = factorOf(factor);
  const minutes =
    times === null
      ? undefined
      : `${Math.round(quiz.duration * times * 100) / 100} minutes instead of ${quiz.duration}.`;

  const save = async (event: FormEvent) => {
    event.preventDefault();
    const text = reason.trim();
    const found: Problems = {
      factor: times === null ? FACTOR_PROBLEM : undefined,
      reason:
        text === ''
          ? 'Give a reason'
          : text.length > REASON_MOST
            ? `At most ${REASON_MOST} characters`
            : undefined,
    };
    setProblems(found);
    if (times === null || found.reason !== undefined) return;
    try {
      await accommodate.mutateAsync({
        extraTimeFactor: times,
        cameraEnabled: camera,
        microphoneEnabled: microphone,
        faceCovered,
        reason: text,
      });
      toast({ title: 'Accommodations saved', description: invitation.email ?? 'Unknown' });
      onClose();
    } catch (error) {
      if (error instanceof ApiError) {
        setProblems({
          factor: error.issueAt('extraTimeFactor'),
          reason: error.issueAt('reason'),
        });
      }
      showFailure('Failed to save the accommodations', error);
    }
  };

  return (
    <Dialog
      open
      onClose={onClose}
      title="Extra time and devices"
      description={`${invitation.email ?? 'Unknown'}. Applies when this candidate starts.`}
      unsaved={
        !accommodate.isPending &&
        (reason.trim() !== '' ||
          times !== invitation.extraTimeFactor ||
          camera !== invitation.cameraEnabled ||
          microphone !== invitation.microphoneEnabled ||
          faceCovered !== (invitation.faceCovered === true))
      }
      footer={
        <FormFooter formId={formId} busy={accommodate.isPending && 'Saving…'}>
          Save accommodations
        </FormFooter>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)} className="grid gap-4">
        <SelectField
          label="Extra time"
          options={EXTRA_TIMES}
          value={isCustom ? CUSTOM : factor}
          onChange={(value) => {
            setIsCustom(value === CUSTOM);
            if (value !== CUSTOM) setFactor(value);
            setProblems({ ...problems, factor: undefined });
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
            error={problems.factor}
            value={factor}
            onChange={(event) => {
              setFactor(event.target.value);
              setProblems({ ...problems, factor: undefined });
            }}
          />
        )}
        <Checkbox
          label="Use the camera"
          hint={quiz.policy.camera ? undefined : 'This assessment uses no camera.'}
          checked={camera}
          onChange={(event) => setCamera(event.target.checked)}
        />
        <Checkbox
          label="Face may be partly covered"
          hint="For a veil, a medical mask or a breathing aid. An undetected face is then never a violation. Other people and a covered or dark camera are still recorded."
          checked={faceCovered}
          disabled={!camera || !quiz.policy.camera}
          onChange={(event) => setFaceCovered(event.target.checked)}
        />
        <Checkbox
          label="Use the microphone"
          hint={quiz.policy.microphone ? undefined : 'This assessment uses no microphone.'}
          checked={microphone}
          onChange={(event) => setMicrophone(event.target.checked)}
        />
        <TextArea
          label="Reason"
          required
          hint="Recorded in the audit log. The candidate does not see it."
          error={problems.reason}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setProblems({ ...problems, reason: undefined });
          }}
        />
      </form>
    </Dialog>
  );
}
