export const FILE_FORMATS = [
  'csv',
  'xlsx',
  'gift',
  'aiken',
  'moodle_xml',
  'qti_1_2',
  'common_cartridge',
  'qti_2',
  'qti_3',
] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

export const EXPORT_FORMATS = ['csv', 'gift', 'moodle_xml', 'qti_3'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const COLUMN_USES = [
  'question',
  'option',
  'answer',
  'points',
  'explanation',
  'tags',
  'category',
  'type',
  'number',
  'unused',
] as const;
export type ColumnUse = (typeof COLUMN_USES)[number];

export const FIRST_ROWS = ['header', 'question'] as const;
/** The first row of a CSV file that is read by the rules of product 8. */
export type FirstRow = (typeof FIRST_ROWS)[number];

/** Whether several columns may have this use. */
export function isRepeatable(use: ColumnUse): boolean {
  return use === 'option' || use === 'unused';
}

/** The name of a column in spreadsheets: 0 is A, 26 is AA. */
export function columnName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${columnName(Math.floor(index / 26) - 1)}${last}`;
}

export const IMPORT_LIMITS = {
  /** An upload of 15 s at 13 Mbit/s. */
  fileMaxBytes: 25_165_824,
  /** A file without archive or images: 20,000 questions of 400 characters. */
  textMaxBytes: 8_388_608,
  /** The line before the file: positions of 100,000 items. */
  orderMaxBytes: 1_048_576,
  itemsMax: 20_000,
  /** Columns of a sheet that are read: 26 options and the other parts of a question. */
  columnsMax: 40,
  /** Other texts of an item, besides its question and tags: titles, identifiers, file names and categories … */
  labelMaxCharacters: 300,
  categoriesMax: 20,
  /** … and sentences about it, and about the file. */
  noteMaxCharacters: 500,
  notesMax: 20,
  problemsMax: 200,
  /**
   * Limits of the process that reads a file: its heap; its time, at the lowest priority (20,000 questions
   * take half a minute on an idle machine, and several where candidates are at work); and how long it waits
   * for its reader.
   */
  heapMaxMebibytes: 64,
  /** Heap of the process that writes a file: 20,000 of our own questions as one XML tree. */
  writeHeapMaxMebibytes: 384,
  writeMaxMs: 300_000,
  readMaxMs: 240_000,
  idleMaxMs: 300_000,
  /** Images that a preview shows. */
  previewImageMaxBytes: 1_048_576,
  previewImagesMaxBytes: 16_777_216,
} as const;

/** Images of questions. What is stored is smaller than what is uploaded. */
export const IMAGE_LIMITS = {
  uploadMaxBytes: 10_485_760,
  /**
   * 12,288 by 8,192, or as many in another shape: what cameras take, scaled down. At most 6 s and 540 MB;
   * only the largest progressive JPEGs exceed the memory.
   */
  pixelsMax: 100_663_296,
  /** 4,096 by 4,096: this format cannot be read at a smaller size. */
  avifPixelsMax: 16_777_216,
  /** The longer side as stored: sharp on a wide screen, and on a phone when it is enlarged. */
  sideMaxPx: 1_600,
  /** An SVG is drawn at this many times its own size, for screens with small pixels. */
  svgScale: 2,
  svgMaxBytes: 2_097_152,
  /** Characters of all texts of an SVG, and of one: 2,500 characters take 0.3 s to draw, 19,000 in one take 19 s. */
  svgTextMaxCharacters: 20_000,
  svgLineMaxCharacters: 2_500,
  /** An image that is larger than this without loss is a photograph; line art takes a tenth of it. */
  losslessMaxBytes: 524_288,
  /** WebP quality of photographs: twice the size shows no difference. */
  photoQuality: 85,
  /** 16 megapixels of AVIF with ten bits, the slowest: 13 s and 520 MB on a busy core. */
  convertMaxMs: 30_000,
  convertMaxMemoryBytes: 805_306_368,
  /** The converter's process ends when it has had nothing to do for this long. */
  converterIdleMs: 30_000,
  /** Memory for images that were just served: candidates who start together read the same ones. */
  cacheBytes: 67_108_864,
} as const;
