import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evaluate, PROMISES } from '../scripts/attacks.mjs';
import { root } from '../scripts/toolchain.mjs';

const promises = [{ promise: 'P', files: ['a.test.ts', 'b.test.ts'] }];
const report = (...files: [string, string[]][]) => ({
  testResults: files.map(([path, statuses]) => ({
    name: join(root, path),
    assertionResults: statuses.map((status, i) => ({ status, fullName: `t${i}` })),
  })),
});

test('a promise is broken by a failed, skipped or missing test', () => {
  const [failed] = evaluate(
    report(['a.test.ts', ['passed', 'failed']], ['b.test.ts', ['passed']]),
    promises,
  );
  expect(failed?.failures).toEqual(['a.test.ts > t1']);
  const [skipped] = evaluate(
    report(['a.test.ts', ['passed']], ['b.test.ts', ['pending']]),
    promises,
  );
  expect(skipped?.failures).toEqual(['b.test.ts > t0']);
  const [missing] = evaluate(report(['a.test.ts', ['passed']]), promises);
  expect(missing?.failures).toEqual(['b.test.ts did not run']);
  const [crashed] = evaluate(undefined, promises);
  expect(crashed?.failures).toHaveLength(2);
});

test('a promise is kept when all its tests passed, and counts them', () => {
  const whole = report(['a.test.ts', ['passed', 'passed']], ['b.test.ts', ['passed']]);
  expect(evaluate(whole, promises)).toEqual([{ promise: 'P', passed: 3, failures: [] }]);
});

test('the promises are the threats of docs/security.md, with their tests', () => {
  expect(PROMISES.length).toBeGreaterThan(30);
  expect(PROMISES[0]).toEqual({
    promise: 'a call without permission',
    files: ['server/src/http/attacks/access.test.ts'],
  });
  for (const { promise, files } of PROMISES) {
    // A promise without tests could not be broken.
    expect(files, promise).not.toEqual([]);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  }
});
