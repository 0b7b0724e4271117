import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { rules } from '../.dependency-cruiser.mjs';
import { checkImports } from '../scripts/import-rules.mjs';

/**
 * A miniature project: one file per place that the rules name, with every allowed import (`type:` and
 * `later:` before those of types and dynamic ones). Each test adds one forbidden import, and expects its
 * rule, and only its rule, to be violated.
 */
const FILES = `
core/src/domain/limits.ts
core/src/domain/scoring.ts ./limits.ts
core/src/domain/attempt/state/state.ts ../../people/names/names.ts
core/src/domain/people/names/names.ts
core/src/domain/people/lists/lists.ts
core/src/domain/scoring.test.ts vitest ./scoring.ts
core/src/content/parse.ts mdast-util-from-markdown ../domain/limits.ts
core/src/texts/moments.ts ../domain/limits.ts
core/src/contract/definition/errors.ts
core/src/contract/quizzes.ts zod ../domain/limits.ts ./definition/errors.ts
server/src/main.ts ./boot/app.ts ./runtime/config.ts
server/src/app-context.ts type:./features/assessments/a/present.ts
server/src/boot/app.ts fastify ../features/assessments/a/routes.ts ../features/invitations/routes.ts
server/src/runtime/config.ts node:process zod
server/src/runtime/clock.ts
server/src/db/schema/quizzes.ts drizzle-orm
server/src/db/queries/quizzes.ts drizzle-orm ../schema/quizzes.ts type:@invigil/core/domain/limits
server/src/db/connection/pool.ts pg drizzle-orm ../schema/quizzes.ts
server/src/db/connection/codes.ts
server/src/db/transaction.ts
server/src/security/codes.ts node:crypto
server/src/storage/disk.ts node:fs
server/src/deliveries/worker.ts ../runtime/clock.ts
server/src/http/session.ts fastify ../runtime/clock.ts
testkit/harness.ts ../server/src/boot/app.ts smtp-server
testkit/fake-clock.ts
server/src/features/assessments/a/routes.ts fastify @invigil/core/contract/quizzes ../../../http/session.ts ../../../db/queries/quizzes.ts ./create.ts ./present.ts type:../../../db/connection/pool.ts
server/src/features/assessments/a/create.ts uuid node:crypto @invigil/core/domain/limits @invigil/core/contract/definition/errors ../../../db/connection/pool.ts ../../../runtime/clock.ts ../../../db/queries/quizzes.ts type:@invigil/core/contract/quizzes type:../../../app-context.ts
server/src/features/assessments/a/create.test.ts vitest ./create.ts @invigil/testkit/harness
server/src/features/assessments/a/present.ts @invigil/core/contract/quizzes
server/src/features/invitations/routes.ts fastify ./invite.ts
server/src/features/invitations/invite.ts ./queries.ts ../../deliveries/worker.ts ../assessments/a/present.ts
server/src/features/invitations/queries.ts drizzle-orm ../../db/schema/quizzes.ts
web/src/main.tsx react ./app/routes.tsx
web/src/app/theme.ts
web/src/app/routes.tsx react ./theme.ts later:../public/login/login.tsx later:../admin/list/list.tsx
web/src/public/login/login.tsx react @invigil/core/contract/quizzes ../../ui/button.tsx ../../lib/api.ts ./api.ts
web/src/public/login/api.ts @tanstack/react-query ../../lib/api.ts
web/src/admin/data/quizzes.ts ../../lib/api.ts
web/src/admin/parts/quiz-link.tsx ../data/quizzes.ts ../../ui/button.tsx
web/src/admin/people/people.tsx ../parts/quiz-link.tsx ../list/list.tsx
web/src/admin/results/results.tsx
web/src/admin/list/list.tsx ../../answer-sync/use-answer-sync.ts ../../proctoring/use-monitor.ts
web/src/proctoring/monitor.ts @invigil/core/domain/limits ../lib/api.ts
web/src/proctoring/use-monitor.ts react ./monitor.ts
web/src/answer-sync/sender.ts ../lib/api.ts
web/src/answer-sync/use-answer-sync.ts react ./sender.ts
web/src/ui/button.tsx react radix-ui
web/src/question-view/head.tsx react @invigil/core/domain/limits
web/src/lib/api.ts @invigil/core/contract/quizzes zod
`;
const PROJECT: Record<string, string> = Object.fromEntries(
  rowsOf(FILES).map(([path = '', ...specifiers]) => [path, imports(...specifiers)]),
);

