import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { SLOWEST } from './slowest-tests.mjs';

/**
 * A clean checkout has no recorded durations, and a long file that starts last leaves the other cores
 * idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = SLOWEST.findIndex((name) => moduleId.endsWith(name));
      return found < 0 ? SLOWEST.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
