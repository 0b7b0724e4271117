import { type Config, parseConfig } from '../config.ts';

/** The settings of an app under test: those of nobody in particular, and what `env` says. */
export function testConfig(env: Record<string, string> = {}): Config {
  const parsed = parseConfig({ TIME_ZONE: 'Europe/Berlin', DATA_DIR: '/nonexistent', ...env });
  if ('problems' in parsed) throw new Error(parsed.problems.join('\n'));
  return parsed.config;
}
