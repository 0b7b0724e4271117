import { Eye, X } from 'lucide-react';
import { useId, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DetectedItem } from '../monitoring/notice-board.ts';
import { DetectedEntry } from './detected-entry.tsx';

/**
 * What was detected and when, and a place to say something about each: the newest, and the others when
 * they are asked for. It takes no focus by itself and stays until it is closed; what a screen reader
 * says of it stands in notices.tsx.
 */
export default function DetectedStrip({
  detected,
  mayBeCovered = false,
  onNote,
  onClose,
  onUse,
}: {
  /** newest first */
  detected: readonly DetectedItem[];
  /** The person's face may be partly covered: nothing has to be done about one that is not found. */
  mayBeCovered?: boolean;
  /** Rejects when the words could not be kept. */
  onNote(id: string, note: string): Promise<void>;
  /** Without it the strip stays: the attempt has ended. */
  onClose?: () => void;
  /** Someone wants to see more of it or to say something. */
  onUse?: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  // The form stays where it is, whatever is detected in the meantime.
  const [writing, setWriting] = useState<{ about: DetectedItem; atHead: boolean } | null>(null);
  const listId = useId();
  const pinned = writing?.atHead ? writing.about : detected[0];
  const head = detected.find(({ id }) => id === pinned?.id) ?? pinned;
  if (head === undefined) return null;
  const others = detected.filter(({ id }) => id !== head.id);
  const entry = (item: DetectedItem) => ({
    item,
    advises: onClose !== undefined && !(mayBeCovered && item.type === 'face_not_detected'),
    canWrite: writing === null,
    isWriting: writing?.about.id === item.id,
    onWrite: () => {
      onUse?.();
      setWriting({ about: item, atHead: item === head });
    },
    onNote: (note: string) => onNote(item.id, note),
    onDone: () => setWriting(null),
  });
  return (
    <section
      aria-label="What was detected"
      className="mt-6 rounded-lg border border-line bg-surface px-4 py-2.5 text-ink-2"
    >
      <DetectedEntry
        key={head.id}
        {...entry(head)}
        sign={
          <Eye aria-hidden="true" className="size-4.5 flex-none text-ink-3" strokeWidth={1.5} />
        }
        more={
          others.length > 0 && (
            <>
              {' '}
              <button
                type="button"
                // What is being written would go with the list.
                disabled={writing !== null}
                aria-expanded={isOpen}
                aria-controls={listId}
                className="whitespace-nowrap underline underline-offset-3 hover:text-ink disabled:no-underline disabled:hover:text-ink-2"
                onClick={() => {
                  onUse?.();
                  setOpen(!isOpen);
                }}
              >
                {`and ${others.length} more`}
              </button>
            </>
          )
        }
        actions={
          onClose !== undefined &&
          writing === null && (
            <IconButton label="Close this notice" onClick={onClose}>
              <X aria-hidden="true" strokeWidth={1.5} />
            </IconButton>
          )
        }
      />
      <ul id={listId} hidden={!isOpen || others.length === 0} className="mt-1.5">
        {isOpen &&
          others.map((item) => (
            <li key={item.id} className="border-t border-line py-1.5 last:pb-0">
              <DetectedEntry {...entry(item)} />
            </li>
          ))}
      </ul>
    </section>
  );
}
