import { noteViolation } from '@invigil/core/contract/attempts/violations';
import { useState } from 'react';
import { callEndpoint, inTime } from '../../net/api.ts';
import { readStoredNotices, storeNotices } from '../monitoring/stored-notices.ts';
import DetectedStrip from '../notices/detected-strip.tsx';

/**
 * Detections before the end: the server accepts notes for some minutes more. Monitoring has stopped, so
 * they come from the copy stored for a reload.
 */
export function LateNotes({ participantId, onUse }: { participantId: string; onUse(): void }) {
  const [detected, setDetected] = useState(() => readStoredNotices(participantId));
  const note = async (id: string, words: string) => {
    await callEndpoint(noteViolation, { params: { id }, body: { note: words }, signal: inTime() });
    const now = detected.map((one) => (one.id === id ? { ...one, noted: true } : one));
    setDetected(now);
    storeNotices(participantId, now);
  };
  return <DetectedStrip detected={detected} onNote={note} onUse={onUse} className="mt-6" />;
}
