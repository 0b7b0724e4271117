import type { EvidenceUpload } from '@invigil/core/contract/attempts/evidence';
import { seededRandom } from '@invigil/core/domain/questions/draw';
import { newId } from '../db/new-id.ts';
import { type StoryRow, storyFile } from './story.ts';

type Type = StoryRow['detections'][number]['type'];

/** Drawn pictures, two of each, so that the scene moves. */
type Picture = 'desk' | 'away' | 'edge' | 'two' | 'empty' | 'dark';

/** What the camera shows, by seconds from the detection; other types have no stills. */
const SHOWN: Partial<Record<Type, (seconds: number) => Picture>> = {
  face_not_detected: (s) => (s < -2 || s > 3 ? 'desk' : s === -2 || s === 3 ? 'edge' : 'empty'),
  voice_detected: () => 'desk',
  multiple_faces: (s) => (s < -1 || s > 2 ? 'desk' : 'two'),
  looking_away: (s) => (s < -5 || s > 2 ? 'desk' : 'away'),
  camera_dark: (s) => (s < -5 ? 'desk' : 'dark'),
};
const FROM_S = -6;
const TO_S = 5;
const LEVEL_EVERY_MS = 300;

/** Stills and level curve of a detection; `null` if the camera does not show it. */
export function drawnEvidence(type: Type, at: Date, violationId: string): EvidenceUpload | null {
  const shown = SHOWN[type];
  if (shown === undefined) return null;
  const random = seededRandom(`${violationId}/evidence`);
  const stills = Array.from({ length: TO_S - FROM_S + 1 }, (_, i) => {
    const seconds = FROM_S + i;
    // Each still is unique, because the server checks for repeated ones.
    const jpeg = withComment(
      drawnPicture(`${shown(seconds)}-${i % 2}`),
      `${at.getTime()} ${violationId} ${i}`,
    );
    return { offsetMs: seconds * 1_000, jpeg: jpeg.toString('base64') };
  });
  const values = Array.from({ length: ((TO_S - FROM_S) * 1_000) / LEVEL_EVERY_MS }, (_, i) => {
    const seconds = FROM_S + (i * LEVEL_EVERY_MS) / 1_000;
    const isSpeech = type === 'voice_detected' && seconds > -2.5 && seconds < 1.5;
    return Math.round(isSpeech ? 35 + 40 * random() : 9 * random());
  });
  const levels = { offsetMs: FROM_S * 1_000, everyMs: LEVEL_EVERY_MS, values };
  return { id: newId(), violationId, ageMs: 0, stills, levels };
}

const pictures = new Map<string, Buffer>();

/** @param name `desk-0` */
export function drawnPicture(name: string): Buffer {
  const known = pictures.get(name) ?? storyFile(`stills/${name}.jpg`);
  pictures.set(name, known);
  return known;
}

/** Inserts a comment segment after the start of the image (ITU-T T.81, B.2.4.5). */
function withComment(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(2 + text.length);
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe]), length, Buffer.from(text, 'ascii')]);
  return Buffer.concat([jpeg.subarray(0, 2), comment, jpeg.subarray(2)]);
}
