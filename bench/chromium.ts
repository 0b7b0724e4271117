import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';
import { CannotRun } from './benchmark.ts';

/**
 * Starts an installed Chromium without what disturbs measurements.
 *
 * @throws CannotRun without one
 */
export function launchChromium(...args: string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new CannotRun('no Chromium is installed');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const quiet = ['--disable-gpu', '--disable-quic', '--disable-background-networking'];
  return chromium.launch({ executablePath, args: [...asRoot, ...quiet, ...args] });
}
