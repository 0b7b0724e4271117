/**
 * Who may import whom: the matrix of docs/architecture.md as rules.
 *
 * `npm run check` runs them through scripts/import-rules.mjs, which also fails when fewer modules
 * were seen than there must be. `parser: 'swc'` is not a matter of taste: dependency-cruiser cannot
 * read TypeScript 7 by itself, and without a parser it silently sees no imports at all.
 * tests/import-rules.test.ts plants one forbidden import per rule and sees each of them caught.
 */

const CORE_DOMAIN = '^core/src/domain/';
const CORE_CONTRACT = '^core/src/contract/';
/** Where SQL is: the tables that several groups read, and what one room asks for by itself. */
const QUERIES = '^server/src/db/queries/|queries\\.ts$';
const ROUTES = '^server/src/features/([^/]+)/.*routes\\.ts$';

/**
 * The groups of the server, lowest first: each imports only groups above its own line. Only the type of
 * the context (app-context.ts), the list of what is handed to the features, names things of all groups.
 */
export const SERVER_GROUPS = [
  'runtime',
  'db',
  'security',
  'storage',
  'mail',
  'trust',
  'metrics',
  'sessions',
  'http',
  'features/audit-log',
  'features/attempt-news',
  'features/assessments',
  'features/attempts',
  'features/sign-in',
  'features/invitations',
  'features/review',
  'features/system',
  'integrity',
  'key-rotation',
  'backup',
  'jobs',
  'demo',
  'boot',
  'commands',
];

const TEST = '\\.test\\.tsx?$';

