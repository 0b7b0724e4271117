import type { FaceBox } from '../detectors/sensor-reports.ts';

/**
 * A picture of a face does not move: over twenty samples of portraits on a wall, in noise of 2 to 8,
 * the middle of the box moves by 2 pixels of 640 at most; a sway of one pixel to each side measures
 * 2.5 or more. No head is that still.
 */
const STILL_PIXELS = 2;
const STILL_SAMPLES = 20;
/** The model sometimes loses a small face: within this many samples it is the same face. */
const LOST_SAMPLES = 3;

/** Faces in view: people move, pictures do not, and new faces are undecided. */
export interface FacesInView {
  moving: number;
  still: number;
  unknown: number;
}

interface Track {
  middle: Point;
  /** Newest last. */
  middles: Point[];
  /** Samples since it was last seen. */
  lost: number;
}
type Point = readonly [x: number, y: number];

/** Tracks each face across samples, to distinguish people from pictures of people. */
export class StillFaces {
  #tracks: Track[] = [];

  /** Adds the faces of a picture that differs from the previous one. */
  add(boxes: readonly FaceBox[]): FacesInView {
    const before = [...this.#tracks];
    const seen = boxes.map(([left, top, width, height]) => {
      const middle: Point = [left + width / 2, top + height / 2];
      const near = before.findIndex((track) => distance(track.middle, middle) < width / 2);
      const [track] = near === -1 ? [] : before.splice(near, 1);
      const middles = [...(track?.middles ?? []), middle].slice(-STILL_SAMPLES);
      return { middle, middles, lost: 0 };
    });
    const lost = before.map((track) => ({ ...track, lost: track.lost + 1 }));
    this.#tracks = [...seen, ...lost.filter((track) => track.lost <= LOST_SAMPLES)];
    const view: FacesInView = { moving: 0, still: 0, unknown: 0 };
    for (const { middles } of seen) view[kindOf(middles)] += 1;
    return view;
  }

  forget(): void {
    this.#tracks = [];
  }
}

function kindOf(middles: readonly Point[]): keyof FacesInView {
  const range = (values: number[]) => Math.max(...values) - Math.min(...values);
  const moved = Math.max(range(middles.map(([x]) => x)), range(middles.map(([, y]) => y)));
  if (moved > STILL_PIXELS) return 'moving';
  return middles.length === STILL_SAMPLES ? 'still' : 'unknown';
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(x - otherX, y - otherY);
}
