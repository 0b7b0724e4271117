import { Eye, X } from 'lucide-react';
import { useId, useState } from 'react';
import { IconButton } from '../../ui/icon-button.tsx';
import type { DetectedItem } from '../monitoring/notice-board.ts';
import { DetectedEntry } from './detected-entry.tsx';

/**
 * Detections with time and a form for notes: the newest one, the others on request. It takes no focus
 * and stays until closed; its announcement is in notices.tsx.
 */
export default function DetectedStrip({
  detected,
  mayBeCovered = false,
  onNote,
  onClose,
  onUse,
  className = '',
}: {
  /** newest first */
  detected: readonly DetectedItem[];
  /** Accommodation for a covered face: no advice about a missing face. */
  mayBeCovered?: boolean;
  /** Rejects if the note could not be saved. Absent once notes are closed. */
  onNote?: (id: string, note: string) => Promise<void>;
  /** Absent after the end, when the strip cannot be closed. */
  onClose?: () => void;
  /** Called when the candidate opens more or starts a note. */
  onUse?: () => void;
  className?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  // An open form stays in place when something else is detected.
  const [writing, setWriting] = useState<{ about: DetectedItem; atHead: boolean } | null>(null);
  const listId = useId();
  const pinned = writing?.atHead ? writing.about : detected[0];
  const head = detected.find(({ id }) => id === pinned?.id) ?? pinned;
  if (head === undefined) return null;
  const others = detected.filter(({ id }) => id !== head.id);
  const entry = (item: DetectedItem) => ({
    item,
    advises: onClose !== undefined && !(mayBeCovered && item.type === 'face_not_detected'),
    canWrite: onNote !== undefined && writing === null,
    isWriting: writing?.about.id === item.id,
    onWrite: () => {
      onUse?.();
      setWriting({ about: item, atHead: item === head });
    },
    onNote: async (note: string) => onNote?.(item.id, note),
    onDone: () => setWriting(null),
  });
  return (
    <section
      aria-label="What was detected"
      className={`rounded-lg border border-line bg-surface px-4 py-2.5 text-ink-2 ${className}`}
    >
      <DetectedEntry
        key={head.id}
        {...entry(head)}
        sign={<Eye className="size-4.5 flex-none text-ink-3" />}
        more={
          others.length > 0 && (
            <>
              {' '}
              <button
                type="button"
                // Closing the list would discard an open form.
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
              <X />
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