const MANIFESTS = {
  'package.json': manifest({ devDependencies: ['vitest'] }),
  'core/package.json': `{ "name": "@invigil/core", "type": "module",
    "exports": { "./domain/*": "./src/domain/*.ts", "./contract/*": "./src/contract/*.ts" },
    "dependencies": { "mdast-util-from-markdown": "1.0.0", "zod": "1.0.0" } }`,
  'server/package.json': manifest({
    dependencies: ['@invigil/core', 'fastify', 'drizzle-orm', 'pg', 'uuid', 'pino', 'zod'],
    devDependencies: ['@invigil/testkit', 'smtp-server'],
  }),
  'testkit/package.json': `{ "name": "@invigil/testkit", "type": "module",
    "exports": { "./*": "./*.ts" }, "devDependencies": { "smtp-server": "1.0.0" } }`,
  'web/package.json': manifest({
    dependencies: ['@invigil/core', 'react', 'radix-ui', '@tanstack/react-query', 'zod'],
  }),
};

const FEWEST = 25;

/** Injected imports: the file, the import, and the rules it violates. */
const INJECTED = rowsOf(`
core/src/domain/scoring.ts zod core-domain-imports-nothing
core/src/domain/scoring.ts node:crypto core-domain-imports-nothing
core/src/domain/scoring.ts ../contract/quizzes.ts core-domain-imports-nothing no-room-cycle
core/src/domain/scoring.ts ../content/parse.ts core-domain-imports-nothing no-room-cycle
core/src/domain/people/lists/lists.ts ../../attempt/state/state.ts no-room-cycle
core/src/content/parse.ts zod core-content-imports-domain-and-parser
core/src/texts/moments.ts zod core-texts-imports-domain
core/src/contract/quizzes.ts node:crypto core-contract-imports-texts-and-zod
core/src/contract/quizzes.ts ../../../server/src/runtime/clock.ts core-contract-imports-texts-and-zod core-imports-no-other-package no-room-cycle
server/src/runtime/clock.ts ../../../web/src/lib/api.ts server-imports-no-web
server/src/runtime/clock.ts ../../../core/src/domain/limits.ts packages-by-their-name
server/src/runtime/clock.ts react no-undeclared-package
server/src/runtime/clock.ts smtp-server no-dev-package-in-product
server/src/runtime/clock.ts vitest no-dev-package-in-product
server/src/runtime/clock.ts ./no-such-file.ts no-unresolved
server/src/runtime/clock.ts @invigil/core/src/domain/limits.ts no-unresolved
server/src/deliveries/worker.ts @invigil/testkit/fake-clock no-room-cycle no-test-in-product
server/src/deliveries/worker.ts pg sql-only-in-queries
server/src/deliveries/worker.ts ../db/schema/quizzes.ts sql-only-in-queries
server/src/features/assessments/a/create.ts fastify features-import-no-routes
server/src/features/assessments/a/create.ts ../../../http/session.ts features-import-no-routes
server/src/features/assessments/a/create.ts pino features-use-node-only
server/src/features/assessments/a/create.ts ../../../db/transaction.ts changes-by-command
server/src/features/assessments/a/create.ts drizzle-orm sql-only-in-queries
server/src/db/queries/quizzes.ts node:crypto queries-are-sql-only
server/src/db/queries/quizzes.ts @invigil/core/contract/definition/errors queries-are-sql-only queries-import-no-contract
server/src/features/invitations/queries.ts ./invite.ts no-cycle queries-are-sql-only
server/src/features/assessments/a/create.ts ../../invitations/invite.ts no-room-cycle server-groups-in-order
server/src/db/connection/pool.ts ../../features/invitations/invite.ts no-room-cycle server-groups-in-order
server/src/features/assessments/a/present.ts @invigil/testkit/harness no-cycle no-room-cycle no-test-in-product
server/src/security/codes.ts ../main.ts server-groups-in-order
server/src/db/schema/quizzes.ts ../connection/codes.ts no-room-cycle
web/src/lib/api.ts ../../../server/src/runtime/clock.ts web-imports-no-server
web/src/lib/api.ts node:crypto web-uses-no-node
web/src/lib/api.ts ../ui/button.tsx web-lib-is-the-lowest
web/src/public/login/login.tsx ../../admin/list/list.tsx web-sides-are-independent
web/src/admin/people/people.tsx ../results/results.tsx web-admin-rooms-are-independent
web/src/admin/data/quizzes.ts ../parts/quiz-link.tsx no-cycle no-room-cycle web-admin-floors-in-order
web/src/admin/data/quizzes.ts ../../question-view/head.tsx web-admin-floors-in-order
web/src/admin/parts/quiz-link.tsx ../results/results.tsx web-admin-floors-in-order
web/src/admin/list/list.tsx ../results/results.tsx web-admin-floors-in-order
web/src/public/login/api.ts ../../app/theme.ts no-room-cycle web-app-is-the-top
web/src/proctoring/monitor.ts ../public/login/api.ts web-layers-import-no-screen web-proctoring-and-answer-sync-stand-alone
web/src/proctoring/monitor.ts ../ui/button.tsx web-proctoring-and-answer-sync-stand-alone
web/src/proctoring/monitor.ts ../answer-sync/sender.ts web-proctoring-and-answer-sync-stand-alone
web/src/proctoring/monitor.ts react web-react-only-in-use-files
web/src/answer-sync/sender.ts @tanstack/react-query web-react-only-in-use-files
web/src/ui/button.tsx @invigil/core/domain/limits web-ui-is-presentational
web/src/ui/button.tsx ../lib/api.ts web-ui-is-presentational
web/src/ui/button.tsx @tanstack/react-query web-ui-fetches-nothing
web/src/question-view/head.tsx ../answer-sync/sender.ts web-question-view-is-presentational
`);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'invigil-import-rules-'));
  for (const [path, text] of Object.entries({ ...MANIFESTS, ...PROJECT })) write(path, text);
  for (const name of ['zod', 'vitest', 'fastify', 'drizzle-orm', 'pg', 'uuid', 'pino']) npm(name);
  mkdirSync(join(folder, 'node_modules/@invigil'));
  symlinkSync(join(folder, 'core'), join(folder, 'node_modules/@invigil/core'));
  symlinkSync(join(folder, 'testkit'), join(folder, 'node_modules/@invigil/testkit'));
  for (const name of ['smtp-server', 'react', 'radix-ui', '@tanstack/react-query']) npm(name);
  npm('mdast-util-from-markdown');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('import rules', () => {
  test('a project without violations passes', async () => {
    const result = await checkImports({ folder, fewest: FEWEST });
    expect(result.problems).toEqual([]);
    expect(result.modules).toBeGreaterThanOrEqual(FEWEST);
  });

  test.each(INJECTED)('%s may not import %s', async (file = '', specifier = '', ...expected) => {
    write(file, `${PROJECT[file]}\nimport '${specifier}';`);
    expect(await violatedRules()).toEqual(expected);
  });

  test('type imports and dynamic imports are checked', async () => {
    write('core/src/domain/scoring.ts', "import type { ZodType } from 'zod';");
    write('core/src/domain/limits.ts', "export const later = () => import('node:crypto');");
    expect(await violatedRules()).toEqual(['core-domain-imports-nothing']);
    expect((await checkImports({ folder, fewest: FEWEST })).problems).toHaveLength(2);
  });

  test('cycles of two and of three are detected', async () => {
    write('core/src/domain/limits.ts', imports('./scoring.ts'));
    write('web/src/lib/api.ts', imports('./a.ts'));
    write('web/src/lib/a.ts', imports('./b.ts'));
    write('web/src/lib/b.ts', imports('./api.ts'));
    expect(await violatedRules()).toEqual(['no-cycle']);
    const { problems } = await checkImports({ folder, fewest: FEWEST });
    expect(problems.map(({ from }) => from)).toContain('core/src/domain/limits.ts');
    expect(problems.map(({ from }) => from)).toContain('web/src/lib/a.ts');
  });

  test('a `using` declaration is parsed', async () => {
    write('server/src/runtime/clock.ts', "{ using held = await import('react'); }");
    expect(await violatedRules()).toEqual(['no-undeclared-package']);
  });

  test('too few modules are detected', async () => {
    const { problems } = await checkImports({ folder, fewest: 1000 });
    expect(problems.map(({ rule }) => rule)).toEqual(['module-floor']);
  });

  test('a parser that reads no imports is detected', async () => {
    for (const path of Object.keys(PROJECT)) write(path, 'export const silent = 1;');
    const { problems } = await checkImports({ folder, fewest: FEWEST });
    expect(problems.map(({ rule }) => rule)).toEqual(['import-floor']);
  });

  test('every rule of the configuration is tested here', () => {
    const injected = new Set([...INJECTED.flatMap(([, , ...names]) => names), 'no-cycle']);
    expect(rules.map(({ name }) => `${name}`).filter((name) => !injected.has(name))).toEqual([]);
  });
});

async function violatedRules(): Promise<string[]> {
  const { problems } = await checkImports({ folder, fewest: FEWEST });
  return [...new Set(problems.map(({ rule }) => rule))].sort();
}

/** The words of each line. */
function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
}

function imports(...specifiers: string[]): string {
  const lines = specifiers.map((specifier, i) => {
    const [, kind, path = specifier] = /^(type|later):(.*)/.exec(specifier) ?? [];
    if (kind === 'type') return `import type { T${i} } from '${path}';`;
    return kind ? `export const later${i} = import('${path}');` : `import '${path}';`;
  });
  return ['export const here = 1;', ...lines].join('\n');
}

function manifest(parts: Record<string, string[]>): string {
  const versions = Object.entries(parts).map(([kind, names]) => [
    kind,
    Object.fromEntries(names.map((name) => [name, '1.0.0'])),
  ]);
  return JSON.stringify({ name: 'x', type: 'module', ...Object.fromEntries(versions) });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `${text}\n`);
}

/** An empty package under node_modules. */
function npm(name: string): void {
  write(`node_modules/${name}/package.json`, `{ "name": "${name}", "main": "index.js" }`);
  write(`node_modules/${name}/index.js`, '');
}
