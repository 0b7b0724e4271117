import type { FaceBox } from '../detectors/sensor-reports.ts';

/**
 * A picture of a face keeps its place: measured over twenty looks at portraits on a wall, in noise of
 * 2 to 8, the middle of the box moves by 2 pixels of 640 at most; a sway of one pixel to each side is
 * told as 2.5 and more. A head is never held so still.
 */
const STILL_PIXELS = 2;
const STILL_LOOKS = 20;
/** The model loses a small face now and then: it is the same one so many looks later. */
const LOST_LOOKS = 3;

/** What is in view: people move, pictures do not, and of a new face no one can tell yet. */
export interface FacesInView {
  moving: number;
  still: number;
  unknown: number;
}

interface Track {
  middle: Point;
  /** Newest last. */
  middles: Point[];
  /** Looks since it was seen. */
  lost: number;
}
type Point = readonly [x: number, y: number];

/** Follows each face from look to look, to tell people from pictures of people. */
export class StillFaces {
  #tracks: Track[] = [];

  /** One look at a picture that is not itself the one before. */
  look(boxes: readonly FaceBox[]): FacesInView {
    const before = [...this.#tracks];
    const seen = boxes.map(([left, top, width, height]) => {
      const middle: Point = [left + width / 2, top + height / 2];
      const near = before.findIndex((track) => distance(track.middle, middle) < width / 2);
      const [track] = near === -1 ? [] : before.splice(near, 1);
      const middles = [...(track?.middles ?? []), middle].slice(-STILL_LOOKS);
      return { middle, middles, lost: 0 };
    });
    const lost = before.map((track) => ({ ...track, lost: track.lost + 1 }));
    this.#tracks = [...seen, ...lost.filter((track) => track.lost <= LOST_LOOKS)];
    const view: FacesInView = { moving: 0, still: 0, unknown: 0 };
    for (const { middles } of seen) view[kindOf(middles)] += 1;
    return view;
  }

  /** What was seen before a gap is not continued. */
  forget(): void {
    this.#tracks = [];
  }
}

function kindOf(middles: readonly Point[]): keyof FacesInView {
  const range = (values: number[]) => Math.max(...values) - Math.min(...values);
  const moved = Math.max(range(middles.map(([x]) => x)), range(middles.map(([, y]) => y)));
  if (moved > STILL_PIXELS) return 'moving';
  return middles.length === STILL_LOOKS ? 'still' : 'unknown';
}

function distance([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(x - otherX, y - otherY);
}
