import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Test files that take most, by their time on a quiet machine: the longest first. */
const LONG = [
  'server/src/boot/several-processes.test.ts',
  'start-and-end/attempt.property.test.ts',
  'server/src/main.test.ts',
  'server/src/commands/backup.test.ts',
  'server/src/boot/kill.test.ts',
  'bench/overload/run-overload.test.ts',
  'bench/faults/planted.test.ts',
  'jobs/run-jobs.test.ts',
  'demo/fill-demo.test.ts',
  'review/live/live-board.test.ts',
  'server/src/boot/database-hangs.test.ts',
  'bench/faults/faults.test.ts',
  'bench/load/run-load.test.ts',
  'answers/save-against-end.test.ts',
  'server/src/commands/verify.test.ts',
  'passwords/guess-budget.test.ts',
  'embedded-postgres/supervisor.test.ts',
  'bench/faults/failover.test.ts',
];

/**
 * A clean checkout knows no durations, and a long file that begins last keeps everybody waiting while
 * the other cores have nothing to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = LONG.findIndex((name) => moduleId.endsWith(name));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}
