#!/usr/bin/env node
/**
 * `npm run sbom`: a CycloneDX list of shipped packages. `npm sbom --omit=dev` would also omit shipped
 * packages that a development package depends on too, such as React.
 */
import { run } from './toolchain.mjs';

const FLAGS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
const { code, output } = await run('npm', ['sbom', '--loglevel=error', ...FLAGS]);
if (code !== 0) {
  console.error(output);
  process.exit(code);
}
const all = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1));
const isDevelopment = ({ properties = [] }) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');
const components = all.components.filter((/** @type {any} */ one) => !isDevelopment(one));
const shipped = new Set(components.map((/** @type {any} */ one) => one['bom-ref']));
shipped.add(all.metadata.component['bom-ref']);
const dependencies = all.dependencies
  .filter((/** @type {any} */ { ref }) => shipped.has(ref))
  .map((/** @type {any} */ { ref, dependsOn }) => ({
    ref,
    dependsOn: dependsOn.filter((/** @type {string} */ to) => shipped.has(to)),
  }));
console.log(JSON.stringify({ ...all, components, dependencies }, null, 2));
