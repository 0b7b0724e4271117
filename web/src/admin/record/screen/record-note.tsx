import { RECORD_LIMITS } from '@invigil/core/domain/limits';
import { useState } from 'react';
import { keepTypedSince } from '../../../lib/typed-since.ts';
import { sentenceOf } from '../../../net/api.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { useUnsaved } from '../../../ui/dialogs/unsaved.ts';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { toast } from '../../../ui/toasts/toast.ts';
import { showFailure } from '../../failures.tsx';
import { useSaveNote } from '../record-api.ts';
import { otherNoteIn, STALE_NOTE_SENTENCE, StaleNoteNotice } from '../stale-note-notice.tsx';

const MOST = RECORD_LIMITS.noteMaxCharacters;
const NOTHING_TYPED: { note: string | null } = { note: null };

/** A note for administrators; the participant never sees it. */
export function RecordNote({ participantId, stored }: { participantId: string; stored: string }) {
  const save = useSaveNote(participantId);
  const [typed, setTyped] = useState(NOTHING_TYPED);
  /** The note that editing started from; a refetch may bring another one. */
  const [from, setFrom] = useState(stored);
  const [theirs, setTheirs] = useState<string | null>(null);
  const note = typed.note ?? stored;
  const tooLong = note.trim().length > MOST;
  const changed = note.trim() !== stored;
  useUnsaved(changed);

  const store = () => {
    const body = { note: note.trim(), from };
    save.mutate(body, {
      onSuccess: (saved) => {
        setTyped((now) => keepTypedSince(typed, now, NOTHING_TYPED));
        setFrom(saved.note);
        setTheirs(null);
        toast({ title: 'Note saved' });
      },
      onError: (error) => {
        const other = otherNoteIn(error);
        if (other !== undefined) {
          setFrom(other);
          setTheirs(other);
        }
        showFailure(
          'Failed to save the note',
          other === undefined ? sentenceOf(error) : STALE_NOTE_SENTENCE,
        );
      },
    });
  };

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
          hint="The candidate does not see this."
          error={tooLong ? `At most ${MOST.toLocaleString('en-GB')} characters` : undefined}
          value={note}
          onChange={(event) => {
            if (typed.note === null) setFrom(stored);
            setTyped({ note: event.target.value });
          }}
        />
        {theirs !== null && (
          <StaleNoteNotice
            theirs={theirs}
            onTakeTheirs={() => {
              setTyped(NOTHING_TYPED);
              setTheirs(null);
            }}
          />
        )}
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span role="status" className="text-sm text-ink-3">
            {changed ? 'Not saved yet' : ''}
          </span>
          <Button
            type="submit"
            busy={save.isPending && 'Saving…'}
            aria-disabled={!changed || tooLong}
          >
            Save note
          </Button>
        </div>
      </form>
    </Card>
  );
}