/** A file that only tests read: it may also use the harness, the runner and the test libraries. */
const TESTS_AND_HARNESS = `${TEST}|^server/src/testing/|^web/src/testing/`;

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
    'Two files that need each other are one file, or a noun is missing between them.',
    {},
    { circular: true },
  ),
  forbid(
    'no-unresolved',
    'The import leads nowhere: a typo, a file that is gone, or a path that `exports` does not open.',
    {},
    { couldNotResolve: true },
  ),
  forbid(
    'no-undeclared-package',
    'npm hoists, so the compiler does not notice: declare the package in the package.json beside you.',
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid(
    'no-dev-package-in-product',
    'A devDependency is not there in production; only tests and the test harness may use one.',
    { path: '^(core|server|web)/src/', pathNot: TESTS_AND_HARNESS },
    { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/@types/' },
  ),
  forbid(
    'no-test-in-product',
    'Nothing that ships imports a test or the test harness.',
    { path: '^(core|server|web)/src/', pathNot: TESTS_AND_HARNESS },
    { path: TESTS_AND_HARNESS },
  ),
  forbid(
    'packages-by-their-name',
    'core is reached as @invigil/core/…, never by climbing out of the package.',
    { path: '^(server|web)/src/' },
    { path: '^core/', dependencyTypes: ['local'], dependencyTypesNot: ['aliased'] },
  ),
];

const core = [
  forbid(
    'core-domain-imports-nothing',
    'The rules are pure functions: no packages, no Node, nothing but themselves.',
    { path: CORE_DOMAIN, pathNot: TEST },
    { pathNot: CORE_DOMAIN },
  ),
  forbid(
    'core-contract-imports-domain-and-zod',
    'The contract is made of the rules and Zod.',
    { path: CORE_CONTRACT, pathNot: TEST },
    { pathNot: [CORE_DOMAIN, CORE_CONTRACT, '/node_modules/zod/', '^node_modules/zod/'] },
  ),
  forbid(
    'core-imports-no-other-package',
    'core runs anywhere: it knows neither server nor web.',
    { path: '^core/' },
    { path: '^(server|web|e2e|bench|scripts|tests)/' },
  ),
];

const server = [
  forbid(
    'server-knows-no-web',
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
    'routes-use-own-group',
    'routes.ts is HTTP only: its own group and what http declares. Another group is reached through a use-case.',
    { path: ROUTES },
    { path: '^server/src/features/', pathNot: '^server/src/features/$1/' },
  ),
  forbid(
    'routes-hold-no-sql-and-no-machinery',
    'routes.ts does not touch the database, the mail or the storage; a use-case or a query does.',
    { path: ROUTES },
    {
      path: '^server/src/(db|mail|storage|jobs)/|(^|/)node_modules/(pg|drizzle-orm|nodemailer)/',
      pathNot: QUERIES,
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'sql-only-in-queries',
    "SQL is in db/queries, in a room's own queries.ts, and in the answer writer, nowhere else.",
    {
      path: '^server/src/(features|sessions|mail|jobs|http|security|boot)/',
      pathNot: `${QUERIES}|/answer-writer\\.ts$|${TESTS_AND_HARNESS}`,
    },
    {
      path: '(^|/)node_modules/(drizzle-orm|pg)/|^server/src/db/schema/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'queries-are-sql-only',
    'Queries know the schema, Drizzle and the numbers and rules of the domain; rows become views in present.ts.',
    { path: QUERIES, pathNot: TEST },
    {
      pathNot:
        '^core/src/domain/|^server/src/db/|queries\\.ts$|(^|/)node_modules/(drizzle-orm|pg)/|(^|/)node_modules/@types/pg/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'queries-know-no-contract',
    'Rows become views in present.ts, not in queries.',
    { path: QUERIES, pathNot: TEST },
    { path: CORE_CONTRACT },
  ),
  forbid(
    'use-cases-know-no-http',
    'A use-case takes data and gives data: no Fastify, no routes.',
    {
      path: '^server/src/features/.+\\.ts$',
      pathNot: `/routes\\.ts$|${TEST}`,
    },
    {
      path: '(^|/)node_modules/(fastify|@fastify)/|^server/src/http/(?!csv-stream|file-time)|/routes\\.ts$',
    },
  ),
  forbid(
    'use-cases-use-node-only',
    'A use-case needs no library. The exceptions make ids, and read and write CSV.',
    {
      path: '^server/src/features/.+\\.ts$',
      pathNot: `/routes\\.ts$|/parse-[^/]+\\.ts$|${QUERIES}|/answer-writer\\.ts$|${TEST}`,
    },
    {
      path: '(^|/)node_modules/',
      pathNot: '(^|/)node_modules/(uuid|csv-parse|csv-stringify|fastify|@fastify|drizzle-orm|pg)/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'use-cases-know-contract-types-only',
    'Parsing happens at the edge (routes, present, parse-*.ts); a use-case may name the shapes. errors.ts, the table of refusals, is open to all.',
    {
      path: '^server/src/features/.+\\.ts$',
      pathNot: `/routes\\.ts$|/present\\.ts$|/parse-[^/]+\\.ts$|${QUERIES}|${TEST}`,
    },
    {
      path: CORE_CONTRACT,
      pathNot: '^core/src/contract/errors\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  ),
];

const web = [
  forbid(
    'web-knows-no-server',
    'The browser knows the contract, not the server.',
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
    'web-sides-do-not-know-each-other',
    'What candidate, admin and public share is a noun of its own: question-view, ui, net, lib.',
    { path: '^web/src/(candidate|admin|public)/' },
    { path: '^web/src/(candidate|admin|public)/', pathNot: '^web/src/$1/' },
  ),
  forbid(
    'web-app-is-the-top',
    'Only the entry file imports app; screens are hung into it, they do not reach up.',
    { path: '^web/src/', pathNot: `^web/src/(app/|main\\.tsx$)|${TESTS_AND_HARNESS}` },
    { path: '^web/src/app/' },
  ),
  forbid(
    'web-floors-know-no-screen',
    'proctoring, answer-sync, question-view, ui, net and lib are below the screens.',
    { path: '^web/src/(proctoring|answer-sync|question-view|ui|net|lib)/' },
    { path: '^web/src/(candidate|admin|public)/' },
  ),
  forbid(
    'web-proctoring-and-answer-sync-stand-alone',
    'They know net, lib and core, not each other and not the design system.',
    { path: '^web/src/(proctoring|answer-sync)/', pathNot: TESTS_AND_HARNESS },
    { path: '^web/src/', pathNot: ['^web/src/$1/', '^web/src/(net|lib)/'] },
  ),
  forbid(
    'web-react-only-in-use-files',
    'The monitor and the answer queue live without React; their hooks (use-*.ts) connect them.',
    {
      path: '^web/src/(proctoring|answer-sync)/',
      pathNot: `/use-[^/]+\\.tsx?$|${TESTS_AND_HARNESS}`,
    },
    { path: '(^|/)node_modules/(react|react-dom|react-router|@tanstack|radix-ui|@radix-ui)/' },
  ),
  forbid(
    'web-ui-is-dumb',
    'The design system knows no product: no core, no data, nothing above it.',
    { path: '^web/src/(ui|question-view)/' },
    // What shows a component to its test: no product code may import that anyway.
    { path: '^(core|web/src)/', pathNot: '^web/src/(ui|question-view|testing)/' },
  ),
  forbid(
    'web-ui-fetches-nothing',
    'Controls are handed what they show.',
    { path: '^web/src/(ui|question-view)/' },
    { path: '(^|/)node_modules/(@tanstack/react-query|react-router|idb)/' },
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
    // The root's package.json counts too: it holds what only tests and checks use.
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
