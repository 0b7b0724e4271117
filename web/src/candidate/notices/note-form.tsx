import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { useEffect, useId, useRef, useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';

/** The candidate's note on a detection. If saving fails, the text stays in the field. */
export function NoteForm({
  onSave,
  onDone,
}: {
  /** Rejects if the note could not be saved. */
  onSave(note: string): Promise<void>;
  /** The note was saved or discarded. */
  onDone(): void;
}) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // On a phone the bottom bar would cover the buttons.
  useEffect(() => {
    // Returns a promise in newer browsers, which is not a cleanup function.
    void form.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await onSave(note.trim());
      onDone();
    } catch (cause) {
      setProblem(`${sentenceOf(cause)}. Your note is still here.`.replace('..', '.'));
      setBusy(false);
    }
  };
  return (
    <form
      ref={form}
      aria-labelledby={id}
      className="mt-2 grid scroll-mb-28 gap-3 pb-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== '' && !busy) void save();
      }}
    >
      <h2 id={id} className="sr-only">
        Your note
      </h2>
      <TextArea
        label="What happened, in your own words"
        hint="The reviewer sees your note beside this event."
        size="candidate"
        rows={2}
        // Opened on request.
        autoFocus
        maxLength={VIOLATION_LIMITS.candidateNoteMaxCharacters}
        value={note}
        error={problem ?? undefined}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex gap-3">
        <Button
          type="submit"
          variant="primary"
          size="dense"
          busy={busy && 'Saving…'}
          disabled={note.trim() === ''}
        >
          Save note
        </Button>
        <Button size="dense" onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
