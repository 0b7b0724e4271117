import { Eye } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { isTooLong, MESSAGE_MOST, SUBJECT_MOST } from '../../assessments/invitation-wording.ts';
import { showFailure } from '../../failures.tsx';
import { useInvitePreview } from '../invitations-api.ts';

export function InviteWording({
  quizId,
  subject,
  message,
  onSubject,
  onMessage,
}: {
  quizId: string;
  subject: string;
  message: string;
  onSubject(subject: string): void;
  onMessage(message: string): void;
}) {
  const preview = useInvitePreview(quizId);
  const [shownFor, setShownFor] = useState<string | null>(null);
  const typed = JSON.stringify([subject, message]);
  const wording = { subject: subject.trim() || null, message: message.trim() || null };
  const shown = shownFor === typed ? preview.data : undefined;

  const show = () =>
    preview.mutate(wording, {
      onSuccess: () => setShownFor(typed),
      onError: (error) => showFailure('Failed to load the preview', error),
    });

  return (
    <div className="grid gap-4">
      <TextField
        label="Subject"
        optional
        hint="Leave empty for the standard subject."
        error={
          subject.trim().length > SUBJECT_MOST ? `At most ${SUBJECT_MOST} characters` : undefined
        }
        value={subject}
        onChange={(event) => onSubject(event.target.value)}
      />
      <TextArea
        label="Personal message"
        optional
        rows={4}
        hint="The one-time password and instructions are always included."
        error={
          message.trim().length > MESSAGE_MOST
            ? `At most ${MESSAGE_MOST.toLocaleString('en-GB')} characters`
            : undefined
        }
        value={message}
        onChange={(event) => onMessage(event.target.value)}
      />
      <div>
        <Button
          size="dense"
          icon={<Eye />}
          aria-disabled={isTooLong(wording)}
          busy={preview.isPending && 'Loading…'}
          onClick={show}
        >
          Preview message
        </Button>
      </div>
      {shown !== undefined && (
        <section aria-label="Preview" className="grid gap-2 rounded-lg bg-sunken px-4 py-3.5">
          <p className="font-semibold break-words">{shown.subject}</p>
          <p className="text-sm break-words whitespace-pre-line text-ink-2">{shown.text}</p>
        </section>
      )}
    </div>
  );
}
