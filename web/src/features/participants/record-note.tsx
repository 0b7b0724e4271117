import { useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { toast } from '../../ui/toast.ts';
import { useUnsaved } from '../../ui/unsaved.ts';
import { useSaveNote } from './record-api.ts';

const MOST = 4_000;

/** A note for administrators; the participant never sees it. */
export function RecordNote({ participantId, stored }: { participantId: string; stored: string }) {
  const save = useSaveNote(participantId);
  const [typed, setTyped] = useState<string | null>(null);
  const note = typed ?? stored;
  const tooLong = note.trim().length > MOST;
  const changed = note.trim() !== stored;
  useUnsaved(changed);

  const store = () =>
    save.mutate(note.trim(), {
      onSuccess: () => {
        setTyped(null);
        toast({ title: 'Note saved' });
      },
      onError: (error) =>
        toast({
          title: 'Failed to save the note',
          description: sentenceOf(error),
          variant: 'destructive',
        }),
    });

  return (
    <Card title="Note">
      <form
        noValidate
        className="grid gap-3 px-5 py-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (changed && !tooLong) store();
        }}
      >
        <TextArea
          label="For administrators"
          rows={4}
          hint="The participant does not see this."
          error={tooLong ? 'At most 4000 characters' : undefined}
          value={note}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span role="status" className="text-sm text-ink-3">
            {changed ? 'Not saved yet' : ''}
          </span>
          <Button
            type="submit"
            busy={save.isPending && 'Saving…'}
            aria-disabled={!changed || tooLong}
          >
            Save Note
          </Button>
        </div>
      </form>
    </Card>
  );
}
