import { detectorFiles } from '../../proctoring/engines/detector-files.ts';

/** Where the detectors run, with a link to their packages, versions and licenses. */
export function DetectorLicences() {
  return (
    <p className="mt-3 text-sm text-ink-3">
      The checks run on this device.{' '}
      <a
        href={detectorFiles.thirdParty}
        target="_blank"
        rel="noopener"
        className="text-accent-ink underline underline-offset-4"
      >
        About the detection software
      </a>
    </p>
  );
}
