import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { useEffect, useId, useRef, useState } from 'react';
import { sentenceOf } from '../../net/api.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/fields/text-area.tsx';

/** The person's own words about something that was detected. What could not be kept stays in the field. */
export function NoteForm({
  onSave,
  onDone,
}: {
  /** Rejects when the words could not be kept. */
  onSave(note: string): Promise<void>;
  /** They were kept, or are not to be. */
  onDone(): void;
}) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  // On a phone the bar at the bottom would lie over the buttons.
  useEffect(() => {
    // Newer browsers give a promise here, which is nothing to clean up with.
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
        // The person has just asked for it.
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
