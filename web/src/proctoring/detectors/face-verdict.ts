import type { EdgeFigures, GrayFigures } from './gray-picture.ts';
import type { CannotTell, FaceBox, FaceReport } from './sensor-reports.ts';

/** A face found by the model; radians, positive to the person's right and down. */
export interface FoundFace {
  box: FaceBox;
  yaw: number;
  pitch: number;
}

/**
 * Below this mean (0 to 255) a picture without a face is inconclusive. Faces found in less light
 * still count.
 */
const DARK_BRIGHTNESS = 30;
/** A picture with less contrast (standard deviation of gray) shows a covered lens, not a scene. */
const COVERED_CONTRAST = 4;
/** A finger lets dim, reddish light through: in dim light the contrast limit is higher. */
const DIM_BRIGHTNESS = 60;
const DIM_COVERED_CONTRAST = 10;
/** A picture in which no edge is steeper than this shows only a surface and noise. */
const COVERED_STEEPEST = 8;
/** Measured: pictures blurred by 5 of 640 pixels or more lie below, sharp ones above 1, 3 pixels between. */
const BLURRED_SHARPNESS = 0.55;
/**
 * A box that lies in a larger one by this share of its area is the same face, found twice, as the
 * model does with turned heads in noisy pictures.
 */
const SAME_FACE_SHARE = 0.75;

/**
 * Builds the report on one picture from what the model found.
 *
 * @param reason why a picture without faces is inconclusive; `null` if it is not, or has faces
 */
export function faceVerdict(
  found: readonly FoundFace[],
  figures: GrayFigures,
  reason: CannotTell | null,
  tookMs: number,
): FaceReport {
  const faces = distinctFaces(found);
  const [only] = faces.length === 1 ? faces : [];
  return {
    verdict: faces.length > 0 ? 'yes' : reason === null ? 'no' : 'cannot-tell',
    reason,
    faces: reason === null ? faces.length : null,
    boxes: faces.map(({ box }) => box),
    yaw: only === undefined ? null : -degrees(only.yaw),
    pitch: only === undefined ? null : -degrees(only.pitch),
    brightness: figures.brightness,
    motion: figures.motion,
    engine: 'model',
    tookMs,
  };
}

/** Each face once, by its larger box. */
function distinctFaces(found: readonly FoundFace[]): FoundFace[] {
  const distinct: FoundFace[] = [];
  for (const face of found.toSorted((a, b) => areaOf(b) - areaOf(a))) {
    if (distinct.every((larger) => shareWithin(face, larger) < SAME_FACE_SHARE))
      distinct.push(face);
  }
  return distinct;
}

function areaOf({ box: [, , width, height] }: FoundFace): number {
  return width * height;
}

/** How much of the box of a face lies in that of another, 0 to 1. */
function shareWithin(face: FoundFace, other: FoundFace): number {
  const [x, y, width, height] = face.box;
  const [otherX, otherY, otherWidth, otherHeight] = other.box;
  const across = Math.min(x + width, otherX + otherWidth) - Math.max(x, otherX);
  const down = Math.min(y + height, otherY + otherHeight) - Math.max(y, otherY);
  return (Math.max(0, across) * Math.max(0, down)) / Math.max(1, areaOf(face));
}

/** The report of a check that could not run. */
export function cannotTell(
  reason: CannotTell,
  engine: FaceReport['engine'] = 'model',
  tookMs = 0,
): FaceReport {
  return {
    verdict: 'cannot-tell',
    reason,
    faces: null,
    boxes: [],
    yaw: null,
    pitch: null,
    brightness: null,
    motion: null,
    engine,
    tookMs,
  };
}

/** Why a picture without a face is inconclusive; `null` if it is not. */
export function whyUnseen(
  { brightness, contrast }: Pick<GrayFigures, 'brightness' | 'contrast'>,
  { steepest, sharpness }: EdgeFigures,
): CannotTell | null {
  // Covered before dark: even a dark room has more contrast than a finger on the lens.
  if (contrast < COVERED_CONTRAST) return 'covered';
  if (brightness < DARK_BRIGHTNESS) return 'dark';
  if (brightness < DIM_BRIGHTNESS && contrast < DIM_COVERED_CONTRAST) return 'covered';
  // A lit sheet of paper in front of the lens has shades but no edges.
  if (steepest < COVERED_STEEPEST) return 'covered';
  return sharpness < BLURRED_SHARPNESS ? 'blurred' : null;
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}
