/** Where the files of one engine are served, and how many bytes they are when unpacked. */
export interface EngineFiles {
  /** Absolute path that ends with a slash; a hash in it lets browsers keep the files for good. */
  folder: string;
  bytes: number;
}

/** What the build copied from the packages: web/detector-files.ts writes it into the code. */
export interface DetectorFiles {
  face: EngineFiles;
  voice: EngineFiles;
  /** Address of the list of packages, versions and licences. */
  thirdParty: string;
}

declare const __DETECTOR_FILES__: DetectorFiles;

/** The manifest of this build. */
export const detectorFiles: DetectorFiles = __DETECTOR_FILES__;
