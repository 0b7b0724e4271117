#!/usr/bin/env node
/**
 * The import rules of .dependency-cruiser.mjs over core, server, web and testkit.
 *
 *   node scripts/import-rules.mjs [--root <folder>] [--fewest <modules>]
 *
 * Fails on a forbidden import, and when fewer of our own modules were found than FEWEST_MODULES: a
 * parser that reads nothing finds nothing, and would otherwise always pass.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Visitor } from '@swc/core/Visitor.js';
import { cruise } from 'dependency-cruiser';
import config, { rules } from '../.dependency-cruiser.mjs';
import { isEntry, root } from './toolchain.mjs';

/** Raise this as the code grows; it should stay slightly below the number the check prints. */
const FEWEST_MODULES = 1_300;

/** Fewer imports per module mean that the parser did not read them. */
const FEWEST_IMPORTS_PER_MODULE = 0.5;

const PACKAGES = ['core/src', 'server/src', 'web/src', 'testkit'];
const CONTEXT = 'server/src/app-context.ts';
const I18N = 'core/src/texts/i18n.ts';

/**
 * dependency-cruiser's syntax visitor does not support `using` and would stop at it. Such a declaration
 * is visited like any other.
 */
const visitStatement = Visitor.prototype.visitStatement;
Visitor.prototype.visitStatement = function (/** @type {any} */ statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

/**
 * Checks one tree. `fewest` is the minimum number of own modules that must be found.
 *
 * @param {{ folder?: string, fewest?: number }} [options]
 * @returns {Promise<{ modules: number, imports: number, problems: { rule: string, from: string, to: string, why: string }[] }>}
 */
export async function checkImports({ folder = root, fewest = FEWEST_MODULES } = {}) {
  const present = PACKAGES.filter((path) => existsSync(join(folder, path)));
  const { output } = await cruise(present, {
    ...config.options,
    baseDir: folder,
    validate: true,
    ruleSet: { forbidden: rules },
  });
  if (typeof output === 'string')
    throw new Error('dependency-cruiser returned a report, not a result');

  const own = output.modules.filter((module) =>
    PACKAGES.some((path) => module.source.startsWith(`${path}/`)),
  );
  const imports = own.reduce((sum, module) => sum + module.dependencies.length, 0);
  const why = new Map(rules.map((rule) => [rule.name, rule.comment]));

  const problems = output.summary.violations.map((violation) => ({
    rule: violation.rule.name,
    from: violation.from,
    to: violation.cycle?.map((step) => step.name).join(' -> ') ?? violation.to,
    why: why.get(violation.rule.name) ?? '',
  }));
  for (const cycle of roomCycles(own)) {
    problems.push({
      rule: 'no-room-cycle',
      from: cycle[0] ?? '',
      to: cycle.slice(1).join(', '),
      why: 'Merge rooms that depend on each other, or extract what they share.',
    });
  }
  if (own.length < fewest) {
    problems.push({
      rule: 'module-floor',
      from: folder,
      to: `${own.length} modules`,
      why: `Only ${own.length} modules were found, expected at least ${fewest}: the parser fails, or FEWEST_MODULES in scripts/import-rules.mjs is wrong.`,
    });
  }
  if (own.length > 0 && imports < own.length * FEWEST_IMPORTS_PER_MODULE) {
    problems.push({
      rule: 'import-floor',
      from: folder,
      to: `${imports} imports`,
      why: `Only ${imports} imports in ${own.length} modules: the parser does not read these files.`,
    });
  }
  return { modules: own.length, imports, problems };
}

/**
 * Rooms that reach each other through imports, without tests. An import goes from room to room where the
 * folders of the two files part: folders side by side, whichever of their own folders the files are in. The
 * type of the server's context names parts of every group and is passed to all of them, so it is excluded;
 * the language in use is asked everywhere and imports no other room.
 *
 * @param {import('dependency-cruiser').IModule[]} modules
 * @returns {string[][]}
 */
function roomCycles(modules) {
  /** @type {Map<string, Set<string>>} */
  const graph = new Map();
  for (const { source, dependencies } of modules) {
    if (isTest(source) || source === CONTEXT) continue;
    for (const { resolved } of dependencies) {
      const isOwn = PACKAGES.some((path) => resolved.startsWith(`${path}/`));
      if (!isOwn || resolved === CONTEXT || resolved === I18N) continue;
      const from = dirname(source).split('/');
      const to = dirname(resolved).split('/');
      const parting = from.findIndex((name, at) => name !== to[at]);
      if (parting === -1 || parting >= to.length) continue;
      const room = from.slice(0, parting + 1).join('/');
      const reached = to.slice(0, parting + 1).join('/');
      graph.set(room, (graph.get(room) ?? new Set()).add(reached));
    }
  }
  /** @param {string} start */
  const reachableFrom = (start) => {
    const seen = new Set();
    const todo = [start];
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      for (const next of graph.get(at) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        todo.push(next);
      }
    }
    return seen;
  };
  const reach = new Map([...graph.keys()].map((room) => [room, reachableFrom(room)]));
  /** @type {Map<string, string[]>} */
  const cycles = new Map();
  for (const [room, reached] of reach) {
    if (!reached.has(room)) continue;
    const cycle = [...reached].filter((other) => reach.get(other)?.has(room)).sort();
    cycles.set(cycle.join(), cycle);
  }
  return [...cycles.values()];
}

/** @param {string} path */
const isTest = (path) => /\.test\.tsx?$|^(server|web)\/src\/testing\//.test(path);

if (isEntry(import.meta.url)) {
  const { values } = parseArgs({
    options: { root: { type: 'string' }, fewest: { type: 'string' } },
  });
  const { modules, imports, problems } = await checkImports({
    folder: values.root === undefined ? root : resolve(values.root),
    fewest: values.fewest === undefined ? FEWEST_MODULES : Number(values.fewest),
  });
  for (const { rule, from, to, why } of problems) {
    console.log(`${rule}: ${from} -> ${to}\n    ${why}`);
  }
  console.log(`${modules} modules, ${imports} imports, ${problems.length} forbidden`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
