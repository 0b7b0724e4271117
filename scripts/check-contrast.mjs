#!/usr/bin/env node
/**
 * Checks every color pair of web/src/ui/tokens.css that the interface uses against WCAG 2.2 AA, in light
 * and in dark.
 *
 *   node scripts/check-contrast.mjs   exit 1 when a pair is too low
 */
import { readFileSync } from 'node:fs';

/** Ratios that AA requires: of text, and of shapes that are controls or carry meaning. */
const TEXT = 4.5;
const SHAPE = 3;

const PLANES = ['surface', 'canvas', 'raised', 'hover', 'sunken'];
const SHEETS = ['surface', 'canvas', 'raised'];

/** @type {[foreground: string, need: number, ...backgrounds: string[]][]} */
const USED = [
  ['ink', TEXT, ...PLANES, 'fill', 'accent-soft'],
  ['ink-2', TEXT, ...PLANES, 'fill', 'accent-soft'],
  ['ink-3', TEXT, ...PLANES],
  ['surface', TEXT, 'ink'], // tooltip
  ['accent-ink', TEXT, ...SHEETS, 'accent-soft'],
  ['ok-ink', TEXT, ...SHEETS, 'ok-soft'],
  ['warn-ink', TEXT, ...SHEETS, 'warn-soft'],
  ['bad-ink', TEXT, ...SHEETS, 'bad-soft'],
  ['on-accent', TEXT, 'accent', 'accent-hover', 'accent-press'],
  ['on-ok', TEXT, 'ok'],
  ['on-warn', TEXT, 'warn'],
  ['on-bad', TEXT, 'bad', 'bad-hover'],
  ['line-strong', SHAPE, ...PLANES],
  ['focus', SHAPE, ...PLANES],
  ['accent', SHAPE, ...SHEETS, 'accent-soft'],
  ['ok', SHAPE, ...SHEETS],
  ['warn-edge', SHAPE, ...SHEETS],
  ['bad', SHAPE, ...SHEETS],
  ['chart', SHAPE, 'surface'],
];

const css = readFileSync(new URL('../web/src/ui/tokens.css', import.meta.url), 'utf8');
const light = read('@theme static {');
const dark = read('@variant dark {');

let problems = 0;
let pairs = 0;

for (const [theme, tokens] of /** @type {const} */ ([
  ['light', light],
  ['dark', { ...light, ...dark }],
])) {
  for (const [foreground, need, ...backgrounds] of USED) {
    for (const background of backgrounds) {
      const measured = ratio(color(tokens, foreground), color(tokens, background));
      pairs += 1;
      if (measured >= need) continue;
      problems += 1;
      console.log(
        `LOW  ${theme} ${foreground} on ${background}  ${measured.toFixed(2)} (needs ${need})`,
      );
    }
  }
}
for (const name of Object.keys(light)) {
  if (name in dark) continue;
  problems += 1;
  console.log(`MISSING in dark: --color-${name}`);
}
console.log(problems === 0 ? `${pairs} pairs pass` : `${problems} problem(s)`);
process.exitCode = problems === 0 ? 0 : 1;

/** The `--color-*` values of the first block with this selector. */
function read(selector) {
  const from = css.indexOf(selector);
  if (from < 0) throw new Error(`no block ${selector}`);
  const body = css.slice(css.indexOf('{', from) + 1, css.indexOf('}', from));
  /** @type {Record<string, string>} */
  const tokens = {};
  for (const [, name = '', value = ''] of body.matchAll(/--color-([\w-]+):\s*([^;]+);/g)) {
    tokens[name] = value.trim();
  }
  return tokens;
}

/** Throws for a missing token or a value that is not a plain color. */
function color(tokens, name) {
  const value = tokens[name];
  if (!/^#[0-9a-f]{6}$/i.test(value ?? ''))
    throw new Error(`--color-${name} is not a color: ${value}`);
  return value;
}

function ratio(one, other) {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(hex) {
  const bits = Number.parseInt(hex.slice(1), 16);
  const red = linear(bits >> 16);
  const green = linear((bits >> 8) & 255);
  const blue = linear(bits & 255);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linear(channel) {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
