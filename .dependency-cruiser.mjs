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
const SERVER_FEATURE = '^server/src/features/([^/]+)/';
const WEB_FEATURE = '^web/src/features/([^/]+)/';
/** The SQL of a feature: queries.ts, or session-queries.ts where a feature has several. */
const QUERIES = '[^/]*queries\\.ts$';

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
    'core-knows-nobody',
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
  forbid(
    'routes-use-own-feature',
    'routes.ts is HTTP only: its own feature, the plugins and what they declare. Another noun is reached through a use-case.',
    { path: `${SERVER_FEATURE}routes\\.ts$` },
    { path: '^server/src/features/', pathNot: '^server/src/features/$1/' },
  ),
  forbid(
    'routes-hold-no-sql-and-no-machinery',
    'routes.ts does not touch the database, the mail or the storage; a use-case or a query does.',
    { path: `${SERVER_FEATURE}routes\\.ts$` },
    {
      path: '^server/src/(db|mail|storage|jobs)/|(^|/)node_modules/(pg|drizzle-orm|nodemailer)/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'sql-only-in-queries',
    'SQL stands in queries.ts (or *-queries.ts) and in the answer writer, nowhere else.',
    {
      path: '^server/src/(features|live|mail|jobs|plugins|security)/',
      pathNot: `${QUERIES}|/answer-writer\\.ts$|${TESTS_AND_HARNESS}`,
    },
    {
      path: '(^|/)node_modules/(drizzle-orm|pg)/|^server/src/db/schema',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'queries-are-sql-only',
    'queries.ts knows the schema, Drizzle and the numbers and rules of the domain.',
    { path: `${SERVER_FEATURE}${QUERIES}` },
    {
      pathNot:
        '^core/src/domain/|^server/src/db/|(^|/)node_modules/(drizzle-orm|pg)/|(^|/)node_modules/@types/pg/|^server/src/features/[^/]+/',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'queries-know-no-contract',
    'Rows become views in present.ts, not in queries.ts.',
    { path: `${SERVER_FEATURE}${QUERIES}` },
    { path: CORE_CONTRACT },
  ),
  forbid(
    'queries-know-no-use-case',
    'SQL is the lowest floor of a feature: it calls nothing above it.',
    { path: `${SERVER_FEATURE}${QUERIES}` },
    { path: '^server/src/features/', pathNot: QUERIES },
  ),
  forbid(
    'use-cases-know-no-http',
    'A use-case takes data and gives data: no Fastify, no plugins, no routes.',
    {
      path: '^server/src/features/[^/]+/.+\\.ts$',
      pathNot: `/routes\\.ts$|${TEST}`,
    },
    { path: '(^|/)node_modules/(fastify|@fastify)/|^server/src/plugins/|/routes\\.ts$' },
  ),
  forbid(
    'use-cases-use-node-only',
    'A use-case needs no library. The exceptions make ids, and read and write CSV.',
    {
      path: '^server/src/features/[^/]+/.+\\.ts$',
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
      path: '^server/src/features/[^/]+/.+\\.ts$',
      pathNot: `/routes\\.ts$|/present\\.ts$|/parse-[^/]+\\.ts$|${QUERIES}|${TEST}`,
    },
    {
      path: CORE_CONTRACT,
      pathNot: '^core/src/contract/errors\\.ts$',
      dependencyTypesNot: ['type-only'],
    },
  ),
  forbid(
    'floors-below-know-no-feature',
    'Database, security, storage and the clock are the floor the features stand on.',
    { path: '^server/src/(db|security|storage)/|^server/src/(clock|config)\\.ts$', pathNot: TEST },
    { path: '^server/src/(features|plugins|jobs|mail|live)/|^server/src/(app|main)\\.ts$' },
  ),
  forbid(
    'only-main-knows-app',
    'app.ts wires everything, serve.ts starts it; nothing that it wires reaches back.',
    { path: '^server/src/', pathNot: `^server/src/(main|serve)\\.ts$|${TESTS_AND_HARNESS}` },
    { path: '^server/src/(app|main)\\.ts$' },
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
    'web-features-do-not-know-each-other',
    'What two features share is a noun of its own: ui, lib, proctoring or answer-sync.',
    { path: WEB_FEATURE },
    { path: '^web/src/features/', pathNot: '^web/src/features/$1/' },
  ),
  forbid(
    'web-app-is-the-top',
    'Only the entry file imports app; features are hung into it, they do not reach up.',
    { path: '^web/src/(features|proctoring|answer-sync|ui|lib)/' },
    { path: '^web/src/app/' },
  ),
  forbid(
    'web-floors-know-no-feature',
    'proctoring, answer-sync, ui and lib are below the features.',
    { path: '^web/src/(proctoring|answer-sync|ui|lib)/' },
    { path: '^web/src/features/' },
  ),
  forbid(
    'web-proctoring-and-answer-sync-stand-alone',
    'They know lib and core, not each other and not the design system.',
    { path: '^web/src/(proctoring|answer-sync)/', pathNot: TESTS_AND_HARNESS },
    { path: '^web/src/', pathNot: ['^web/src/$1/', '^web/src/lib/'] },
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
    { path: '^web/src/ui/' },
    { path: '^(core|web/src)/', pathNot: '^web/src/ui/' },
  ),
  forbid(
    'web-ui-fetches-nothing',
    'Controls are handed what they show.',
    { path: '^web/src/ui/' },
    { path: '(^|/)node_modules/(@tanstack/react-query|react-router|idb)/' },
  ),
  forbid(
    'web-lib-is-the-lowest',
    'lib is below everything else in web.',
    { path: '^web/src/lib/' },
    { path: '^web/src/', pathNot: '^web/src/lib/' },
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
