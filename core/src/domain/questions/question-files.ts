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
/** A format that questions are read from. */
export type FileFormat = (typeof FILE_FORMATS)[number];

export const EXPORT_FORMATS = ['csv', 'gift', 'moodle_xml', 'qti_3'] as const;
/** A format that questions are written in. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Question files of any format. */
export const IMPORT_LIMITS = {
  /** What an upload of 15 s carries at 13 Mbit/s. */
  fileMaxBytes: 25_165_824,
  /** The line before the file: positions of 100,000 items. */
  orderMaxBytes: 1_048_576,
  itemsMax: 20_000,
  /** Of the worker that reads a file: its heap, and its time. */
  heapMaxMebibytes: 96,
  readMaxMs: 60_000,
  /** Images that a preview shows. */
  previewImageMaxBytes: 1_048_576,
  previewImagesMaxBytes: 16_777_216,
} as const;
