import { type EndedAttempt, noteAfterEnd } from '@invigil/core/contract/attempts/ended-attempt';
import { noteViolation } from '@invigil/core/contract/attempts/violations';
import { useState } from 'react';
import { callEndpoint, inTime } from '../../net/api.ts';
import type { DetectedItem } from '../monitoring/notice-board.ts';
import { readStoredNotices, storeNotices } from '../monitoring/seen-notices.ts';
import DetectedStrip from '../notices/detected-strip.tsx';

/**
 * The detected events, with notes on them: the server accepts notes for ten minutes more. Monitoring has
 * stopped, so the list comes from the server's record, or before that from the copy stored for a reload.
 */
export function NotesAfterEnd({
  participantId,
  ended,
  onUse,
}: {
  participantId: string;
  /** `null` before the server's response. */
  ended: EndedAttempt | null;
  onUse?: () => void;
}) {
  const [stored, setStored] = useState(() => readStoredNotices(participantId));
  const [added, setAdded] = useState<ReadonlyMap<string, string>>(new Map());
  const notes = ended?.notes ?? null;
  const detected = (ended === null ? stored : itemsOf(ended, stored)).map((item) => {
    const note = added.get(item.id) ?? item.note;
    return note === undefined ? item : { ...item, noted: true, note };
  });
  const note = async (id: string, words: string) => {
    const signal = inTime();
    // The token works after signing out too.
    if (notes !== null) {
      const body = { participantId, token: notes.token, note: words };
      await callEndpoint(noteAfterEnd, { params: { id }, body, signal });
    } else {
      await callEndpoint(noteViolation, { params: { id }, body: { note: words }, signal });
      const now = stored.map((one) => (one.id === id ? { ...one, noted: true } : one));
      setStored(now);
      storeNotices(participantId, now);
    }
    setAdded(new Map([...added, [id, words]]));
  };
  const mayNote = ended === null || notes !== null;
  return (
    <DetectedStrip
      detected={detected}
      {...(mayNote ? { onNote: note } : {})}
      {...(onUse ? { onUse } : {})}
      className="mt-6"
    />
  );
}

/** Only this browser knows the numbers that the screen showed with what counted. */
function itemsOf({ detected }: EndedAttempt, shown: readonly DetectedItem[]): DetectedItem[] {
  return detected.map(({ id, type, at, durationMs, counted, note }) => ({
    id,
    type,
    at: new Date(at),
    durationMs,
    counted: counted
      ? (shown.find((one) => one.id === id)?.counted ?? { count: 0, limit: null })
      : null,
    noted: note !== null,
    ...(note === null ? {} : { note }),
  }));
}
