import { VIOLATION_LIMITS } from '@invigil/core/domain/limits';
import { Eye, X } from 'lucide-react';
import { useId, useState } from 'react';
import { sentenceOf } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { currentInvigilation } from './current-invigilation.ts';
import type { NoticedItem } from './notice-board.ts';
import { noticedText } from './notice-words.ts';

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

/**
 * What was noticed and when, and a place to say something about it. It is read out when the person
 * has a moment, never moves the focus, and stays until it is closed.
 */
export default function NoticedStrip({ noticed }: { noticed: readonly NoticedItem[] }) {
  const [writingAbout, setWritingAbout] = useState<NoticedItem | null>(null);
  const [newest] = noticed;
  const shown = writingAbout ?? newest;
  if (shown === undefined) return null;
  const more = noticed.length - 1;
  return (
    <section
      aria-label="What was noticed"
      className="mt-6 rounded-lg border border-line bg-surface px-4 py-2.5 text-ink-2"
    >
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
        <Eye aria-hidden="true" className="size-4.5 flex-none text-ink-3" strokeWidth={1.5} />
        <p role="status" className="min-w-0 flex-1">
          <span className="text-ink">{noticedText(shown.type)}</span>{' '}
          <span className="whitespace-nowrap">{clock.format(shown.at)}</span>
          {writingAbout === null && more > 0 && <span>{` and ${more} more`}</span>}
          {shown.noted && <span> · your note is kept with it</span>}
        </p>
        {writingAbout === null && (
          <>
            {!shown.noted && (
              <Button size="dense" onClick={() => setWritingAbout(shown)}>
                Add a note
              </Button>
            )}
            <IconButton
              label="Close what was noticed"
              onClick={() => currentInvigilation.clearNoticed()}
            >
              <X aria-hidden="true" strokeWidth={1.5} />
            </IconButton>
          </>
        )}
      </div>
      {writingAbout !== null && (
        <NoteForm key={writingAbout.id} item={writingAbout} onDone={() => setWritingAbout(null)} />
      )}
    </section>
  );
}

function NoteForm({ item, onDone }: { item: NoticedItem; onDone(): void }) {
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const save = async () => {
    setBusy(true);
    setProblem(null);
    try {
      await currentInvigilation.note(item.id, note.trim());
      onDone();
    } catch (cause) {
      setProblem(`${sentenceOf(cause)}. Your words are still here.`.replace('..', '.'));
      setBusy(false);
    }
  };
  return (
    <form
      aria-labelledby={id}
      className="mt-2 grid gap-3 pb-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (note.trim() !== '' && !busy) void save();
      }}
    >
      <h2 id={id} className="sr-only">
        Your note
      </h2>
      <TextArea
        label="What happened, in your words"
        hint="Whoever looks at this reads your note beside it."
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
