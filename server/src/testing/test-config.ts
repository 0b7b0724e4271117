import { type Config, parseConfig } from '../runtime/config.ts';

/**
 * The settings of an app under test, with those of `env`. Requests through `inject` are faster than any
 * page's, so their budget is large unless a test is about it.
 */
export function testConfig(env: Record<string, string> = {}): Config {
  const usual = { TIME_ZONE: 'Europe/Berlin', DATA_DIR: '/nonexistent', REQUEST_BUDGET: '1000' };
  const parsed = parseConfig({ ...usual, ...env });
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'));
  return parsed.config;
}
