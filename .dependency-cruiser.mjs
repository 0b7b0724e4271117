/**
 * Who may import whom: the matrix of docs/architecture.md as rules.
 *
 * `npm run check` runs them through scripts/import-rules.mjs, which also fails when too few modules were
 * found. `parser: 'swc'` is required: dependency-cruiser cannot read TypeScript 7, and without a parser
 * it silently finds no imports. tests/import-rules.long.test.ts injects one forbidden import per rule.
 */

const CORE_DOMAIN = '^core/src/domain/';
const CORE_CONTENT = '^core/src/content/';
const CORE_CONTRACT = '^core/src/contract/';
const CORE_TEXTS = '^core/src/texts/';
/** The language in use, which imports nothing else of core. */
const CORE_I18N = '^core/src/texts/i18n\\.ts$';
/** Files with SQL: queries of several groups, and the queries.ts of a feature. */
const QUERIES = '^server/src/db/queries/|queries\\.ts$';
/** Files of the features: use-cases, unless a rule excludes them. */
const FEATURES = '^server/src/features/.+\\.ts$';

/**
 * The groups of the server, lowest first: each imports only groups above its own line. Only the type of
 * the context (app-context.ts), which is passed to the features, names parts of all groups.
 */
export const SERVER_GROUPS = [
  'formats',
  'runtime',
  'db',
  'security',
  'storage',
  'trust',
  'deliveries',
  'metrics',
  'sessions',
  'http',
  'features/audit-log',
  'features/attempt-news',
  'features/people',
  'features/assessments',
  'features/attempts',
  'features/results',
  'features/sign-in',
  'features/invitations',
  'features/review',
  'features/system',
  'key-rotation',
  'backup',
  'jobs',
  'demo',
  'boot',
  'commands',
];

/** Doors of candidates, of jobs, and of sign-in, where there is no session yet. */
const OWN_TRANSACTIONS =
  '/attempts/(answers|start-and-end|violations)/|/(ask-for-help|pauses|give-feedback|record-heartbeat|heartbeat-writer|release-results)\\.ts$|/store-evidence|/sign-in/|/store-image|/certificates\\.ts$|/delete-expired';

/** Below the rooms of the portal. */
const FLOORS = 'list|parts|data';

const TEST = '\\.test\\.tsx?$';

/** Spread into `to` to allow imports of types alone. @type {{ dependencyTypesNot: ['type-only'] }} */
const NOT_TYPES = { dependencyTypesNot: ['type-only'] };

