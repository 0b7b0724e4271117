/** The folder with the files of one engine, and their uncompressed size in bytes. */
export interface EngineFiles {
  /** Absolute path with a trailing slash; it contains a hash, so browsers cache the files for good. */
  folder: string;
  bytes: number;
}

/** The files copied from the packages; web/detector-files.ts injects this at build time. */
export interface DetectorFiles {
  face: EngineFiles;
  voice: EngineFiles;
  /** Address of the list of packages, versions and licenses. */
  thirdParty: string;
}

declare const __DETECTOR_FILES__: DetectorFiles;

/** The manifest of this build. */
export const detectorFiles: DetectorFiles = __DETECTOR_FILES__;
