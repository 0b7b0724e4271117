import { Evidence } from '@invigil/core/contract/attempts/evidence-views';

const File = Evidence.pick({ stills: true, levels: true });

/** What an opened file holds. */
export function parseEvidenceFile(text: string) {
  return File.parse(JSON.parse(text));
}