/** @param {string[]} names  patterns of the names of packages */
const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/`;

/** Files used only by tests: they may use the harness, the runner and the test libraries. */
const TESTS_AND_HARNESS = `${TEST}|^testkit/|^web/src/testing/`;

/**
 * @typedef {import('dependency-cruiser').IRegularForbiddenRuleType} Rule
 * @param {string} name
 * @param {string} comment
 * @param {Rule['from']} from
 * @param {Rule['to']} to
 * @returns {Rule}
 */
const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to });

const everywhere = [
  forbid(
    'no-cycle',
    'Merge files that depend on each other, or extract what they share.',
    {},
    { circular: true },
  ),
  forbid(
    'no-unresolved',
    'The import does not resolve: a typo, a deleted file, or a path that `exports` does not expose.',
    {},
    // The build makes the modules `catalogues:…` (web/texts.ts).
    { couldNotResolve: true, pathNot: '^catalogues:' },
  ),
  forbid(
    'no-undeclared-package',
    'npm hoists packages, so the compiler does not detect this: declare the package in the nearest package.json.',
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'no-dev-package-in-product',
    'A devDependency is missing in production; only tests and the test harness may use one.',
    { path: '^(core|server|web)/src/', pathNot: TESTS_AND_HARNESS },
    { dependencyTypes: ['npm-dev'], pathNot: '/@types/', ...NOT_TYPES },
  ),
  forbid(
    'no-test-in-product',
    'Nothing that ships imports a test or the test harness.',
    { path: '^(core|server|web)/src/', pathNot: TESTS_AND_HARNESS },
    { path: TESTS_AND_HARNESS },
  ),
  forbid(
    'packages-by-their-name',
    'Import core as @invigil/core/…, never by a relative path out of the package.',
    { path: '^(server|web)/src/' },
    { path: '^core/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
  ),
];

const core = [
  forbid(
    'core-domain-imports-nothing',
    'The rules are pure functions: no Node, only each other, the language in use, and an encoding of domain names.',
    { path: CORE_DOMAIN, pathNot: TEST },
    { pathNot: [CORE_DOMAIN, CORE_I18N, packages('punycode')] },
  ),
  forbid(
    'core-texts-imports-domain',
    'Texts are made of codes and parameters of the rules.',
    { path: CORE_TEXTS, pathNot: TEST },
    { pathNot: [CORE_DOMAIN, CORE_TEXTS, packages('@lingui', 'pofile')] },
  ),
  forbid(
    'core-contract-imports-texts-and-zod',
    'The contract depends on the rules, their texts and Zod only.',
    { path: CORE_CONTRACT, pathNot: TEST },
    {
      pathNot: [
        ...[CORE_DOMAIN, CORE_TEXTS, CORE_CONTRACT],
        ...['/node_modules/zod/', '^node_modules/zod/'],
      ],
    },
  ),
  forbid(
    'core-content-imports-domain-and-parser',
    'Reading texts depends on the rules, the language in use and the parsers of Markdown and HTML only.',
    { path: CORE_CONTENT, pathNot: TEST },
    {
      pathNot: [
        ...[CORE_DOMAIN, CORE_CONTENT, CORE_I18N],
        '(^|/)node_modules/(@types/)?(mdast|micromark|parse5)',
      ],
    },
  ),
  forbid(
    'core-imports-no-other-package',
    'core runs anywhere: it imports neither server nor web.',
    { path: '^core/' },
    { path: '^(server|web|e2e|bench|scripts|tests)/' },
  ),
];

const server = [
  forbid(
    'server-imports-no-web',
    'The server serves the built files; it imports none of them.',
    { path: '^server/' },
    { path: '^web/' },
  ),
  ...SERVER_GROUPS.slice(0, -1).map((group, i) =>
    forbid(
      'server-groups-in-order',
      'A group imports only groups below it (SERVER_GROUPS in .dependency-cruiser.mjs).',
      { path: `^server/src/${group}/`, pathNot: TESTS_AND_HARNESS },
      { path: `^server/src/(${SERVER_GROUPS.slice(i + 1).join('|')})/|^server/src/main\\.ts$` },
    ),
  ),
  forbid(
    'sql-only-in-queries',
    "SQL is only in db/queries, in a feature's queries.ts, and in the answer writer.",
    {
      path: '^server/src/(features|sessions|deliveries|jobs|http|security|boot)/',
      pathNot: `${QUERIES}|/answer-writer\\.ts$|${TESTS_AND_HARNESS}`,
    },
    { path: `${packages('drizzle-orm', 'pg')}|^server/src/db/schema/`, ...NOT_TYPES },
  ),
  forbid(
    'queries-are-sql-only',
    'Queries import the schema, Drizzle and the domain; rows become views in present.ts.',
    { path: QUERIES, pathNot: TEST },
    {
      pathNot: `${CORE_DOMAIN}|^server/src/db/|queries\\.ts$|${packages('drizzle-orm', 'pg', '@types/pg')}`,
      ...NOT_TYPES,
    },
  ),
  forbid(
    'queries-import-no-contract',
    'Rows become views in present.ts, not in queries.',
    { path: QUERIES, pathNot: TEST },
    { path: CORE_CONTRACT },
  ),
  forbid(
    'features-import-no-routes',
    'routes.ts has the handlers that need more of HTTP than its types; nothing but boot uses them.',
    { path: FEATURES, pathNot: `/routes\\.ts$|${TEST}` },
    {
      path: `${packages('@?fastify')}|^server/src/http/(?!sender|table-stream)|/routes\\.ts$`,
      ...NOT_TYPES,
    },
  ),
  forbid(
    'changes-by-command',
    'What an administrator changes goes through the command of its call (sessions/command.ts). Candidates, jobs and sign-in have their own transactions.',
    { path: FEATURES, pathNot: `${OWN_TRANSACTIONS}|${TEST}` },
    { path: '^server/src/db/transaction\\.ts$' },
  ),
  forbid(
    'features-use-node-only',
    'A use case needs no library, except for ids and CSV.',
    { path: FEATURES, pathNot: `/routes\\.ts$|${QUERIES}|/answer-writer\\.ts$|${TEST}` },
    {
      path: '(^|/)node_modules/',
      pathNot: packages('uuid', 'csv-(parse|stringify)', '@?fastify', 'drizzle-orm', 'pg'),
      ...NOT_TYPES,
    },
  ),
];

const web = [
  forbid(
    'web-imports-no-server',
    'The browser uses the contract, not the server.',
    { path: '^web/' },
    { path: '^server/' },
  ),
  forbid(
    'web-uses-no-node',
    'There is no Node in a browser.',
    { path: '^web/src/', pathNot: TESTS_AND_HARNESS },
    { dependencyTypes: ['core'] },
  ),
  forbid(
    'web-sides-are-independent',
    'What candidate, admin and public share is in question-view, ui, net or lib.',
    { path: '^web/src/(candidate|admin|public)/' },
    { path: '^web/src/(candidate|admin|public)/', pathNot: '^web/src/$1/' },
  ),
  forbid(
    'web-admin-rooms-are-independent',
    'What rooms of the portal share is in list, parts or data; pages of several rooms are put together above them, directly in web/src/admin.',
    { path: `^web/src/admin/(?!${FLOORS})([^/]+)/`, pathNot: TESTS_AND_HARNESS },
    { path: '^web/src/admin/', pathNot: `^web/src/admin/($1|${FLOORS})/` },
  ),
  ...['data', 'parts', 'list'].map((floor, i, floors) =>
    forbid(
      'web-admin-floors-in-order',
      'Below the rooms of the portal: data knows net, lib and ui, parts know data, lists know both.',
      { path: `^web/src/admin/${floor}/`, pathNot: TESTS_AND_HARNESS },
      {
        path: '^web/src/(admin|ui|question-view|candidate|public)/',
        pathNot: [
          `^web/src/admin/(${floors.slice(0, i + 1).join('|')})/`,
          i === 0 ? '^web/src/ui/' : '^web/src/(ui|question-view)/',
        ],
      },
    ),
  ),
  forbid(
    'web-app-is-the-top',
    'Only the entry file imports app; screens do not.',
    { path: '^web/src/', pathNot: `^web/src/(app/|main\\.tsx$)|${TESTS_AND_HARNESS}` },
    { path: '^web/src/app/' },
  ),
  forbid(
    'web-layers-import-no-screen',
    'proctoring, answer-sync, question-view, ui, net and lib are below the screens.',
    { path: '^web/src/(proctoring|answer-sync|question-view|ui|net|lib)/' },
    { path: '^web/src/(candidate|admin|public)/' },
  ),
  forbid(
    'web-proctoring-and-answer-sync-stand-alone',
    'They import net, lib and core, not each other and not the design system.',
    { path: '^web/src/(proctoring|answer-sync)/', pathNot: TESTS_AND_HARNESS },
    { path: '^web/src/', pathNot: ['^web/src/$1/', '^web/src/(net|lib)/'] },
  ),
  forbid(
    'web-react-only-in-use-files',
    'The monitor and the answer queue do not depend on React; their hooks (use-*.ts) connect them.',
    { path: '^web/src/(proctoring|answer-sync)/', pathNot: `/use-[^/]+$|${TESTS_AND_HARNESS}` },
    { path: packages('react', 'react-dom', 'react-router', 'wouter', '@tanstack', '@?radix-ui') },
  ),
  forbid(
    'web-ui-is-presentational',
    'The design system is independent of the product: the language in use, but no data, nothing above it.',
    { path: '^web/src/ui/' },
    // Test support is allowed here: product code cannot import it anyway.
    {
      path: '^(core|web/src)/',
      pathNot:
        '^(web/src/(ui|question-view|testing)/|web/src/lib/language\\.ts|core/src/(texts/(i18n|languages)|domain/locale)\\.ts$)',
    },
  ),
  forbid(
    'web-question-view-is-presentational',
    'How questions are shown and answered: core, the design system and plain functions.',
    { path: '^web/src/question-view/' },
    { path: '^web/src/', pathNot: '^web/src/(ui|question-view|lib|testing)/' },
  ),
  forbid(
    'web-ui-fetches-nothing',
    'Controls get their data as props.',
    { path: '^web/src/(ui|question-view)/' },
    { path: packages('@tanstack/react-query', 'react-router', 'wouter', 'idb') },
  ),
  forbid(
    'web-lib-is-the-lowest',
    'lib is below everything else in web, and net above it.',
    { path: '^web/src/(lib|net)/' },
    { path: '^web/src/', pathNot: '^web/src/(lib|net)/' },
  ),
];

export const rules = [...everywhere, ...core, ...server, ...web];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: rules,
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    // The root's package.json counts too: it has the packages of tests and checks.
    combinedDependencies: true,
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: '(^|/)node_modules/' },
    exclude: { path: '[.](css|svg|png|woff|woff2|html|json)([?]|$)' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.cjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'browser', 'default', 'types'],
      mainFields: ['module', 'main', 'types', 'typings'],
    },
  },
};
